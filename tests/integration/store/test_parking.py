"""Parked deliveries, installations and renames on both engines (C-13, C-25, D-05)."""

from __future__ import annotations

import threading
from datetime import UTC, datetime, timedelta

import pytest

from shared.domain.pull_request import RepositoryRef
from shared.store import backlog, deliveries, installations, parking, renamed, repositories
from shared.store.deliveries import DeliveryView, IncomingDelivery
from shared.store.session import Database

NOW = datetime(2026, 5, 6, 12, 0, tzinfo=UTC)
LATER = NOW + timedelta(days=40)
LEASE = timedelta(seconds=60)


def put(database: Database, guid: str, *, source: str = "installation:9", repository: str = "Lumen/lumen") -> int:
    incoming = IncomingDelivery(
        source=source,
        guid=guid,
        event="pull_request",
        action="closed",
        payload=b"{}",
        repository=repository,
        number=101,
    )
    with database.transaction() as session:
        return deliveries.record(session, incoming, NOW).id


def parked(database: Database, guid: str, *, source: str = "installation:9", repository: str = "Lumen/lumen") -> int:
    row = put(database, guid, source=source, repository=repository)
    with database.transaction() as session:
        claim = deliveries.claim(session, row, NOW, LEASE)
        assert claim is not None
        assert claim.source == source
        assert deliveries.park(session, claim, "The installation is suspended.", NOW)
    return row


def view(database: Database, row: int) -> DeliveryView:
    with database.reading() as session:
        return next(found for found in deliveries.listing(session) if found.id == row)


def resume(database: Database, **narrowed: str) -> int:
    with database.transaction() as session:
        return deliveries.resume(session, **narrowed, now=LATER)


def note(
    database: Database, state: installations.State, at: datetime = NOW, *, number: int = 9, account: str = "Lumen"
) -> installations.State:
    with database.transaction() as session:
        return installations.note(session, number, account, state, at)


def blocked(database: Database, source: str = "installation:9") -> str | None:
    with database.reading() as session:
        found = installations.blocked(session, source)
    return found and found.state


def test_a_parked_delivery_uses_no_try_is_never_due_and_is_listed(database: Database) -> None:
    row = parked(database, "g-1")
    with database.reading() as session:
        assert deliveries.due(session, LATER, 100) == []
        assert deliveries.lost(session, LATER, 100) == []
        assert deliveries.oldest_due_age(session, LATER) is None
        assert deliveries.unattended_for(session, LATER) is None
        assert deliveries.counts(session)["parked"] == parking.count(session) == 1
        assert [found.id for found in deliveries.listing(session, status="parked")] == [row]
        (left,) = backlog.unfinished_merges(session, "lumen/LUMEN")
    shown = view(database, row)
    assert (shown.status, shown.tries, shown.attempt) == ("parked", 0, 1)
    assert shown.last_error == left.last_error == "The installation is suspended."
    assert not left.open
    with database.transaction() as session:
        assert deliveries.claim(session, row, LATER, LEASE) is None
        assert deliveries.prune_payloads(session, LATER) == 0


def test_r13_whoever_lost_the_row_parks_nothing(database: Database) -> None:
    row = put(database, "g-1")
    with database.transaction() as session:
        frozen = deliveries.claim(session, row, NOW, LEASE)
    with database.transaction() as session:
        newer = deliveries.claim(session, row, NOW + LEASE, LEASE)
    assert frozen is not None
    assert newer is not None
    with database.transaction() as session:
        assert not deliveries.park(session, frozen, "late", NOW + LEASE)
    assert view(database, row).status == "claimed"


def test_what_is_parked_goes_on_with_all_its_tries(database: Database) -> None:
    row = parked(database, "g-1")
    assert resume(database, source="installation:9") == 1
    shown = view(database, row)
    assert (shown.status, shown.tries, shown.next_attempt_at, shown.last_error) == ("new", 0, LATER, None)
    with database.transaction() as session:
        claim = deliveries.claim(session, row, LATER, LEASE)
    assert claim is not None
    assert claim.attempt == 2
    assert resume(database, source="installation:9") == 0


def test_resuming_is_narrowed_by_source_or_repository(database: Database) -> None:
    first = parked(database, "g-1")
    second = parked(database, "g-2", source="hook:7")
    third = parked(database, "g-3", source="installation:90", repository="lumen/other")
    dead = put(database, "g-4")
    with database.transaction() as session:
        claim = deliveries.claim(session, dead, NOW, LEASE)
        assert claim is not None
        assert deliveries.bury(session, claim, "no use", NOW)

    assert resume(database, source="installation:9") == 1
    assert view(database, first).status == "new"
    assert resume(database, repository="LUMEN/Lumen") == 1
    assert view(database, second).status == "new"
    assert resume(database) == 1
    assert view(database, third).status == "new"
    assert view(database, dead).status == "dead"


def test_very_many_repositories_at_once_are_no_trouble(database: Database) -> None:
    row = parked(database, "g-1", source="hook:1")
    names = [f"lumen/r-{number}" for number in range(70_000)]
    with database.transaction() as session:
        assert parking.free(session, LATER, source="installation:5", repositories=[*names, "lumen/lumen"]) == [row]


def test_c11_replay_and_redelivery_free_a_parked_delivery_once(database: Database) -> None:
    row = parked(database, "g-1")
    with database.transaction() as session:
        assert deliveries.replay(session, row, LATER)
    assert view(database, row).status == "new"

    other = parked(database, "g-2")
    incoming = IncomingDelivery(source="installation:9", guid="g-2", event="pull_request", payload=b"{}")
    with database.transaction() as session:
        first = deliveries.record(session, incoming, LATER)
        second = deliveries.record(session, incoming, LATER)
    assert (first.id, first.revived, second.revived) == (other, True, False)


def test_c13_what_can_be_read_again_vouches_for_the_installations(database: Database) -> None:
    parked(database, "g-1")
    note(database, "suspended")
    assert blocked(database) == "suspended"

    assert resume(database, repository="lumen/lumen") == 1
    assert blocked(database) is None
    assert note(database, "suspended", LATER - LEASE) == "active", "an event from before is older news"
    assert note(database, "suspended", LATER + LEASE) == "suspended"


def test_c13_freeing_everything_on_demand_vouches_for_nothing(database: Database) -> None:
    parked(database, "g-1")
    note(database, "suspended")
    assert resume(database) == 1
    assert blocked(database) == "suspended"


def test_c13_the_newest_event_counts_and_deleted_is_final(database: Database) -> None:
    assert note(database, "active") == "active"
    assert note(database, "suspended", NOW + LEASE) == "suspended"
    assert note(database, "active", NOW) == "suspended"
    assert note(database, "active", NOW + 2 * LEASE) == "active"
    assert note(database, "deleted", NOW + LEASE) == "deleted"
    assert note(database, "active", LATER) == "deleted"
    with database.reading() as session:
        (one,) = installations.blind(session)
    assert (one.id, one.account, one.state, one.since) == (9, "Lumen", "deleted", NOW + LEASE)


def test_c13_an_account_with_another_active_installation_is_not_blind(database: Database) -> None:
    note(database, "deleted")
    note(database, "suspended", number=4_000_000_000, account="other")
    assert blocked(database) == "deleted"
    note(database, "active", number=10, account="LUMEN")
    assert blocked(database) is None
    with database.reading() as session:
        assert [(one.id, one.account) for one in installations.blind(session)] == [(4_000_000_000, "other")]


@pytest.mark.parametrize("source", ["hook:9", "reconciler", "installation:8", "installation:9x", "installation:"])
def test_only_the_source_of_that_installation_is_blocked(source: str, database: Database) -> None:
    note(database, "suspended")
    assert blocked(database, source) is None


def test_c25_unfinished_deliveries_follow_a_rename_that_is_learned(database: Database) -> None:
    with database.transaction() as session:
        repositories.ensure(session, RepositoryRef(full_name="Lumen/lumen", id=5), NOW)
    rows = [put(database, "g-1"), parked(database, "g-2")]
    with database.transaction() as session:
        repositories.ensure(session, RepositoryRef(full_name="lumen/glow", id=5), NOW + LEASE)
    assert {view(database, row).repository for row in rows} == {"lumen/glow"}
    assert resume(database, repository="lumen/glow") == 1


def test_c25_what_is_older_than_a_rename_does_not_take_it_back(database: Database) -> None:
    with database.transaction() as session:
        row = repositories.ensure(session, RepositoryRef(full_name="a/old", id=5), NOW)
        repositories.ensure(session, RepositoryRef(full_name="a/new", id=5, private=True), NOW + LEASE)
        late = RepositoryRef(full_name="a/old", id=5, private=False, default_branch="main")
        assert repositories.ensure(session, late, NOW + LEASE / 2) == row
        found = repositories.ref_of(session, row)
    assert found == RepositoryRef(full_name="a/new", id=5, private=True, default_branch="main")
    with database.transaction() as session:
        repositories.ensure(session, late, NOW + 2 * LEASE)
        assert repositories.ref_of(session, row).full_name == "a/old"


def test_d05_deliveries_under_a_name_that_another_repository_took_stay_there(database: Database) -> None:
    with database.transaction() as session:
        repositories.ensure(session, RepositoryRef(full_name="lumen/lumen", id=5), NOW)
        repositories.ensure(session, RepositoryRef(full_name="lumen/lumen", id=6), NOW)
    row = put(database, "g-1")
    with database.transaction() as session:
        repositories.ensure(session, RepositoryRef(full_name="lumen/archive", id=5), NOW + LEASE)
    assert view(database, row).repository == "lumen/lumen"


def test_one_delivery_follows_alone(database: Database) -> None:
    first, second = put(database, "g-1"), put(database, "g-2")
    with database.transaction() as session:
        renamed.follow(session, view(database, first), "lumen/Glow")
    assert (view(database, first).repository, view(database, second).repository) == ("lumen/glow", "lumen/lumen")


def test_r40_two_who_free_the_same_deliveries_at_once_free_each_once(database: Database) -> None:
    rows = [parked(database, f"g-{number}") for number in range(20)]
    note(database, "suspended")
    counted: list[int] = []
    start = threading.Barrier(2)

    def free(**narrowed: str) -> None:
        start.wait(30)
        counted.append(resume(database, **narrowed))

    threads = [
        threading.Thread(target=free, kwargs={"repository": "lumen/lumen"}),
        threading.Thread(target=free, kwargs={"source": "installation:9"}),
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert sorted(counted) == [0, 20]
    assert {view(database, row).status for row in rows} == {"new"}

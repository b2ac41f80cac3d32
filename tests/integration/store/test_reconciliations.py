"""Rows of reconciliations on both engines: held by one worker, fenced, never given up; and the merges that are known."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from shared.domain.pull_request import RepositoryRef
from shared.store import deliveries, events, known_merges, reconciliations, repositories
from shared.store.deliveries import IncomingDelivery
from shared.store.known_merges import KnownMerge
from shared.store.session import Database

NOW = datetime(2026, 5, 6, 12, tzinfo=UTC)
LEASE, HOUR = timedelta(seconds=60), timedelta(hours=1)
NAME = "acme/engine"


def made(database: Database, name: str = NAME) -> int:
    with database.transaction() as session:
        row = repositories.ensure(session, RepositoryRef(full_name=name), NOW)
        assert reconciliations.ensure(session, row, NOW)
        assert not reconciliations.ensure(session, row, NOW + HOUR)
    return row


def test_a_row_is_held_by_one_and_a_late_holder_changes_nothing(database: Database) -> None:
    row = made(database)
    with database.transaction() as session:
        first = reconciliations.claim(session, row, NOW, LEASE)
        assert first is not None
        assert reconciliations.claim(session, row, NOW, LEASE) is None
        assert reconciliations.due(session, NOW, 10) == []
    later = NOW + LEASE
    with database.transaction() as session:
        assert reconciliations.due(session, later, 10) == [row]
        second = reconciliations.claim(session, row, later, LEASE)
        assert second is not None
        assert not reconciliations.renew(session, first, later, LEASE)
        assert not reconciliations.advance(session, first, "{}", later, LEASE)
        assert not reconciliations.postpone(session, first, "late", later, later)
        assert not reconciliations.blind(session, first, "late", later, later)
        assert reconciliations.advance(session, second, '{"at": 1}', later, LEASE)
    with database.reading() as session:
        found = reconciliations.get(session, row)
    assert found is not None
    assert (found.progress, found.blind_since, found.last_error) == ('{"at": 1}', None, "worker lost")


def test_a_whole_walk_moves_the_watermark_and_ends_blindness(database: Database) -> None:
    row = made(database)
    with database.transaction() as session:
        claim = reconciliations.claim(session, row, NOW, LEASE)
        assert claim is not None
        assert reconciliations.blind(session, claim, "suspended", NOW + HOUR, NOW)
    with database.transaction() as session:
        claim = reconciliations.claim(session, row, NOW + HOUR, LEASE)
        assert claim is not None
        assert reconciliations.blind(session, claim, "still suspended", NOW + 2 * HOUR, NOW + HOUR)
        blind = reconciliations.get(session, row)
        assert blind is not None
        assert (blind.blind_since, blind.blind_reason) == (NOW, "still suspended")
        assert [one.repository_id for one in reconciliations.listing(session)] == [row]
    with database.transaction() as session:
        claim = reconciliations.claim(session, row, NOW + 2 * HOUR, LEASE)
        assert claim is not None
        assert reconciliations.finish(
            session,
            claim,
            NOW + 2 * HOUR,
            covered_since=NOW - HOUR,
            watermark=NOW + HOUR,
            progress="{}",
            again_at=NOW + 3 * HOUR,
        )
        done = reconciliations.get(session, row)
    assert done is not None
    assert (done.blind_since, done.blind_reason, done.checked_at) == (None, None, NOW + 2 * HOUR)
    assert done.covers(NOW - HOUR, NOW + HOUR)
    assert not done.covers(NOW - HOUR, NOW + 2 * HOUR)
    assert not done.covers(NOW - 2 * HOUR, NOW)


def test_one_that_lost_all_its_workers_is_dead_until_it_is_revived(database: Database) -> None:
    row, now = made(database), NOW
    for _ in range(5):
        with database.transaction() as session:
            assert reconciliations.claim(session, row, now, LEASE) is not None
        now += LEASE
    with database.transaction() as session:
        assert reconciliations.claim(session, row, now, LEASE) is None
        assert reconciliations.due(session, now + HOUR, 10) == []
        assert reconciliations.revive(session, now - HOUR, now) == 0
        assert reconciliations.revive(session, now, now + HOUR) == 1
        assert reconciliations.due(session, now + HOUR, 10) == [row]


def incoming(number: int, *, source: str = "hook:7", action: str = "closed", name: str = NAME) -> IncomingDelivery:
    return IncomingDelivery(
        source=source,
        guid=f"{number}-{action}",
        event="pull_request",
        action=action,
        payload=b"{}",
        repository=name,
        number=number,
    )


def test_the_hooks_of_a_repository_are_those_that_pinged_or_delivered(database: Database) -> None:
    with database.transaction() as session:
        told = [
            incoming(1),
            incoming(2),
            incoming(3, source="installation:9"),
            incoming(4, source="hook:unknown"),
            incoming(5, source="hook:8", name="acme/other"),
        ]
        deliveries.record_all(session, told, NOW)
        for hook, name in ((11, "ACME/Engine"), (12, "acme/other")):
            events.remember_ping(session, NOW, hook_id=hook, zen="", events=(), content_type="json", repository=name)
    with database.reading() as session:
        assert reconciliations.hooks_of(session, NAME) == [7, 11]
        assert reconciliations.arrived(session, ["hook:7"], ["1-closed", "3-closed", "9-closed"]) == {"1-closed"}


def test_the_hooks_of_a_repository_are_known_after_a_rename(database: Database) -> None:
    known = RepositoryRef(full_name=NAME, id=5)
    with database.transaction() as session:
        repositories.ensure(session, known, NOW)
        recorded = deliveries.record_all(session, [incoming(1), incoming(2), incoming(3, source="hook:8")], NOW)
        for one in recorded:
            claim = deliveries.claim(session, one.id, NOW, LEASE)
            assert claim is not None
            deliveries.finish(session, claim, "done", None, NOW)
        events.remember_ping(session, NOW, hook_id=11, zen="", events=(), content_type="json", repository=NAME)
        assert reconciliations.hooks_of(session, NAME) == [7, 8, 11]

        repositories.ensure(session, RepositoryRef(full_name="acme/motor", id=5), NOW + HOUR)

        assert reconciliations.hooks_of(session, "acme/motor") == [7, 8, 11]
        assert [one.number for one in deliveries.listing(session, repository=NAME)] == [1], "what is done stays"


def test_a_try_is_awaited_from_the_first_look_of_each_week(database: Database) -> None:
    with database.transaction() as session:
        row = repositories.ensure(session, RepositoryRef(full_name=NAME), NOW)
        awaited = []
        for since, now in ((NOW, NOW + HOUR), (NOW, NOW + 2 * HOUR), (NOW + 90 * HOUR, NOW + 99 * HOUR)):
            reconciliations.await_try(session, row, since, now)
            found = reconciliations.get(session, row)
            assert found is not None
            awaited.append(found.awaited_since)
    assert awaited == [NOW + HOUR, NOW + HOUR, NOW + 99 * HOUR]


def test_a_try_is_what_came_to_an_end(database: Database) -> None:
    row = made(database)
    ends = {}
    with database.transaction() as session:
        for name, at in (("cut", NOW), ("postponed", NOW + HOUR), ("failed", NOW + 2 * HOUR)):
            claim = reconciliations.claim(session, row, at, LEASE)
            assert claim is not None
            if name == "failed":
                reconciliations.fail(session, claim, "a fault", at, at)
            else:
                reconciliations.postpone(session, claim, None if name == "cut" else "a limit", at, at)
            found = reconciliations.get(session, row)
            assert found is not None
            ends[name] = found.tried_at
    assert ends == {"cut": None, "postponed": NOW + HOUR, "failed": NOW + 2 * HOUR}


def test_what_the_host_tells_last_of_a_merge_is_in_force(database: Database) -> None:
    row, other = made(database), made(database, "acme/other")
    late = KnownMerge(number=3, merged_at=NOW + HOUR, base_ref="main")
    with database.transaction() as session:
        known_merges.learn(session, row, [KnownMerge(number=1, merged_at=NOW, base_ref="main"), late], NOW)
        known_merges.learn(session, row, [KnownMerge(number=1, merged_at=NOW, base_ref="release")], NOW)
        known_merges.learn(session, other, [KnownMerge(number=2, merged_at=NOW, base_ref="main")], NOW)
        known_merges.learn(session, row, [KnownMerge(number=2**70, merged_at=NOW, base_ref="main")], NOW)
        found = known_merges.of_period(session, row, NOW, NOW + HOUR)
    assert found == [KnownMerge(number=1, merged_at=NOW, base_ref="release")]


def test_in_the_inbox_is_what_is_still_to_be_worked_on(database: Database) -> None:
    with database.transaction() as session:
        rows = deliveries.record_all(
            session, [incoming(1), incoming(2), incoming(3, action="edited"), incoming(4, name="acme/other")], NOW
        )
        claim = deliveries.claim(session, rows[1].id, NOW, LEASE)
        assert claim is not None
        assert known_merges.in_inbox(session, NAME.upper(), [1, 2, 3, 4]) == {1, 2}
        deliveries.finish(session, claim, "done", None, NOW)
        assert known_merges.in_inbox(session, NAME, [1, 2, 3, 4]) == {1}

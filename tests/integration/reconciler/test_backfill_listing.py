"""The listing of a backfill: nothing is missed in a list that moves, and what failed before is tried again."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta

import pytest

from services.analyzer.pipeline import analyze_delivery
from services.reconciler.backfill import Listing, list_page
from shared.domain.errors import Permanent
from shared.sources.github_api import GitHubApi
from shared.store import analyses, backfills, deliveries, pull_requests, repositories
from shared.store.backfills import Account, Backfill
from shared.store.session import Database
from tests.integration.reconciler.house import TUESDAY, House, numbers
from tests.integration.workers.inbox import Source, make_runtime
from tests.servers.github import Fault, GitHubServer

SINCE = TUESDAY - timedelta(days=30)
UNTIL = TUESDAY + timedelta(days=1)
AHEAD = timedelta(minutes=10)


@pytest.fixture(params=[True, False], ids=["token", "without"])
def past(
    request: pytest.FixtureRequest, github: GitHubServer, database: Database, monkeypatch: pytest.MonkeyPatch
) -> Iterator[House]:
    """A house whose database has a clock ten minutes ahead of the host's, asked with and without a credential."""
    how = {} if request.param else {"token": "", "anonymous": True}
    github.world.anonymous_limit = 1000
    house = House(github, database, **how)
    monkeypatch.setattr(Database, "now", lambda _self: house.clock() + AHEAD)
    yield house
    house.receiver.off()


def listing_of(house: House) -> Listing:
    host = house.runtime.open_host()
    api = GitHubApi(host, house.repository.full_name, house.settings.repositories[0], house.clock)
    return Listing(api=api, repository=api.refresh(), stable=host.can_query)


def listed(house: House, until: datetime = UNTIL) -> Backfill:
    """One backfill, from its beginning to the end of its listing."""
    listing = listing_of(house)
    now = house.clock() + AHEAD
    with house.database.transaction() as session:
        row = repositories.ensure(session, listing.repository, now)
        backfill = backfills.begin(session, row, SINCE, until, now)
        held = backfills.claim(session, backfill.id, now, timedelta(hours=9))
    assert held is not None
    while backfill.listed_at is None:
        backfill = list_page(house.database, listing, backfill, held)
        house.clock.move(timedelta(seconds=5))
    with house.database.transaction() as session:
        assert backfills.release(session, held, house.clock() + AHEAD)
    return backfill


def account(house: House, backfill: Backfill, since: datetime | None = None) -> Account:
    with house.database.reading() as session:
        return backfills.account(session, backfill.id, since)


def test_c22_merges_that_move_to_the_head_while_the_list_is_read_are_found_there(past: House) -> None:
    merged = [past.merge(after=timedelta(seconds=30)) for _ in range(300)]
    past.clock.move(timedelta(days=1) - timedelta(minutes=300))

    def a_bot_labels_old_ones() -> None:
        for pull in merged[:150]:
            past.clock.move(timedelta(seconds=1))
            pull.touch()

    past.github.faults.add(Fault("(graphql|pulls)$", "reorder", after=1, before=a_bot_labels_old_ones))
    backfill = listed(past, UNTIL + timedelta(days=1))
    assert past.merge_deliveries() == numbers(merged)
    assert backfill.found == 300


def test_a_merge_whose_analysis_failed_for_good_is_tried_again_by_a_second_backfill(past: House) -> None:
    fine, failed = past.merge(), past.merge()
    first = listed(past)
    with past.database.reading() as session:
        due = backfills.due(session, first, past.clock() + AHEAD, 10)
    source = Source()
    source.error = Permanent("The details make no sense.")
    outcomes = {}
    for delivery, pull in zip(due, (fine, failed), strict=True):
        runtime = make_runtime(past.database, source if pull is failed else None, past.clock, past.settings)
        past.clock.move(AHEAD)
        outcomes[pull.number] = analyze_delivery(runtime, delivery)
    assert outcomes == {fine.number: "done", failed.number: "dead"}

    second = listed(past)

    assert second.id == first.id
    assert second.found == 1
    with past.database.reading() as session:
        (again,) = backfills.due(session, second, past.clock() + AHEAD, 10)
    past.clock.move(AHEAD)
    assert analyze_delivery(make_runtime(past.database, None, past.clock, past.settings), again) == "done"
    with past.database.reading() as session:
        stored = pull_requests.get(session, past.row, failed.number)
        assert stored is not None
        assert analyses.latest(session, stored.id) is not None
    assert listed(past).found == 0


def test_an_account_since_a_moment_counts_what_ended_since_and_done_alone(past: House) -> None:
    past.merge()
    backfill = listed(past)
    past.clock.move(AHEAD)
    assert past.analyze() == ["done"]
    past.clock.move(timedelta(minutes=1))
    began = past.clock()
    ignored = past.merge()
    listed(past)
    past.clock.move(AHEAD)
    with past.database.transaction() as session:
        (delivery,) = backfills.due(session, backfill, past.clock(), 10)
        claim = deliveries.claim(session, delivery, past.clock(), timedelta(minutes=1))
        assert claim is not None
        assert claim.number == ignored.number
        assert deliveries.finish(session, claim, "ignored", "never-captured", past.clock())
    assert account(past, backfill).done == 1
    assert account(past, backfill, began).done == 0


def test_an_account_tells_what_waits_from_what_somebody_holds(past: House) -> None:
    for _ in range(2):
        past.merge()
    backfill = listed(past)
    past.clock.move(AHEAD)
    now = past.clock()
    with past.database.transaction() as session:
        held, waiting = backfills.due(session, backfill, now, 10)
        assert deliveries.claim(session, held, now, timedelta(minutes=1)) is not None
    told = account(past, backfill)
    assert (told.open, told.held, told.waits_to_retry) == (2, 1, False)
    assert told.waits_until is not None
    with past.database.transaction() as session:
        claim = deliveries.claim(session, waiting, now, timedelta(minutes=1))
        assert claim is not None
        assert deliveries.fail(session, claim, "a fault", now, [timedelta(minutes=5)], 1.0) == "retry"
    told = account(past, backfill)
    assert (told.waits_until, told.waits_to_retry) == (now + timedelta(minutes=5), True)
    with past.database.transaction() as session:
        claim = deliveries.claim(session, waiting, now + timedelta(minutes=5), timedelta(minutes=1))
        assert claim is not None
    told = account(past, backfill)
    assert (told.held, told.waits_until) == (2, None)

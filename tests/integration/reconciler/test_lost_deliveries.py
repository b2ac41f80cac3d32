"""R-07: what a receiver that was off has missed is captured by one reconciliation, none of it twice."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from itertools import islice
from threading import Barrier

import pytest

from services.reconciler.reconcile import reconcile, sweep
from services.reconciler.runtime import ReconciliationRuntime
from shared.settings import RepositorySettings
from shared.store.session import Database
from tests.integration.reconciler.house import FULL_NAME, HOST, RIGHTS, W19, House, completeness_line, numbers
from tests.servers.github import Fault, GitHubServer

SEED = 20260505


@pytest.fixture
def small(github: GitHubServer, sqlite_url: str) -> Iterator[House]:
    """A house on SQLite alone, for hundreds of merges."""
    made = House(github, Database(sqlite_url))
    yield made
    made.receiver.off()
    made.database.dispose()


@pytest.mark.timeout(300)
def test_r07_500_merges_with_the_receiver_off_a_fifth_of_the_time(small: House) -> None:
    opened = iter([small.repository.open_pull(f"Keep queue {place} in order") for place in range(500)])
    small.add_hook()
    small.world.deliver_automatically = False
    chance = random.Random(SEED)
    windows = [False] * 10 + [True] * 40
    chance.shuffle(windows)
    merged, lost = [], 0
    for on in windows:
        (small.receiver.on if on else small.receiver.off)()
        for pull in islice(opened, 10):
            small.clock.move(timedelta(minutes=4))
            pull.merge()
            merged.append(pull)
            lost += not on
        small.world.deliver_pending()
    small.receiver.on()
    small.world.deliver_automatically = True
    assert (len(merged), lost) == (500, 100)
    assert len(small.merge_deliveries()) == 400

    assert small.reconcile() == "done"

    assert small.merge_deliveries() == numbers(merged), "500 of 500, none twice"
    assert small.asked("/attempts", "POST") == lost
    assert {*small.analyze()} == {"done"}
    assert sorted(small.captured()) == numbers(merged)

    small.clock.now = W19.end + timedelta(minutes=3)
    assert small.reconcile() == "done"
    assert small.asked("/attempts", "POST") == lost, "what arrived is asked for no more"
    assert small.seal() == 1
    complete = small.digest().completeness
    assert complete is not None
    assert (complete.captured, complete.known_to_host, complete.missing) == (500, 500, ())
    told = "500 of 500 merges known to github.example on Mon 2026-05-11 00:03 UTC."
    assert told in completeness_line(small.digest())


@pytest.mark.timeout(300)
def test_r07_an_outage_of_four_days_in_which_the_host_has_forgotten_its_deliveries(small: House) -> None:
    small.add_hook()
    before = [small.merge() for _ in range(20)]
    small.analyze()
    small.reconcile()
    small.receiver.off()
    during = [small.merge(after=timedelta(minutes=45)) for _ in range(120)]
    small.clock.move(timedelta(hours=6))
    small.receiver.on()

    assert small.reconcile() == "done"

    assert small.merge_deliveries() == numbers(before + during)
    assert {*small.analyze()} == {"done"}
    small.clock.now = W19.end + timedelta(minutes=3)
    assert small.reconcile() == "done"
    assert small.seal() == 1
    digest = small.digest()
    assert digest.merged_total == 140
    assert "140 of 140 merges known" in completeness_line(digest)


def test_a_delivery_is_asked_for_once_and_then_left_to_the_listing(house: House) -> None:
    house.add_hook()
    house.receiver.off()
    pull = house.merge()
    assert house.reconcile() == "asked"
    assert house.merge_deliveries() == [], "it may be on its way"
    for _ in range(4):
        house.clock.move(timedelta(hours=1))
        assert house.reconciled() == "done"
        assert house.merge_deliveries() == [pull.number]
    assert house.asked("/attempts", "POST") == 1


def test_a_token_that_may_not_see_hooks_leaves_it_to_the_listing(github: GitHubServer, database: Database) -> None:
    rights = {name: level for name, level in RIGHTS.items() if name != "repository_hooks"}
    house = House(github, database, rights=rights)
    house.add_hook()
    house.receiver.off()
    pull = house.merge()
    assert house.reconcile() == "done"
    assert house.merge_deliveries() == [pull.number]
    assert house.state.blind_since is None
    assert github.writes == []


def test_the_app_asks_for_the_deliveries_of_this_repository_alone(github: GitHubServer, database: Database) -> None:
    house = House(github, database)
    other = house.world.add_repository("acme/other")
    app = house.world.app
    house.receiver.on()
    app.hook_url, app.hook_secret, app.events = house.receiver.url, "It's a Secret to Everybody", ("pull_request",)
    app.install("acme", permissions=RIGHTS)
    house.use_app()
    house.receiver.off()
    pull = house.merge()
    other.open_pull("Elsewhere").merge()
    house.receiver.on()

    assert house.reconcile() == "done"
    assert house.merge_deliveries() == [pull.number]
    assert house.asked("/attempts", "POST") == 1
    assert {one.credential for one in github.writes} == {f"app:{app.id}"}


@pytest.mark.parametrize(("slow", "takes"), [("deliveries$", 100), ("attempts$", 190)])
def test_a_log_that_takes_longer_than_a_task_may_holds_up_no_walk(
    github: GitHubServer, database: Database, slow: str, takes: int
) -> None:
    """Two pages of an App's log, or two requests for deliveries, take longer than one task of the reconciler."""
    house = House(github, database)
    house.receiver.on()
    app = house.world.app
    app.hook_url, app.hook_secret, app.events = house.receiver.url, "It's a Secret to Everybody", ("pull_request",)
    app.install("acme", permissions=RIGHTS)
    house.use_app()
    house.receiver.off()
    other = house.world.add_repository("acme/other")
    for place in range(130):
        other.open_pull(f"Elsewhere {place}")
    merged = [house.merge() for _ in range(3)]
    seconds = [0.0]
    runtime = house.reconciler(monotonic=lambda: seconds[0])

    def passes() -> None:
        seconds[0] += takes

    github.faults.add(Fault(slow, "reorder", times=None, before=passes))
    outcomes = [house.reconcile(runtime)]
    while outcomes[-1] != "done" and len(outcomes) < 9:
        house.clock.move(timedelta(minutes=1))
        outcomes.append(house.reconcile(runtime))
    assert len(outcomes) <= 3, outcomes
    assert house.merge_deliveries() == numbers(merged)
    assert house.asked("/app/hook/deliveries") <= 2
    assert house.asked("/attempts", "POST") >= 1, "what was listed is asked for"
    house.receiver.off()


def test_two_reconcilers_at_once_double_nothing(house: House) -> None:
    house.add_hook()
    house.receiver.off()
    merged = [house.merge() for _ in range(5)]
    house.receiver.on()
    other = house.reconciler()
    outcomes: Counter[str] = Counter()
    fault = Fault("deliveries$", "reorder", before=lambda: outcomes.update([house.reconcile(other)]), method="GET")
    house.github.faults.add(fault)

    outcomes.update([house.reconcile()])

    assert outcomes == {"done": 1, "not-due": 1}
    assert house.asked("/attempts", "POST") == 5
    assert house.merge_deliveries() == numbers(merged)


def test_four_workers_that_are_rung_at_once_share_one_reconciliation(house: House) -> None:
    house.add_hook()
    house.receiver.off()
    merged = [house.merge() for _ in range(20)]
    house.receiver.on()
    sweep(house.runtime)
    runtimes, row, together = [house.reconciler() for _ in range(4)], house.row, Barrier(4)

    def work(runtime: ReconciliationRuntime) -> str:
        together.wait(30)
        return reconcile(runtime, row)

    with ThreadPoolExecutor(4) as pool:
        outcomes = list(pool.map(work, runtimes))

    assert sorted(outcomes) == ["done", "not-due", "not-due", "not-due"]
    assert house.asked("/attempts", "POST") == 20
    assert house.merge_deliveries() == numbers(merged)


def test_one_that_lost_its_row_to_another_stops_and_writes_nothing(house: House) -> None:
    merged = [house.merge() for _ in range(3)]
    other = house.reconciler()
    outcomes = []

    def taken_over() -> None:
        house.clock.move(timedelta(minutes=2))
        outcomes.append(house.reconcile(other))

    house.github.faults.add(Fault("graphql$", "reorder", before=taken_over))
    assert house.reconcile() == "fenced"
    assert outcomes == ["done"]
    assert house.merge_deliveries() == numbers(merged)


def test_an_unlisted_repository_is_asked_about_where_every_one_is_watched(house: House) -> None:
    listed = RepositorySettings(full_name=FULL_NAME, host=HOST)
    assert house.settings.asks_host(listed)
    house.settings = house.settings.model_copy(update={"repositories": ()})
    house.runtime = house.reconciler()
    house.add_hook()
    pull = house.merge()
    assert house.analyze() == ["done"]
    assert house.reconcile() == "done"
    assert house.state.watermark == house.clock()
    assert house.merge_deliveries() == [pull.number]

"""A walk that is interrupted goes on where it stopped: by a limit, by the end of its time, by the end of its worker."""

from __future__ import annotations

from datetime import timedelta

import pytest

from services.reconciler.reconcile import reconcile
from services.reconciler.runtime import PIECE
from shared.broker.task_names import TaskName
from shared.domain.errors import Postponed
from tests.integration.reconciler.house import House, numbers
from tests.servers.github import Fault, GitHubServer
from tests.servers.github.pull_requests import PullRequest


class Killed(BaseException):
    """The worker ends here, without a word."""


@pytest.fixture
def merged(house: House) -> list[PullRequest]:
    """Three pages of merges that nobody delivered."""
    return [house.merge(after=timedelta(seconds=20)) for _ in range(230)]


def pages(github: GitHubServer) -> int:
    return sum(one.path == "/graphql" and one.status == 200 for one in github.log)


def test_a_limit_in_the_middle_of_a_walk_waits_and_loses_nothing(house: House, merged: list[PullRequest]) -> None:
    house.github.faults.add(Fault("graphql$", "primary-limit", after=1, reset_in=1800))
    assert house.reconcile() == "postponed"
    assert 0 < len(house.merge_deliveries()) < 230
    assert house.state.watermark is None
    assert house.state.next_attempt_at >= house.clock() + timedelta(minutes=29)
    began = house.clock()

    house.clock.move(timedelta(minutes=31))
    assert house.reconcile() == "done"
    assert house.merge_deliveries() == numbers(merged)
    assert house.state.watermark == began, "what was merged while it waited is the next walk's"
    assert house.state.next_attempt_at > house.clock()


def test_a_killed_worker_leaves_its_place_to_the_next_one(house: House, merged: list[PullRequest]) -> None:
    def end() -> None:
        raise Killed

    read = []
    host = house.runtime.open_host()
    query = host.query

    def dies_on_the_third_page(*asked, **how):
        read.append(None)
        if len(read) == 3:
            end()
        return query(*asked, **how)

    host.query = dies_on_the_third_page
    with pytest.raises(Killed):
        house.reconcile()
    assert len(house.merge_deliveries()) == 200
    assert reconcile(house.reconciler(), house.row) == "not-due", "the lease has to run out"

    house.clock.move(timedelta(seconds=61))
    assert house.reconcile(house.reconciler()) == "done"
    assert house.merge_deliveries() == numbers(merged)


def test_a_long_walk_is_cut_into_pieces_that_are_rung_for(house: House, merged: list[PullRequest]) -> None:
    seconds = iter(range(0, 100_000, 100))
    runtime = house.reconciler(monotonic=lambda: float(next(seconds)))
    assert PIECE == 180
    outcomes = [house.reconcile(runtime)]
    while outcomes[-1] == "cut":
        assert house.bell.rung[-1] == (TaskName.RECONCILE, house.row)
        outcomes.append(reconcile(runtime, house.row))
    assert outcomes[-1] == "done"
    assert len(outcomes) > 2
    assert house.merge_deliveries() == numbers(merged)
    assert house.state.watermark == house.clock()


def test_an_answer_that_is_none_is_tried_again_on_the_ladder_and_never_given_up(house: House) -> None:
    pull = house.merge()
    fault = house.github.faults.add(Fault("graphql$", "html-200", times=None))
    waits = []
    for _ in range(6):
        assert house.reconcile() == "retry"
        waits.append((house.state.next_attempt_at - house.clock()).total_seconds())
        house.clock.now = house.state.next_attempt_at
    assert waits == [10, 60, 300, 1800, 1800, 1800]
    house.github.faults.remove(fault)
    assert house.reconcile() == "done"
    assert house.merge_deliveries() == [pull.number]


def test_a_worker_that_dies_each_time_is_left_alone_until_the_next_interval(house: House) -> None:
    def killed() -> None:
        raise Killed

    for _ in range(5):
        runtime = house.reconciler()
        runtime.open_host().read = lambda *_asked, **_how: killed()
        with pytest.raises(Killed):
            house.reconcile(runtime)
        house.clock.move(timedelta(seconds=61))
    assert house.reconcile() == "not-due"
    assert house.state.status == "dead"
    house.clock.move(timedelta(hours=1))
    assert house.reconcile() == "done"


def test_an_outage_is_waited_out_without_a_try(house: House) -> None:
    fault = house.github.faults.add(Fault("", "server-error", times=None))
    for _ in range(8):
        assert house.reconcile() == "postponed"
        house.clock.now = house.state.next_attempt_at
    house.github.faults.remove(fault)
    assert house.reconcile() == "done"
    assert Postponed.__name__ not in (house.state.last_error or "")

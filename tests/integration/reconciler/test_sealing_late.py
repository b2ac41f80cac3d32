"""A digest whose grace is over waits for a first comparison, and tells what the host's list has and nobody can read."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from tests.integration.reconciler.house import SOON, TUESDAY, W19, House, completeness_line, numbers
from tests.servers.github import Fault


def test_a_service_that_was_away_over_the_sealing_time_compares_before_it_seals(house: House) -> None:
    first = house.a_week(1)
    house.receiver.off()
    lost = [house.merge(after=timedelta(hours=3)) for _ in range(20)]
    house.clock.now = W19.end + timedelta(hours=12)
    house.receiver.on()
    assert house.seal() == 0, "nobody has tried to compare yet"
    assert house.reconciled() == "done"
    assert house.seal() == 0, "what was found is not analysed yet"
    house.clock.move(timedelta(minutes=10))
    assert {*house.analyze()} == {"done"}
    assert house.seal() == 1
    digest = house.digest()
    assert sorted(listed.number for listed in digest.pull_requests) == sorted([*first, *numbers(lost)])
    assert "21 of 21 merges known" in completeness_line(digest)


def test_where_nobody_compares_a_week_waits_for_a_second_grace_from_when_somebody_looks(house: House) -> None:
    house.a_week()
    house.clock.now = W19.end + timedelta(days=2)
    assert house.seal() == 0
    assert house.state.awaited_since == house.clock()
    house.clock.move(timedelta(hours=5, minutes=59))
    assert house.seal() == 0
    house.clock.move(timedelta(minutes=1))
    assert house.seal() == 1
    assert "Unknown: github.example was last asked" in completeness_line(house.digest())


def test_what_was_found_late_is_waited_for_no_longer_than_the_grace(house: House) -> None:
    house.a_week()
    house.receiver.off()
    house.merge(after=timedelta(days=1))
    house.clock.now = W19.end + timedelta(hours=12)
    assert house.reconciled() == "done"
    found = house.clock()
    house.clock.now = found + timedelta(hours=6)
    assert house.seal() == 0
    house.clock.move(timedelta(minutes=1))
    assert house.seal() == 1
    assert len(house.digest().ledger.failed) == 1


@pytest.mark.parametrize("fault", ["server-error", "html-200"])
def test_a_comparison_that_was_tried_late_and_failed_is_a_try(house: House, fault: str) -> None:
    house.a_week()
    house.clock.now = W19.end + timedelta(hours=12)
    assert house.due_weeks() == []
    house.github.faults.add(Fault("", fault, times=None))
    assert house.reconcile() in ("postponed", "retry")
    assert house.seal() == 1
    assert "Unknown: github.example was last asked" in completeness_line(house.digest())


@pytest.mark.parametrize("how", ["null", "unreadable"])
def test_what_the_list_has_and_nobody_can_read_leaves_completeness_unknown(house: House, how: str) -> None:
    house.reconcile()
    merged = [house.merge() for _ in range(3)]
    host = house.runtime.open_host()
    query = host.query

    def with_a_hole(*asked: Any, **more: Any) -> dict[str, Any]:
        answer = query(*asked, **more)
        nodes = answer["repository"]["pullRequests"]["nodes"]
        place = next(i for i, node in enumerate(nodes) if node["number"] == merged[1].number)
        nodes[place] = None if how == "null" else nodes[place] | {"baseRefName": None}
        return answer

    host.query = with_a_hole  # type: ignore[method-assign]
    house.clock.move(timedelta(hours=1))
    floor = TUESDAY - house.settings.github.overlap
    assert house.reconcile() == "done"
    assert house.state.left_out_since == floor
    house.clock.now = W19.end + SOON
    assert house.reconcile() == "done", "what was left out on Tuesday is looked for again on Monday"
    house.analyze()
    told = completeness_line(house.draft())
    assert "Unknown: of what github.example lists from" in told
    assert "无法读取" in completeness_line(house.in_chinese(), "zh-CN")

    host.query = query  # type: ignore[method-assign]
    house.clock.move(timedelta(hours=1))
    assert house.reconcile() == "done"
    assert house.state.left_out_since is None
    house.analyze()
    assert house.seal() == 1
    assert "3 of 3 merges known" in completeness_line(house.digest())

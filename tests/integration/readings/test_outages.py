"""A model that is away: no merge is lost, none uses up its calls, and what waited is read when it is back (R-60, R-61)."""

from __future__ import annotations

from datetime import timedelta

import pytest

from shared.store.session import Database
from tests.integration.readings.house import House
from tests.servers.model.server import ModelServer


@pytest.fixture
def house_on_sqlite(sqlite_url: str, server: ModelServer) -> House:
    """For thousands of steps."""
    return House(Database(sqlite_url), server)


def hours(house: House, count: int, minutes: int = 60) -> None:
    """Let time pass with a sweep now and then, each followed by what it rings for."""
    for _ in range(count * 60 // minutes):
        house.clock.move(timedelta(minutes=minutes))
        house.sweep()
        house.work_off()


def test_r60_after_a_week_of_outage_all_are_read_and_only_five_calls_were_lost(house_on_sqlite: House) -> None:
    house = house_on_sqlite
    house.server.mode = "error-500"
    for day in range(7):
        house.store(range(1 + 10 * day, 11 + 10 * day), ring=True)
        hours(house, 24, minutes=240)
    lost = house.calls_of_merges()
    assert lost.total() <= 5
    assert house.counts().get("done") is None
    assert sum(house.counts().values()) == 70
    assert all(house.view(number).why for number in (1, 70)), "why it waits is shown"

    house.server.mode = "ok"
    hours(house, 1, minutes=5)

    assert house.counts() == {"done": 70}
    calls = house.calls_of_merges()
    assert max(calls.values()) <= 2
    assert calls.total() == 70 + lost.total()
    assert calls.total() + sum(1 for purpose, _ in house.calls() if purpose == "probe") == len(house.server.asked)
    assert house.analysis(70).source == "model"


def test_r60_a_lone_merge_loses_one_call_to_an_outage_however_long_it_is(house_on_sqlite: House) -> None:
    """Too few failures to open the breaker: the last call is sent only after a small question was answered."""
    house = house_on_sqlite
    house.server.mode = "error-500"
    house.store([1], ring=True)
    hours(house, 48, minutes=60)
    assert house.calls_of_merges() == {1: 1}

    house.server.mode = "ok"
    hours(house, 1, minutes=5)

    assert house.analysis(1).source == "model"
    assert house.calls_of_merges() == {1: 2}


def test_r60_a_week_without_a_server_uses_up_no_call_at_all(house_on_sqlite: House) -> None:
    house = house_on_sqlite
    house.server.stop()
    house.store(range(1, 21), ring=True)
    hours(house, 168, minutes=240)

    assert house.counts() == {"retry": 20}
    assert house.calls_of_merges().total() == 0
    assert {status for _, status in house.calls()} == {"unsent"}


def test_r61_three_hundred_merges_and_a_server_that_always_fails(house_on_sqlite: House) -> None:
    """Five calls open the breaker; from then on each window costs one small question."""
    house = house_on_sqlite
    house.server.mode = "error-500"
    house.store(range(1, 101), ring=True)
    house.store(range(101, 301))
    assert set(house.work_off()) == {"postponed"}
    assert len(house.server.asked) == 5

    hours(house, 2, minutes=1)

    calls = [purpose for purpose, _ in house.calls()]
    windows = 1 + calls.count("probe")
    assert calls.count("read") <= 5
    assert 8 <= windows <= 15, "a minute at first, a quarter of an hour at most"
    assert len(house.server.asked) == len(calls)
    assert sum(house.counts().values()) == 300
    assert max(house.calls_of_merges().values()) <= 2


def test_r61_when_the_day_is_spent_the_rest_waits_for_the_next_and_the_weightiest_go_first(
    database: Database, server: ModelServer
) -> None:
    house = House(database, server, day_tokens=5_500, concurrency=1)
    for number, importance in ((1, 5), (2, 40), (3, 20), (4, 30)):
        house.store([number], importance)
    for _ in range(4):
        house.sweep()
        house.work_off()

    spent = {number: house.view(number).status for number in (1, 2, 3, 4)}
    assert spent[2] == "done", "the weightiest was the first"
    waiting = [number for number in (1, 3, 4, 2) if spent[number] == "retry"]
    assert waiting == [1, 3, 4][: len(waiting)]
    assert 1 in waiting
    assert "The budget of the day is used up" in (house.view(1).why or "")
    midnight = house.clock.now.replace(hour=0) + timedelta(days=1)
    assert {house.view(number).next_attempt_at for number in waiting} == {midnight}
    assert len(server.asked) == 4 - len(waiting)

    for _ in range(4):
        house.clock.move(timedelta(days=1))
        house.sweep()
        house.work_off()
    assert house.counts() == {"done": 4}


def test_r12_rings_that_are_lost_are_made_up_for_by_the_sweep(house: House) -> None:
    house.capture(101)
    house.capture(102)
    house.bell.rung.clear()

    assert house.sweep() == 2
    assert house.work_off().count("done") == 2


def test_one_that_ends_rings_for_the_next(database: Database, server: ModelServer) -> None:
    house = House(database, server, concurrency=1)
    house.store(range(1, 8))

    assert house.sweep() == 2
    assert house.work_off().count("done") == 7


def test_rate_limits_wait_as_long_as_the_server_says(house: House) -> None:
    house.server.script("rate-429")
    house.capture()

    assert house.work_off() == ["postponed"]
    wait = house.view().next_attempt_at
    assert wait is not None
    assert timedelta(0) < wait - house.clock.now <= timedelta(minutes=1)
    house.clock.now = wait
    house.sweep()
    assert house.work_off() == ["done"]


def test_a_fault_of_our_own_climbs_the_ladder_and_is_dead_and_visible(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The answer is kept: however often the check fails, the model is asked once."""

    def broken(*_arguments: object, **_more: object) -> None:
        raise RuntimeError("a fault in a check")

    monkeypatch.setattr("services.analyzer.readings.read.checked", broken)
    house.capture()
    outcomes = house.work_off()
    for _ in range(4):
        house.clock.move(timedelta(hours=1))
        house.sweep()
        outcomes += house.work_off()

    assert outcomes == ["retry"] * 4 + ["dead"]
    assert "a fault in a check" in (house.view().why or "")
    assert len(house.server.asked) == 1

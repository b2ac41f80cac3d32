"""Budgets on both engines: of a merge, a day and a week, shared by every process and never overshot (R-61)."""

from __future__ import annotations

import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import func, select

from shared.domain.errors import Permanent, Postponed
from shared.store.session import Database
from shared.store.tables import ModelCallRow
from tests.integration.store.model_rows import (
    MODEL,
    Clock,
    claimed,
    limited,
    meter_of,
    of_no_merge,
    planned,
    reading,
    refused,
    settled,
    tokens_used,
)

PROCESS = """
import sys
from datetime import UTC, datetime
from shared.domain.errors import Postponed
from shared.domain.protocols import PlannedCall
from shared.settings import ModelSettings
from shared.store.model_calls import StoredMeter
from shared.store.session import Database
database = Database(sys.argv[1])
settings = ModelSettings(name="reader-small", day_tokens=25_000, concurrency=64)
meter = StoredMeter(database, lambda: datetime(2026, 5, 6, 12, 0, tzinfo=UTC), settings, "https://model.example/v1")
print("ready", flush=True)
sys.stdin.readline()
reserved = 0
for _ in range(20):
    try:
        meter.reserve(PlannedCall(model="reader-small", purpose="read", input_tokens=900, output_tokens=100))
        reserved += 1
    except Postponed:
        pass
print(reserved)
database.dispose()
"""


def test_two_processes_reserve_against_one_budget(database: Database, database_url: str) -> None:
    both = [
        subprocess.Popen(
            [sys.executable, "-c", PROCESS, database_url], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        for _ in range(2)
    ]
    for process in both:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        assert process.stdin is not None
    for process in both:
        process.stdin.write("go\n")  # type: ignore[union-attr]
        process.stdin.flush()  # type: ignore[union-attr]
    reserved = [int(process.communicate(timeout=100)[0]) for process in both]
    assert [process.returncode for process in both] == [0, 0]
    assert sum(reserved) == 25
    assert tokens_used(database) == 25_000


def test_many_threads_never_overshoot_a_budget_and_leave_nothing_of_it(database: Database) -> None:
    settings = limited(week_tokens=7_500)
    start = threading.Barrier(8)

    def reserve(_number: int) -> int:
        start.wait()
        taken = 0
        for _ in range(3):
            try:
                of_no_merge(database, settings).reserve(planned("eval", 1_000))
                taken += 1
            except Postponed:
                pass
        return taken

    with ThreadPoolExecutor(8) as pool:
        assert sum(pool.map(reserve, range(8))) == 7
    of_no_merge(database, settings).reserve(planned("eval", 500))
    assert tokens_used(database) == 7_500


def test_a_probe_and_an_evaluation_are_of_no_merge_and_cost_all_the_same(database: Database) -> None:
    held = claimed(database, reading(database))
    settings = limited(merge_tokens=2_000, day_tokens=5_000)
    meter = meter_of(database, held, settings=settings)
    for purpose in ("probe", "eval", "probe"):
        meter.reserve(planned(purpose, 1_000))
    meter.reserve(planned())
    meter.reserve(planned("repair"))
    assert "model.day_tokens is 5,000" in str(refused(meter, purpose="probe"))
    with database.reading() as session:
        of_merges = select(func.count()).where(ModelCallRow.pull_request_id == held.pull_request_id)
        assert session.scalar(of_merges) == 2


@pytest.mark.parametrize(
    ("limits", "allowed", "named"),
    [
        ({"merge_tokens": 1_900}, 1, "model.merge_tokens is 1900"),
        ({"merge_tokens": 0}, 0, "model.merge_tokens is 0"),
        ({"merge_cost": 0.19, "prices": {MODEL: {"input": 100, "output": 100}}}, 1, "model.merge_cost is 0.19"),
    ],
)
def test_a_merge_has_a_budget_of_its_own(
    database: Database, limits: dict[str, object], allowed: int, named: str
) -> None:
    meter = meter_of(database, claimed(database, reading(database)), settings=limited(**limits))
    for _ in range(allowed):
        meter.reserve(planned(tokens=1_000))
    with pytest.raises(Permanent, match=named):
        meter.reserve(planned(tokens=1_000))
    other = meter_of(database, claimed(database, reading(database, 102)), settings=limited())
    other.reserve(planned(tokens=1_000))


@pytest.mark.parametrize("limit", ["merge_cost", "day_cost", "week_cost"])
def test_no_call_of_a_model_without_a_price_passes_a_limit_in_dollars(database: Database, limit: str) -> None:
    """The settings price their own models; a person may have asked another."""
    prices = {MODEL: {"input": 100, "output": 100}}
    meter = meter_of(
        database, claimed(database, reading(database)), settings=limited(**{limit: 1_000, "prices": prices})
    )
    for purpose in ("read", "probe"):
        with pytest.raises(Permanent, match=rf"model\.{limit} cannot hold .* under model\.prices"):
            meter.reserve(planned(purpose, model="another"))
    assert tokens_used(database) == 0
    meter.reserve(planned())


def test_money_is_compared_to_the_last_cent(database: Database) -> None:
    prices = {MODEL: {"input": 100, "output": 100}}
    meter = of_no_merge(database, limited(day_cost=0.3, prices=prices))
    for _ in range(3):
        meter.settle(meter.reserve(planned(tokens=1_000)), settled(tokens=1_000))
    assert "model.day_cost is 0.3" in str(refused(meter, tokens=101))


def test_r61_a_day_is_a_day_of_utc(database: Database) -> None:
    clock = Clock(datetime(2026, 5, 6, 23, 59, 59, tzinfo=UTC))
    meter = of_no_merge(database, limited(day_tokens=1_500), clock)
    call = meter.reserve(planned())
    midnight = datetime(2026, 5, 7, tzinfo=UTC)
    refusal = refused(meter)
    assert refusal.until == midnight
    assert "The budget of the day is used up (model.day_tokens is 1,500)." in str(refusal)
    clock.now = midnight
    meter.settle(call, settled(tokens=1_000))
    meter.reserve(planned())
    assert refused(meter).until == midnight + timedelta(days=1)


@pytest.mark.parametrize(
    ("last", "monday"),
    [
        (datetime(2026, 5, 10, 23, 59, 59, 999_999, tzinfo=UTC), datetime(2026, 5, 11, tzinfo=UTC)),
        (datetime(2027, 1, 3, 23, 59, tzinfo=UTC), datetime(2027, 1, 4, tzinfo=UTC)),
    ],
)
def test_r61_a_week_begins_on_monday_also_over_new_year(database: Database, last: datetime, monday: datetime) -> None:
    clock = Clock(monday - timedelta(days=7))
    meter = of_no_merge(database, limited(week_tokens=2_000), clock)
    meter.reserve(planned())
    clock.now = last
    meter.reserve(planned())
    refusal = refused(meter)
    assert refusal.until == monday
    assert "model.week_tokens is 2,000" in str(refusal)
    clock.now = monday
    meter.reserve(planned())

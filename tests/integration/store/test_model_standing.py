"""What people and digests are told of the model, on both engines: what it took, what is left, how it stands."""

from __future__ import annotations

from datetime import timedelta

from shared.domain.reading import CallUsage
from shared.settings import ModelSettings, PriceSettings
from shared.store import model_usage, readings
from shared.store.model_calls import StoredMeter
from shared.store.model_standing import Serving, standing
from shared.store.model_states import StoredModelMemory
from shared.store.model_usage import Spent
from shared.store.session import Database
from tests.builders import MERGED_AT
from tests.integration.store.model_rows import (
    MODEL,
    NOW,
    SERVER,
    Clock,
    claimed,
    end,
    ensure,
    merge,
    meter_of,
    planned,
    reading,
    settled,
)

SETTINGS = ModelSettings(
    name=MODEL,
    strong_name="strong",
    day_tokens=10_000,
    week_cost=4.0,
    prices={MODEL: PriceSettings(input=1_000, output=1_000), "strong": PriceSettings(input=2_000, output=2_000)},
)
HOUR = timedelta(hours=1)


def test_what_was_spent_is_told_by_time_and_by_model(database: Database) -> None:
    clock = Clock()
    meter = StoredMeter(database, clock, SETTINGS, SERVER)
    meter.settle(meter.reserve(planned()), settled(tokens=400, output_tokens=100))
    meter.settle(meter.reserve(planned()), settled("unsent", 0))
    meter.reserve(planned(model="strong"))
    clock.forward(hours=1)
    without_limit = StoredMeter(database, clock, SETTINGS.model_copy(update={"week_cost": None}), SERVER)
    without_limit.settle(without_limit.reserve(planned("probe", model="free")), settled(tokens=7))
    with database.reading() as session:
        assert model_usage.spent(session, NOW, NOW + HOUR) == Spent(calls=2, tokens=1_500, cost=2.5)
        assert model_usage.spent(session, NOW - HOUR, NOW) == Spent()
        assert model_usage.spent_by_model(session, NOW, NOW + 2 * HOUR) == {
            "free": Spent(calls=1, tokens=7, cost=None),
            MODEL: Spent(calls=1, tokens=500, cost=0.5),
            "strong": Spent(calls=1, tokens=1_000, cost=2.0),
        }


def test_the_calls_of_a_reading_are_listed_and_summed(database: Database) -> None:
    held = claimed(database, reading(database))
    meter = meter_of(database, held, settings=SETTINGS)
    meter.settle(meter.reserve(planned()), settled("cut", 300, cached_tokens=100, output_tokens=100, seconds=1.5))
    meter.settle(meter.reserve(planned()), settled("unsent", 0, error="connection refused"))
    meter.settle(meter.reserve(planned("repair")), settled(tokens=200, seconds=0.5, finish_reason="stop"))
    with database.reading() as session:
        calls = model_usage.calls_of(session, held.id)
        assert [(call.purpose, call.status, call.error) for call in calls] == [
            ("read", "cut", None),
            ("read", "unsent", "connection refused"),
            ("repair", "answered", None),
        ]
        assert model_usage.usage_of(session, held.id) == CallUsage(
            requests=2, input_tokens=500, cached_tokens=100, output_tokens=100, cost_usd=0.6, seconds=2.0
        )
        assert model_usage.usage_of(session, held.id + 1) == CallUsage()


def test_a_week_is_told_what_its_merges_took_whenever_they_were_read(database: Database) -> None:
    later = NOW + timedelta(days=20)
    for number in (1, 2, 3):
        held = claimed(database, reading(database, number))
        meter = meter_of(database, held, lambda: later)
        meter.settle(meter.reserve(planned()), settled(tokens=100 * number, seconds=1.0))
    start = MERGED_AT + timedelta(minutes=1)
    with database.reading() as session:
        repository = held.repository_id
        taken = model_usage.usage_between(session, repository, start, start + timedelta(minutes=2))
        elsewhere = model_usage.usage_between(session, repository + 1, start, start + HOUR)
    assert taken == CallUsage(requests=2, input_tokens=300, seconds=2.0)
    assert elsewhere == CallUsage()


def test_a_person_is_told_how_the_model_stands(database: Database) -> None:
    clock = Clock()
    memory = StoredModelMemory(database, clock, SERVER)
    held = claimed(database, reading(database, 1, now=NOW - 3 * HOUR))
    meter = meter_of(database, held, clock, SETTINGS)
    meter.settle(meter.reserve(planned()), settled(tokens=1_500))
    memory.served(MODEL)
    clock.forward(minutes=1)
    for _ in range(5):
        memory.failed(MODEL, "it answered 500")
    for number, why in ((2, "The answer was refused."), (3, "The answer was refused."), (4, "Both calls are used.")):
        end(database, reading(database, number), "rules", why=why)
    ensure(database, merge(database, 6), now=NOW - HOUR)
    with database.reading() as session:
        told = standing(session, SETTINGS, SERVER, clock.now)
    routine, strong = told.serving
    assert routine.open
    assert routine == Serving(
        model=MODEL,
        failing_since=clock.now,
        failures=5,
        wait_until=clock.now + timedelta(minutes=1),
        why="it answered 500",
        last_answer_at=NOW,
    )
    assert strong == Serving(model="strong")
    assert not strong.open
    assert {budget.setting: (budget.limit, budget.left) for budget in told.budgets} == {
        "day_tokens": (10_000, 8_500),
        "week_tokens": (10_000_000, 9_998_500),
        "week_cost": (4.0, 2.5),
    }
    assert told.readings == dict.fromkeys(readings.STATUSES, 0) | {"new": 1, "reading": 1, "rules": 3}
    assert (told.waiting, told.waiting_since) == (1, NOW - HOUR)
    assert told.ended_by_rules == {"The answer was refused.": 2, "Both calls are used.": 1}


def test_reasons_of_long_ago_are_not_told(database: Database) -> None:
    end(database, reading(database), "rules", why="Long ago.")
    with database.reading() as session:
        assert standing(session, SETTINGS, SERVER, NOW + timedelta(days=7)).ended_by_rules == {"Long ago.": 1}
        assert standing(session, SETTINGS, SERVER, NOW + timedelta(days=8)).ended_by_rules == {}

"""The ledger of calls on both engines: reserved before they are sent, two for a reading, settled once (R-61)."""

from __future__ import annotations

import json
import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest

from shared.domain.errors import Permanent
from shared.settings import PriceSettings
from shared.store import model_budgets
from shared.store.model_states import StoredModelMemory
from shared.store.reading_tasks import unsettle_lost
from shared.store.session import Database
from shared.store.tables import ModelCallRow, ReadingRow
from tests.integration.store.model_rows import (
    LEASE,
    MODEL,
    NOW,
    SERVER,
    Clock,
    call_states,
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


def test_a_call_is_in_the_ledger_before_it_is_sent(database: Database) -> None:
    held = claimed(database, reading(database))
    call = meter_of(database, held).reserve(planned(tokens=1_000))
    with database.reading() as session:
        row = session.get(ModelCallRow, call)
        assert row is not None
        assert (row.status, row.reserved_tokens, row.reserved_at, row.reading_id) == ("reserved", 1_000, NOW, held.id)
        assert (row.purpose, row.model, row.pull_request_id, row.attempt) == ("read", MODEL, held.pull_request_id, 1)


def test_the_two_calls_of_a_reading_are_two_for_many_threads(database: Database) -> None:
    held = claimed(database, reading(database))
    start = threading.Barrier(6)

    def reserve(_number: int) -> bool:
        start.wait()
        try:
            meter_of(database, held, settings=limited()).reserve(planned())
        except Permanent:
            return False
        return True

    with ThreadPoolExecutor(6) as pool:
        assert sum(pool.map(reserve, range(6))) == 2


@pytest.mark.parametrize(
    ("outcome", "counted"),
    [
        (settled("answered", 600, output_tokens=50), 650),
        (settled("answered", 0), 1_000),
        (settled("cut", 0), 1_000),
        (settled("timeout", 0), 1_000),
        (settled("unsettled", 0), 1_000),
        (settled("refused", 0), 0),
        (settled("refused", 300), 300),
        (settled("unsent", 0), 0),
    ],
)
def test_what_a_settled_call_counts(database: Database, outcome: object, counted: int) -> None:
    settings = limited(prices={MODEL: PriceSettings(input=1_000_000, output=1_000_000)})
    meter = of_no_merge(database, settings)
    call = meter.reserve(planned(tokens=1_000))
    assert tokens_used(database) == 1_000
    meter.settle(call, outcome)  # type: ignore[arg-type]
    with database.reading() as session:
        assert model_budgets.used(session) == (counted, float(counted))


def test_settling_twice_changes_nothing(database: Database) -> None:
    held = claimed(database, reading(database))
    meter = meter_of(database, held)
    call = meter.reserve(planned())
    meter.settle(call, settled(tokens=700, text="first", finish_reason="stop", seconds=1.5))
    meter.settle(call, settled("refused", 9, text="second"))
    meter.settle(call + 1, settled())
    with database.reading() as session:
        row = session.get(ModelCallRow, call)
        assert row is not None
        assert (row.status, row.input_tokens, row.finish_reason, row.seconds) == ("answered", 700, "stop", 1.5)
        kept = session.get(ReadingRow, held.id)
        assert kept is not None
        assert kept.answer == "first"


def test_r71_a_secret_that_a_model_made_up_is_not_kept(database: Database) -> None:
    held = claimed(database, reading(database))
    meter = meter_of(database, held)
    meter.settle(meter.reserve(planned()), settled(text='{"text": "Use ghp_' + "aB3dE6gH9jK2" * 3 + '."}'))
    with database.reading() as session:
        kept = session.get(ReadingRow, held.id)
        assert kept is not None
        assert json.loads(kept.answer or "")["text"].startswith("Use [redacted:")


def test_a_call_that_never_left_is_not_one_of_the_two(database: Database) -> None:
    held = claimed(database, reading(database))
    meter = meter_of(database, held)
    for _ in range(5):
        meter.settle(meter.reserve(planned()), settled("unsent", 0, error="connection refused"))
    meter.settle(meter.reserve(planned()), settled("refused", 0))
    meter.reserve(planned("repair"))
    with pytest.raises(Permanent, match=r"(?s)Both calls.*reanalyze"):
        meter.reserve(planned())
    assert call_states(database) == ["unsent"] * 5 + ["refused", "reserved"]


def test_r13_whoever_lost_the_reading_reserves_nothing_and_keeps_no_answer(database: Database) -> None:
    row = reading(database)
    old = claimed(database, row)
    call = meter_of(database, old).reserve(planned())
    new = claimed(database, row, NOW + LEASE)
    assert "Somebody else" in str(refused(meter_of(database, old)))
    meter_of(database, old).settle(call, settled(text="late"))
    with database.reading() as session:
        kept = session.get(ReadingRow, row)
        assert kept is not None
        assert kept.answer is None
    meter_of(database, new).reserve(planned())


def test_no_more_calls_are_under_way_than_the_setting_allows(database: Database) -> None:
    clock = Clock()
    settings = limited(concurrency=2, deadline=60)
    meter = of_no_merge(database, settings, clock)
    first = meter.reserve(planned())
    meter.reserve(planned())
    assert refused(meter).until == NOW + timedelta(seconds=5)
    meter.reserve(planned("probe"))
    meter.reserve(planned("batch"))
    meter.settle(first, settled())
    meter.reserve(planned())
    clock.forward(seconds=60)
    meter.reserve(planned())


def test_while_a_model_rests_a_probe_alone_is_sent(database: Database) -> None:
    clock = Clock()
    memory = StoredModelMemory(database, clock, SERVER)
    meter = of_no_merge(database, limited(), clock)
    for _ in range(5):
        memory.failed(MODEL, "it answered 500")
    assert refused(meter).until == NOW + timedelta(minutes=1)
    clock.forward(minutes=2)
    assert refused(meter, purpose="repair").until == clock.now + timedelta(seconds=5)
    meter.reserve(planned("probe"))
    memory.served(MODEL)
    meter.reserve(planned())


def test_r61_calls_under_way_cannot_make_more_failures_in_a_row_than_five(database: Database) -> None:
    clock = Clock()
    memory = StoredModelMemory(database, clock, SERVER)
    meter = of_no_merge(database, limited(), clock)
    first = [meter.reserve(planned()) for _ in range(3)]
    meter.settle(first[0], settled("refused", 0))
    memory.failed(MODEL, "it answered 500")
    for _ in range(2):
        meter.reserve(planned())
    assert refused(meter).until == NOW + timedelta(seconds=5)
    meter.settle(first[1], settled())
    memory.served(MODEL)
    for _ in range(9):
        meter.reserve(planned())


def test_a_call_of_no_merge_whose_sender_was_lost_is_unsettled_in_the_end(database: Database) -> None:
    of_no_merge(database, limited()).reserve(planned(purpose="probe"))
    for minutes, states in ((5, ["reserved"]), (10, ["unsettled"])):
        with database.transaction() as session:
            unsettle_lost(session, NOW + timedelta(minutes=minutes))
        assert call_states(database) == states

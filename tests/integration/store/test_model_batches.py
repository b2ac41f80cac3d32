"""Batches on both engines: which readings lie in one, who works on it, and what becomes of them afterwards."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from shared.store import batch_readings, model_batches, reading_tasks, readings
from shared.store.model_batches import BatchClaim
from shared.store.model_calls import StoredMeter
from shared.store.session import Database
from shared.store.tables import ReadingRow
from tests.integration.store.model_rows import (
    LEASE,
    MODEL,
    NOW,
    SERVER,
    SETTINGS,
    call_states,
    claim,
    claimed,
    ensure,
    meter_of,
    planned,
    reading,
    settled,
    status,
)

HOUR = timedelta(hours=1)


@pytest.fixture
def rows(database: Database) -> list[int]:
    return [reading(database, number, asked_by="backfill", importance=number) for number in (1, 2, 3)]


@pytest.fixture
def batch(database: Database, rows: list[int]) -> int:
    with database.transaction() as session:
        made = model_batches.make(session, SERVER, MODEL, rows, NOW)
    assert made is not None
    return made


def held_batch(database: Database, batch: int, now: datetime = NOW, max_tries: int = 3) -> BatchClaim:
    with database.transaction() as session:
        held = model_batches.claim(session, batch, now, LEASE, max_tries=max_tries)
    assert held is not None
    return held


def reserve_all(database: Database, rows: list[int]) -> list[int]:
    """Reserve a call for each reading, as whoever is about to submit the batch does."""
    calls = []
    for row in rows:
        with database.reading() as session:
            task = reading_tasks.task(session, row)
        assert task is not None
        meter = StoredMeter(database, lambda: NOW, SETTINGS, SERVER, row, task.pull_request_id)
        calls.append(meter.reserve(planned("batch")))
    return calls


def submit(database: Database, batch: int, now: datetime = NOW) -> None:
    held = held_batch(database, batch, now)
    with database.transaction() as session:
        assert model_batches.submitted(session, held, "batch_1", now + HOUR, now)


def statuses(database: Database, rows: list[int]) -> list[str]:
    return [status(database, row) for row in rows]


def test_only_what_a_backfill_brought_and_nobody_was_asked_about_goes_into_a_batch(
    database: Database, rows: list[int]
) -> None:
    reading(database, 4)
    reading(database, 5, asked_by="backfill", model="another")
    asked = claimed(database, reading(database, 6, asked_by="backfill"))
    meter_of(database, asked).reserve(planned())
    with database.transaction() as session:
        readings.postpone(session, asked, "The model does not serve.", NOW, NOW)
        assert batch_readings.waiting_for(session, MODEL, NOW, 10) == [rows[2], rows[1], rows[0]]
        assert batch_readings.waiting_for(session, MODEL, NOW, 2) == [rows[2], rows[1]]
        assert batch_readings.waiting_for(session, MODEL, NOW - HOUR, 10) == []


def test_a_reading_lies_in_one_batch_and_nobody_else_takes_it(database: Database, rows: list[int], batch: int) -> None:
    other = reading(database, 4, asked_by="backfill")
    held = claimed(database, other)
    with database.transaction() as session:
        assert model_batches.make(session, SERVER, MODEL, [*rows, other], NOW) is None
        assert [task.id for task in reading_tasks.tasks_of_batch(session, batch)] == rows
        assert readings.due(session, NOW + LEASE, 9) == [other]
        assert model_batches.due(session, NOW, 9) == [batch]
        assert readings.finish(session, held, "rules", NOW, why="No usable answer came.")
    assert claim(database, rows[0]) is None
    assert held_batch(database, batch).size == 3


def test_answers_of_a_batch_are_kept_and_its_readings_go_on(database: Database, rows: list[int], batch: int) -> None:
    held = held_batch(database, batch)
    with database.transaction() as session:
        for task in reading_tasks.tasks_of_batch(session, batch):
            assert reading_tasks.note_input(session, task, f"question-{task.number}")
    calls = reserve_all(database, rows)
    with database.transaction() as session:
        assert model_batches.submitted(session, held, "batch_1", NOW + HOUR, NOW)
        assert model_batches.claim(session, batch, NOW, LEASE) is None
    later = NOW + HOUR
    held = held_batch(database, batch, later)
    assert (held.external_id, held.submitted_at) == ("batch_1", NOW)
    with database.reading() as session:
        opened = batch_readings.open_calls(session, batch)
        assert [(call.reading_id, call.id) for call in opened] == list(zip(rows, calls, strict=True))
    meter = StoredMeter(database, lambda: later, SETTINGS, SERVER)
    meter.settle(calls[0], settled(text='{"a": 1}'))
    meter.settle(calls[1], settled("refused", 0, error="over the limit"))
    with database.transaction() as session:
        assert model_batches.finish(session, held, later)
        assert not model_batches.finish(session, held, later)
        assert model_batches.counts(session)["done"] == 1
    assert call_states(database) == ["answered", "refused", "unsettled"]
    assert statuses(database, rows) == ["retry"] * 3
    first, second = claimed(database, rows[0], later), claimed(database, rows[1], later)
    assert (first.answer, first.input_hash, first.calls, first.batch_id) == ('{"a": 1}', "question-1", 1, None)
    assert (second.answer, second.calls) == (None, 1)


@pytest.mark.parametrize(("sent", "calls"), [(False, 0), (True, 1)])
def test_a_batch_that_is_given_up_lets_its_readings_go(
    database: Database, rows: list[int], batch: int, sent: bool, calls: int
) -> None:
    reserve_all(database, rows)
    # Reserved for whoever holds the batch: a claim of one that has no id yet would take them for lost.
    with database.transaction() as session:
        held = model_batches.claim(session, batch, NOW, LEASE)
        assert held is not None
    reserved = reserve_all(database, rows)
    assert len(reserved) == 3
    with database.transaction() as session:
        assert model_batches.give_up(session, held, "The server refused the file.", NOW, sent=sent)
        assert model_batches.counts(session)["failed"] == 1
    assert call_states(database) == ["unsettled"] * 3 + ["unsettled" if sent else "unsent"] * 3
    assert [claimed(database, row).calls for row in rows] == [1 + calls] * 3


def test_new_facts_take_a_reading_out_of_its_batch_and_its_call_is_settled_all_the_same(
    database: Database, rows: list[int], batch: int
) -> None:
    held = held_batch(database, batch)
    calls = reserve_all(database, rows)
    with database.reading() as session:
        task = reading_tasks.task(session, rows[0])
    assert task is not None
    newer = ensure(database, task.pull_request_id, "newer", asked_by="backfill").id
    with database.reading() as session:
        assert batch_readings.open_calls(session, batch)[0].id == calls[0]
        assert [inside.id for inside in reading_tasks.tasks_of_batch(session, batch)] == rows[1:]
    StoredMeter(database, lambda: NOW, SETTINGS, SERVER).settle(calls[0], settled(text="{}"))
    with database.transaction() as session:
        assert model_batches.finish(session, held, NOW)
        old = session.get(ReadingRow, rows[0])
        assert old is not None
        assert (old.status, old.answer) == ("superseded", None)
    assert statuses(database, [*rows, newer or 0]) == ["superseded", "retry", "retry", "new"]


def test_a_batch_that_is_not_ready_waits_without_a_try(database: Database, batch: int) -> None:
    submit(database, batch)
    for hour in range(1, 9):
        held = held_batch(database, batch, NOW + hour * HOUR)
        with database.transaction() as session:
            until = NOW + (hour + 1) * HOUR
            assert model_batches.renew(session, held, NOW, LEASE)
            assert model_batches.postpone(session, held, "The batch is in progress.", until, NOW)
            assert model_batches.counts(session)["submitted"] == 1


def test_a_batch_that_fails_for_good_lets_its_readings_go(database: Database, rows: list[int], batch: int) -> None:
    with database.transaction() as session:
        held = model_batches.claim(session, batch, NOW, LEASE)
        assert held is not None
        assert model_batches.fail(session, held, "no", NOW, (LEASE,), 1.0) == "retry"
        held = model_batches.claim(session, batch, NOW + LEASE, LEASE)
        assert held is not None
        assert model_batches.fail(session, held, "no", NOW + LEASE, (LEASE,), 1.0) == "dead"
    assert statuses(database, rows) == ["retry"] * 3


def test_a_batch_whose_worker_is_lost_each_time_lets_its_readings_go(
    database: Database, rows: list[int], batch: int
) -> None:
    for number in range(3):
        held_batch(database, batch, NOW + number * LEASE)
    with database.transaction() as session:
        assert model_batches.lost(session, NOW + 3 * LEASE, 9) == [batch]
        assert model_batches.claim(session, batch, NOW + 3 * LEASE, LEASE, max_tries=3) is None
        assert model_batches.counts(session)["dead"] == 1
    assert statuses(database, rows) == ["retry"] * 3


def test_r13_whoever_lost_the_batch_changes_nothing(database: Database, rows: list[int], batch: int) -> None:
    old = held_batch(database, batch)
    new = held_batch(database, batch, NOW + LEASE)
    with database.transaction() as session:
        assert not model_batches.submitted(session, old, "batch_0", NOW, NOW)
        assert not model_batches.give_up(session, old, "no", NOW, sent=False)
        assert not model_batches.finish(session, old, NOW)
        assert not model_batches.postpone(session, old, "", NOW, NOW)
        assert model_batches.forgive(session, new, NOW)
    assert statuses(database, rows) == ["batched"] * 3

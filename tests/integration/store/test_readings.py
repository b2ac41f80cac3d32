"""Readings on both engines: who is asked for, who is superseded, who holds one, and in which order they come."""

from __future__ import annotations

import signal
import subprocess
import sys
from datetime import timedelta

import pytest

from shared.domain.errors import Permanent
from shared.store import analyses, reading_tasks, readings
from shared.store.readings import Ensured
from shared.store.session import Database
from tests.builders import make_analysis
from tests.integration.store.model_rows import (
    LEASE,
    MODEL,
    NOW,
    PROMPT,
    call_states,
    claim,
    claimed,
    end,
    ensure,
    merge,
    meter_of,
    planned,
    reading,
    settled,
    status,
)

LATER = NOW + timedelta(minutes=5)

KILLED = """
import os, signal, sys
from datetime import UTC, datetime, timedelta
from shared.domain.protocols import PlannedCall
from shared.settings import ModelSettings
from shared.store import readings
from shared.store.model_calls import StoredMeter
from shared.store.session import Database
database, row = Database(sys.argv[1]), int(sys.argv[2])
now = datetime(2026, 5, 6, 12, 0, tzinfo=UTC)
with database.transaction() as session:
    held = readings.claim(session, row, now, timedelta(seconds=60))
settings = ModelSettings(name="reader-small")
meter = StoredMeter(database, lambda: now, settings, "", row, held.pull_request_id, attempt=held.attempt)
meter.reserve(PlannedCall(model="reader-small", purpose="read", input_tokens=900, output_tokens=100))
os.kill(os.getpid(), signal.SIGKILL)
"""


def test_an_analysis_by_rules_is_asked_to_be_read_once(database: Database) -> None:
    row = merge(database)
    first = ensure(database, row)
    assert first.made
    assert ensure(database, row) == Ensured(id=first.id)
    assert ensure(database, row, model="other", prompt="p2") == Ensured(id=first.id)
    claimed(database, first.id or 0)
    assert ensure(database, row) == Ensured(id=first.id)


def test_new_facts_supersede_what_waits_and_old_ones_bring_it_back(database: Database) -> None:
    row = merge(database)
    old = ensure(database, row).id or 0
    new = ensure(database, row, "newer").id or 0
    assert (status(database, old), status(database, new)) == ("superseded", "new")
    assert ensure(database, row) == Ensured(id=old, made=True)
    assert (status(database, old), status(database, new)) == ("new", "superseded")
    other = merge(database, 102)
    ensure(database, other, "newest")
    assert status(database, old) == "new"


def test_a_reading_that_is_held_is_left_to_its_holder(database: Database) -> None:
    row = merge(database)
    old = ensure(database, row).id or 0
    held = claimed(database, old)
    ensure(database, row, "newer")
    assert status(database, old) == "reading"
    with database.transaction() as session:
        assert reading_tasks.in_force(session, held)
        analyses.save(session, row, make_analysis(101, fingerprint="newer"), LATER)
        assert not reading_tasks.in_force(session, held)
        assert readings.supersede(session, held, LATER)
    assert status(database, old) == "superseded"


def test_what_was_read_is_put_in_force_again_and_not_read_again(database: Database) -> None:
    row = merge(database)
    end(database, ensure(database, row).id or 0, "done", fingerprint="read")
    for model, prompt in ((MODEL, PROMPT), ("other", PROMPT), (MODEL, "p2")):
        assert ensure(database, row, model=model, prompt=prompt) == Ensured(fingerprint="read")
    with database.transaction() as session:
        analyses.save(session, row, make_analysis(101, fingerprint="read", source="model"), NOW)
        analyses.save(session, row, make_analysis(101, fingerprint="newer"), LATER)
        analyses.save(session, row, make_analysis(101, fingerprint="base"), LATER)
        assert analyses.touch(session, row, "read", LATER)
        assert not analyses.touch(session, row, "never-stored", LATER)
        analyses.save(session, row, make_analysis(101, fingerprint="newer"), LATER)
        analyses.save(session, row, make_analysis(101, fingerprint="base"), LATER + LEASE)
        analyses.touch(session, row, "read", LATER + LEASE)
        found = analyses.latest(session, row)
    assert found is not None
    assert found.fingerprint == "read"


@pytest.mark.parametrize("ended", ["rules", "dead"])
def test_what_came_to_nothing_is_asked_anew_by_a_person_alone(database: Database, ended: str) -> None:
    row = merge(database)
    made = ensure(database, row).id or 0
    if ended == "rules":
        end(database, made, "rules", why="No usable answer came.")
    else:
        held = claimed(database, made)
        with database.transaction() as session:
            assert readings.fail(session, held, "no", NOW, (), 1.0) == "dead"
    for model, prompt in ((MODEL, PROMPT), ("other", PROMPT), (MODEL, "p2")):
        assert ensure(database, row, model=model, prompt=prompt) == Ensured()
    assert status(database, made) == ended
    assert ensure(database, row, asked_by="reanalyze") == Ensured(id=made, made=True)
    assert claimed(database, made).asked_by == "reanalyze"


def test_a_person_may_ask_another_model_and_none_twice(database: Database) -> None:
    row = merge(database)
    first = ensure(database, row).id or 0
    end(database, first, "done", fingerprint="read")
    assert ensure(database, row, asked_by="reanalyze") == Ensured(fingerprint="read")
    second = ensure(database, row, model="strong", asked_by="reanalyze", now=LATER)
    assert second.made
    assert ensure(database, row, model="strong", asked_by="reanalyze") == Ensured(id=second.id)
    end(database, second.id or 0, "done", LATER, fingerprint="read-by-strong")
    assert ensure(database, row) == Ensured(fingerprint="read-by-strong")


def test_who_asks_anew_has_two_calls_more(database: Database) -> None:
    row = merge(database)
    made = ensure(database, row).id or 0
    for _ in range(2):
        held = claimed(database, made)
        meter = meter_of(database, held)
        for _ in range(2):
            meter.settle(meter.reserve(planned()), settled(text="{"))
        with pytest.raises(Permanent, match="Both calls"):
            meter.reserve(planned())
        with database.transaction() as session:
            assert readings.finish(session, held, "rules", NOW, why="No usable answer came.")
        ensure(database, row, asked_by="reanalyze")
    last = claimed(database, made)
    assert (last.calls, last.answer, last.input_hash) == (0, None, None)


def test_a_claim_brings_all_that_the_work_needs(database: Database) -> None:
    row = reading(database, 107, importance=33, asked_by="backfill")
    held = claimed(database, row)
    assert (held.number, held.importance, held.asked_by, held.model, held.prompt_version) == (
        107,
        33,
        "backfill",
        MODEL,
        PROMPT,
    )
    assert held.base == make_analysis(107, fingerprint="base")
    assert (held.attempt, held.calls, held.answer, held.batch_id) == (1, 0, None, None)
    assert claim(database, row) is None
    assert claim(database, row + 1) is None


def test_r13_whoever_lost_the_reading_changes_nothing(database: Database) -> None:
    row = reading(database)
    old = claimed(database, row)
    new = claimed(database, row, NOW + LEASE)
    with database.transaction() as session:
        assert not readings.renew(session, old, NOW, LEASE)
        assert not readings.finish(session, old, "done", NOW, fingerprint="read")
        assert not readings.supersede(session, old, NOW)
        assert not readings.postpone(session, old, "", NOW, NOW)
        assert not reading_tasks.note_input(session, old, "hash")
        assert readings.fail(session, old, "", NOW, (LEASE,), 1.0) == "fenced"
        assert readings.renew(session, new, NOW + LEASE, LEASE)
        assert readings.finish(session, new, "done", NOW + LEASE, fingerprint="read")


def test_a_lost_worker_uses_a_try_and_an_outage_does_not(database: Database) -> None:
    row = reading(database)
    for number in range(6):
        held = claimed(database, row, NOW + number * LEASE)
        with database.transaction() as session:
            until = NOW + (number + 1) * LEASE
            assert readings.postpone(session, held, "The model does not serve.", until, NOW)
    at = NOW + 6 * LEASE
    for number in range(3):
        claimed(database, row, at + number * LEASE)
    with database.reading() as session:
        assert readings.lost(session, at + 3 * LEASE, 5) == [row]
    assert claim(database, row, at + 3 * LEASE) is None
    assert status(database, row) == "dead"


def test_r61_a_worker_lost_between_reserving_and_settling_leaves_one_call(database: Database) -> None:
    row = reading(database)
    lost = claimed(database, row)
    sent = meter_of(database, lost).reserve(planned())
    held = claimed(database, row, NOW + LEASE)
    assert (held.calls, call_states(database)) == (1, ["unsettled"])
    meter = meter_of(database, held)
    meter.settle(meter.reserve(planned()), settled(text="{}"))
    with pytest.raises(Permanent):
        meter.reserve(planned("repair"))
    meter_of(database, lost).settle(sent, settled(text="from the grave"))
    assert call_states(database) == ["answered", "answered"]
    assert claimed(database, row, NOW + 2 * LEASE).answer == "{}"


def test_r61_a_killed_process_leaves_its_call_in_the_ledger(database: Database, database_url: str) -> None:
    row = reading(database)
    killed = subprocess.run([sys.executable, "-c", KILLED, database_url, str(row)], check=False, timeout=100)
    assert killed.returncode == -signal.SIGKILL
    assert call_states(database) == ["reserved"]
    held = claimed(database, row, NOW + LEASE)
    assert (held.attempt, held.calls, call_states(database)) == (2, 1, ["unsettled"])


def test_an_answer_outlives_its_worker_and_is_used_for_the_same_question_alone(database: Database) -> None:
    row = reading(database)
    held = claimed(database, row)
    with database.transaction() as session:
        assert reading_tasks.note_input(session, held, "question")
    meter = meter_of(database, held)
    meter.settle(meter.reserve(planned()), settled(text='{"why": "\x00"}'))
    held = claimed(database, row, NOW + LEASE)
    assert (held.input_hash, held.answer, held.calls) == ("question", '{"why": "\ufffd"}', 1)
    with database.transaction() as session:
        assert reading_tasks.note_input(session, held, "question")
        same = reading_tasks.task(session, row)
        assert reading_tasks.note_input(session, held, "another")
        other = reading_tasks.task(session, row)
    assert same is not None
    assert other is not None
    assert (same.answer, other.answer) == (held.answer, None)


def test_an_answer_to_the_same_question_is_found_below_other_facts(database: Database) -> None:
    row = merge(database)
    first = ensure(database, row).id or 0
    held = claimed(database, first)
    with database.transaction() as session:
        reading_tasks.note_input(session, held, "question")
    meter = meter_of(database, held)
    meter.settle(meter.reserve(planned()), settled(text="{}"))
    with database.transaction() as session:
        readings.finish(session, held, "done", NOW, fingerprint="read")
        analyses.save(session, row, make_analysis(101, fingerprint="newer"), LATER)
    second = claimed(database, ensure(database, row, "newer").id or 0)
    with database.reading() as session:
        assert reading_tasks.answer_to(session, second, "question") == "{}"
        assert reading_tasks.answer_to(session, second, "another") is None


def test_the_weightiest_comes_first_then_the_oldest(database: Database) -> None:
    weights = {1: 5, 2: 40, 3: 5, 4: 20}
    rows = {
        number: reading(database, number, importance=weight, now=NOW - timedelta(minutes=number))
        for number, weight in weights.items()
    }
    brought = reading(database, 5, importance=90, asked_by="backfill")
    with database.reading() as session:
        assert readings.due(session, NOW, 10) == [brought, rows[2], rows[4], rows[3], rows[1]]
        assert readings.due(session, NOW, 2, for_batches=(MODEL,)) == [rows[2], rows[4]]
        assert readings.due(session, NOW - timedelta(hours=1), 10) == []
    claimed(database, rows[2])
    with database.reading() as session:
        assert readings.due(session, NOW, 2) == [brought, rows[4]]
        assert readings.due(session, NOW + LEASE, 2) == [brought, rows[2]]
        assert readings.counts(session) == dict.fromkeys(readings.STATUSES, 0) | {"new": 4, "reading": 1}

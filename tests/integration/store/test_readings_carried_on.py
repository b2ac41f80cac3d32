"""Readings that waited and go on as others, on both engines: by the prompt of today, with the calls that are left."""

from __future__ import annotations

from datetime import timedelta

from shared.store import readings
from shared.store.reading_tasks import ReadingClaim
from shared.store.readings import AskedBy
from shared.store.session import Database
from tests.integration.store.model_rows import (
    MODEL,
    NOW,
    PROMPT,
    claimed,
    end,
    ensure,
    merge,
    meter_of,
    planned,
    settled,
)

LATER = NOW + timedelta(minutes=5)


def goes_on(database: Database, held: ReadingClaim, prompt: str) -> int:
    """Supersede the reading with one by another prompt, and return that."""
    with database.transaction() as session:
        assert readings.supersede(session, held, LATER)
        by: AskedBy = "reanalyze" if held.asked_by == "reanalyze" else "capture"
        row = held.pull_request_id
        asked = readings.ensure(session, row, "base", MODEL, prompt, 10, by, LATER, carried_on=True)
    assert asked.made
    return asked.id or 0


def test_a_reading_that_goes_on_as_another_gets_no_calls_back(database: Database) -> None:
    row = merge(database)
    first = ensure(database, row, asked_by="reanalyze").id or 0
    held = claimed(database, first)
    meter = meter_of(database, held)
    for _ in range(2):
        meter.settle(meter.reserve(planned()), settled(text="{"))
    second = goes_on(database, held, "p2")
    assert second != first
    assert goes_on(database, claimed(database, second, LATER), PROMPT) == first
    assert claimed(database, first, LATER).calls == 2


def test_a_reading_that_goes_on_as_another_is_not_kept_from_it_by_what_a_person_asked(database: Database) -> None:
    row = merge(database)
    waiting = claimed(database, ensure(database, row).id or 0)
    end(database, ensure(database, row, model="named", asked_by="reanalyze").id or 0, "rules", why="unreadable")
    assert goes_on(database, waiting, "p2")

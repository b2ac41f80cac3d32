"""Digests of stored weeks that a model was to read: what it read, what it did not, and how long a digest waits."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest

from services.digest.build import build, compose
from services.digest.due import due_periods
from shared.domain.analysis import Analysis, Importance
from shared.domain.digest import Digest
from shared.domain.period import parse_week
from shared.domain.reading import CallUsage, Claim, Quote, Reading
from shared.rendering import html, markdown
from shared.settings import Settings
from shared.store import analyses, repositories
from shared.store.model_states import StoredModelMemory
from shared.store.session import Database
from tests.builders import REPOSITORY, make_analysis
from tests.integration.store.model_rows import (
    MODEL,
    NOW,
    SERVER,
    SETTINGS,
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

W19 = parse_week("2026-W19")
AFTER = W19.end + timedelta(hours=1)
WITH_MODEL = Settings(model=SETTINGS)


def repository(database: Database) -> int:
    with database.reading() as session:
        row = repositories.find(session, REPOSITORY.full_name)
    assert row is not None
    return row


def digest(database: Database) -> Digest:
    return compose(database, WITH_MODEL, repository(database), W19, AFTER)


def due(database: Database, now: datetime = AFTER, settings: Settings = WITH_MODEL) -> list[str]:
    return [one.period.week for one in due_periods(database, settings, now)]


def read_analysis(number: int, cost: float | None = 0.01) -> Analysis:
    claim = Claim(text="Readers are woken in order.", quotes=(Quote(text="wake in order", field="diff", path="a.py"),))
    usage = CallUsage(requests=1, input_tokens=400, output_tokens=100, cost_usd=cost)
    told = Reading(model=MODEL, prompt_version="p1", language="English", effect=claim, usage=usage)
    values: dict[str, Any] = {"fingerprint": f"read-{number}", "reading": told, "model": MODEL, "source": "model"}
    return make_analysis(number, importance=Importance(score=20), **values)


def store_reading(database: Database, number: int, cost: float | None = 0.01) -> None:
    """A merge of the week that the model has read, with one call in the ledger."""
    row = merge(database, number)
    asked = ensure(database, row).id
    assert asked is not None
    held = claimed(database, asked)
    meter = meter_of(database, held)
    meter.settle(meter.reserve(planned()), settled(tokens=400, output_tokens=100))
    with database.transaction() as session:
        analyses.save(session, row, read_analysis(number, cost), NOW)
    end_held(database, asked, number)


def end_held(database: Database, asked: int, number: int) -> None:
    end(database, asked, "done", NOW + timedelta(minutes=5), fingerprint=f"read-{number}")


@pytest.mark.parametrize("number_of_merges", [1, 40])
def test_r60_with_the_model_down_all_week_the_digest_comes_out_marked_with_every_merge(
    database: Database, number_of_merges: int
) -> None:
    numbers = range(101, 101 + number_of_merges)
    for number in numbers:
        reading(database, number)
    memory = StoredModelMemory(database, Clock(NOW), SERVER)
    for _ in range(5):
        memory.failed(MODEL, "connection refused")

    assert due(database) == ["2026-W19"]
    made = build(database, WITH_MODEL, repository(database), W19, AFTER)

    account = made.provenance.readings
    assert account is not None
    assert account.unread == {"away": tuple(numbers)}
    assert account.away_since == NOW
    assert (made.provenance.mode, made.provenance.degraded) == ("rules", ("model-away", "model-unread"))
    assert [listed.number for listed in made.pull_requests] == list(numbers)
    assert made.ledger.failed == ()
    assert made.usage.requests == 0
    for language in made.sections:
        written, page = markdown.render(made, language), html.render(made, language)
        assert all(f"#{number}" in written for number in numbers)
        assert all(f">#{number}<" in page for number in numbers)


def test_a_week_that_was_read_is_told_with_what_it_took(database: Database) -> None:
    store_reading(database, 101)
    reading(database, 102)
    made = digest(database)
    account = made.provenance.readings
    assert account is not None
    assert (account.read, account.unread) == ((101,), {"waiting": (102,)})
    assert made.provenance.model == MODEL
    assert made.usage.requests == 1
    assert made.usage.output_tokens == 100
    assert "Readers are woken in order†" in markdown.render(made, "en")


def test_the_cost_is_not_known_when_a_model_has_no_price(database: Database) -> None:
    store_reading(database, 101, cost=None)
    assert digest(database).usage.cost_usd is None


def test_a_digest_waits_for_readings_that_are_under_way_no_longer_than_the_grace(database: Database) -> None:
    reading(database, 101, now=AFTER)
    assert due(database) == []
    assert due(database, W19.end + WITH_MODEL.digest.grace) == ["2026-W19"]


def test_a_digest_waits_for_no_reading_where_no_model_is_set_any_more(database: Database) -> None:
    reading(database, 101, now=AFTER)
    assert due(database, settings=Settings()) == ["2026-W19"]


def test_a_digest_waits_for_no_reading_that_is_ended(database: Database) -> None:
    end(database, reading(database, 101), "rules", why="unreadable")
    assert due(database) == ["2026-W19"]
    assert digest(database).provenance.readings is not None

"""Merges that a model is to read, a clock that tests move, and the short steps that tests of the ledger are made of."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import select
from sqlmodel import col

from shared.domain.errors import Postponed
from shared.domain.protocols import PlannedCall, SettledCall
from shared.settings import ModelSettings
from shared.store import analyses, model_budgets, pull_requests, readings, repositories
from shared.store.model_calls import StoredMeter
from shared.store.reading_tasks import ReadingClaim
from shared.store.readings import AskedBy, Ensured
from shared.store.session import Database
from shared.store.tables import ModelCallRow, ReadingRow
from tests.builders import MERGED_AT, REPOSITORY, make_analysis, make_pull_request

NOW = datetime(2026, 5, 6, 12, 0, tzinfo=UTC)
LEASE = timedelta(seconds=60)
SERVER, MODEL, PROMPT = "https://model.example/v1", "reader-small", "p1"
SETTINGS = ModelSettings(name=MODEL, base_url=SERVER)


class Clock:
    def __init__(self, now: datetime = NOW) -> None:
        self.now = now

    def __call__(self) -> datetime:
        return self.now

    def forward(self, **by: float) -> None:
        self.now += timedelta(**by)


def merge(database: Database, number: int = 101, fingerprint: str = "base", now: datetime = NOW) -> int:
    """Store a merge with one analysis by rules and return its row."""
    with database.transaction() as session:
        repository = repositories.ensure(session, REPOSITORY, now)
        facts = make_pull_request(number, merged_at=MERGED_AT + timedelta(minutes=number))
        row = pull_requests.save_facts(session, repository, facts, captured=True, now=now)
        analyses.save(session, row, make_analysis(number, fingerprint=fingerprint), now)
    return row


def ensure(
    database: Database,
    pull_request: int,
    base: str = "base",
    model: str = MODEL,
    *,
    prompt: str = PROMPT,
    importance: int = 10,
    asked_by: AskedBy = "capture",
    now: datetime = NOW,
) -> Ensured:
    with database.transaction() as session:
        return readings.ensure(session, pull_request, base, model, prompt, importance, asked_by, now)


def reading(database: Database, number: int = 101, **asked: Any) -> int:
    """Store a merge and ask for its reading."""
    made = ensure(database, merge(database, number), **asked)
    assert made.id is not None
    return made.id


def claim(database: Database, row: int, now: datetime = NOW) -> ReadingClaim | None:
    with database.transaction() as session:
        return readings.claim(session, row, now, LEASE, max_tries=3)


def claimed(database: Database, row: int, now: datetime = NOW) -> ReadingClaim:
    held = claim(database, row, now)
    assert held is not None
    return held


def end(database: Database, row: int, status: Any, now: datetime = NOW, **told: str) -> None:
    held = claimed(database, row, now)
    with database.transaction() as session:
        assert readings.finish(session, held, status, now, **told)


def status(database: Database, row: int) -> str:
    with database.reading() as session:
        return session.scalars(select(col(ReadingRow.status)).where(col(ReadingRow.id) == row)).one()


def planned(purpose: Any = "read", tokens: int = 1_000, model: str = MODEL) -> PlannedCall:
    return PlannedCall(model=model, purpose=purpose, input_tokens=tokens - 100, output_tokens=100)


def settled(status: Any = "answered", tokens: int = 500, **told: Any) -> SettledCall:
    return SettledCall(status=status, input_tokens=tokens, **told)


def meter_of(
    database: Database, held: ReadingClaim, clock: Any = lambda: NOW, settings: ModelSettings = SETTINGS
) -> StoredMeter:
    return StoredMeter(database, clock, settings, SERVER, held.id, held.pull_request_id, attempt=held.attempt)


def call_states(database: Database) -> list[str]:
    """The status of every call, oldest first."""
    with database.reading() as session:
        return list(session.scalars(select(col(ModelCallRow.status)).order_by(col(ModelCallRow.id))))


def limited(**limits: object) -> ModelSettings:
    return ModelSettings.model_validate({"name": MODEL, "concurrency": 64} | limits)


def of_no_merge(
    database: Database, settings: ModelSettings, clock: Callable[[], datetime] = lambda: NOW
) -> StoredMeter:
    return StoredMeter(database, clock, settings, SERVER)


def refused(meter: StoredMeter, tokens: int = 1_000, purpose: str = "read") -> Postponed:
    with pytest.raises(Postponed) as refusal:
        meter.reserve(planned(purpose, tokens))
    return refusal.value


def tokens_used(database: Database) -> int:
    with database.reading() as session:
        return model_budgets.used(session)[0]

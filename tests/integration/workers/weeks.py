"""Merges, weeks and digests in the store, for tests of what is due and what is sealed."""

from __future__ import annotations

from datetime import datetime

from services.digest.due import due_periods
from services.digest.tasks import DigestRuntime
from shared.domain.period import parse_week
from shared.settings import Settings
from shared.store import digests, repositories
from shared.store.session import Database
from tests.integration.workers.inbox import NOW, Bell, Clock, make_runtime, work
from tests.merge_payloads import FULL_NAME, merge_payload

W19, W20 = parse_week("2026-W19"), parse_week("2026-W20")
SETTINGS = Settings()


def merge(database: Database, number: int, merged_at: str, **pull) -> None:
    """A merge that is delivered and analysed."""
    assert work(make_runtime(database), merge_payload(number, merged_at=merged_at, **pull)) == "done"


def repository(database: Database) -> int:
    """The row of the repository."""
    with database.reading() as session:
        return repositories.find(session, FULL_NAME)


def runtime(database: Database, settings: Settings = SETTINGS, now: datetime = NOW) -> DigestRuntime:
    """The runtime of the digest tasks."""
    return DigestRuntime(settings, database, Bell(), Clock(now))


def document(database: Database, week: str) -> str | None:
    """The stored digest.json of a week, byte for byte."""
    with database.reading() as session:
        stored = digests.get(session, repository(database), week)
        return stored and stored.document


def due_weeks(database: Database, now: datetime = NOW, settings: Settings = SETTINGS) -> list[str]:
    """The weeks that are due."""
    return [due.period.week for due in due_periods(database, settings, now)]

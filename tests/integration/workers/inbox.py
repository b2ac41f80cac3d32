"""Puts deliveries into the inbox and works on them, for tests of the workers."""

from __future__ import annotations

import json
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Any

from services.analyzer.details import DetailSource, DetailSources
from services.analyzer.pipeline import AnalyzerRuntime, analyze_delivery
from shared.broker.task_names import TaskName
from shared.domain.analysis import Analysis
from shared.domain.protocols import SourceTexts
from shared.domain.pull_request import PullRequest
from shared.settings import Settings
from shared.store import analyses, deliveries, pull_requests, repositories
from shared.store.deliveries import DeliveryView, IncomingDelivery, Recorded
from shared.store.session import Database
from shared.store.tables import AnalysisRow
from tests.merge_payloads import FULL_NAME

NOW = datetime(2026, 5, 12, 6, 0, tzinfo=UTC)
"""Tuesday of 2026-W20: W19 is the last finished week."""

_guids = count(1)


class Clock:
    """A clock that stands still until it is moved."""

    def __init__(self, now: datetime = NOW) -> None:
        self.now = now

    def __call__(self) -> datetime:
        return self.now

    def move(self, by: timedelta) -> None:
        self.now += by


class Bell:
    """Remembers what was rung for."""

    def __init__(self) -> None:
        self.rung: list[tuple[TaskName, int | str]] = []

    def __call__(self, task: TaskName, argument: int | str) -> None:
        self.rung.append((task, argument))


class Source:
    """A detail source in memory; ``error`` is raised instead of an answer while it is set."""

    def __init__(self, known: Iterable[PullRequest] = ()) -> None:
        self.known = {pull_request.number: pull_request for pull_request in known}
        self.error: Exception | None = None
        self.asked: list[int] = []

    def details(self, facts: PullRequest) -> PullRequest | None:
        self.asked.append(facts.number)
        if self.error is not None:
            raise self.error
        return self.known.get(facts.number)

    def conventions(self) -> dict[str, str]:
        return {}

    def sources(self, pull_request: PullRequest) -> SourceTexts:
        return {}


def make_runtime(
    database: Database, source: DetailSource | None = None, clock: Clock | None = None, settings: Settings | None = None
) -> AnalyzerRuntime:
    """The runtime of the analyzer with these parts, and no jitter."""
    chosen = settings or Settings()
    return AnalyzerRuntime(
        settings=chosen,
        database=database,
        ring=Bell(),
        sources=DetailSources(chosen, lambda _repository: source),
        clock=clock or Clock(),
        jitter=lambda: 1.0,
    )


def put(
    database: Database, payload: bytes, *, guid: str | None = None, source: str = "hook:1", now: datetime = NOW
) -> Recorded:
    """Record one delivery as the receiver does."""
    document: dict[str, Any] = json.loads(payload)
    incoming = IncomingDelivery(
        source=source,
        guid=guid or f"guid-{next(_guids)}",
        event="pull_request",
        action=document["action"],
        payload=payload,
        repository=document["repository"]["full_name"],
        number=document["number"],
    )
    with database.transaction() as session:
        return deliveries.record(session, incoming, now)


def work(runtime: AnalyzerRuntime, payload: bytes, **how: Any) -> str:
    """Record a delivery, work on it, and say what became of it."""
    return analyze_delivery(runtime, put(runtime.database, payload, **how).id)


def stored(database: Database, number: int = 101) -> tuple[PullRequest, bool, Analysis | None] | None:
    """What the store has of one pull request: facts with details, whether captured, the analysis in force."""
    with database.reading() as session:
        repository_id = repositories.find(session, FULL_NAME)
        found = None if repository_id is None else pull_requests.get(session, repository_id, number)
        return found and (found.pull_request, found.captured, analyses.latest(session, found.id))


def row(database: Database, delivery_id: int) -> DeliveryView:
    """The delivery as it is listed."""
    with database.reading() as session:
        return next(view for view in deliveries.listing(session, limit=500) if view.id == delivery_id)


def analyses_stored(database: Database) -> int:
    """How many analyses there are in all."""
    with database.reading() as session:
        return session.query(AnalysisRow).count()

"""The tasks of the analyzer: which function runs under which name, and the sweeps."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from datetime import timedelta

import structlog

from services.analyzer.details import DetailSources
from services.analyzer.pipeline import AnalyzerRuntime, analyze_delivery
from services.analyzer.readings.batching_gather import sweep_batches
from services.analyzer.readings.sweeps import sweep_readings
from shared.broker.task_names import TaskName
from shared.code_host import CodeHost, open_code_host
from shared.settings import Settings
from shared.store import cached_answers, deliveries
from shared.store.cached_answers import StoredAnswers
from shared.store.request_budgets import StoredLimiter
from shared.store.session import Database, DatabaseUnavailable

PAYLOADS_LAST = timedelta(days=30)
"""How long the payload of a processed delivery is kept."""
ANSWERS_LAST = timedelta(days=30)
"""How long an answer of the host is kept to be confirmed; one that still holds is then read once more."""

_log = structlog.get_logger(__name__)


def make_runtime(
    settings: Settings, database: Database, ring: Callable[[TaskName, int | str], None]
) -> AnalyzerRuntime:
    """Return what the tasks work with; no connection is made and no source is opened yet.

    InvalidInput when the App's private key cannot be read.
    """
    sources = DetailSources(settings, clock=database.now, host=_code_host(settings, database), database=database)
    return AnalyzerRuntime(settings, database, ring, sources, database.now)


def handlers(runtime: AnalyzerRuntime) -> dict[TaskName, Callable[..., None]]:
    """Return the tasks of this service by name."""
    rounds = Rounds(runtime)

    def analyze(delivery_id: int) -> None:
        analyze_delivery(runtime, delivery_id)
        rounds.go()

    def sweep() -> None:
        sweep_deliveries(runtime)

    def sweep_after_model() -> None:
        sweep_readings(runtime)
        sweep_batches(runtime)

    def prune() -> None:
        prune_payloads(runtime)
        prune_answers(runtime)

    return {
        TaskName.ANALYZE_DELIVERY: analyze,
        TaskName.SWEEP_DELIVERIES: sweep,
        TaskName.SWEEP_READINGS: sweep_after_model,
        TaskName.PRUNE_PAYLOADS: prune,
    }


def _code_host(settings: Settings, database: Database) -> CodeHost | None:
    """The host's API, drawing on the budget that every process shares; None when it may not be asked."""
    if not settings.github.enabled:
        return None
    limiter, answers = StoredLimiter(database, database.now), StoredAnswers(database, database.now)
    return open_code_host(settings.github, limiter, answers, database.now)


class Rounds:
    """Now and then, between two deliveries, a busy worker takes over one whose own worker was lost.

    The sweep and its rings wait in the queue like everything else: behind a long one, what was lost would wait for its
    end. At most one delivery each ``worker.sweep_every`` in each process.
    """

    def __init__(self, runtime: AnalyzerRuntime, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._runtime = runtime
        self._monotonic = monotonic
        self._guard = threading.Lock()
        self._due_at = monotonic() + runtime.settings.worker.sweep_every.total_seconds()

    def go(self) -> None:
        """Work on one lost delivery if a round is due and there is one; an outage of the database ends the round."""
        with self._guard:
            present = self._monotonic()
            if present < self._due_at:
                return
            self._due_at = present + self._runtime.settings.worker.sweep_every.total_seconds()
        try:
            now = self._runtime.clock()
            with self._runtime.database.reading() as session:
                lost = deliveries.lost(session, now, 1)
            for delivery_id in lost:
                _log.info("delivery.taken_over", delivery=delivery_id)
                analyze_delivery(self._runtime, delivery_id)
        except DatabaseUnavailable as error:
            _log.warning("rounds.ended", error=str(error))


def sweep_deliveries(runtime: AnalyzerRuntime) -> int:
    """Ring again for every delivery whose work is due, and return for how many (R-12).

    Trigger: beat, every 30 s. Reads the inbox, writes nothing. At most ``worker.sweep_limit`` in one tick: what is
    left is longest waiting first in the next.
    """
    now = runtime.clock()
    with runtime.database.reading() as session:
        due = deliveries.due(session, now, runtime.settings.worker.sweep_limit)
    for delivery_id in due:
        runtime.ring(TaskName.ANALYZE_DELIVERY, delivery_id)
    if due:
        _log.info("deliveries.swept", due=len(due))
    return len(due)


def prune_payloads(runtime: AnalyzerRuntime) -> int:
    """Drop the payloads of deliveries processed more than 30 days ago, and return how many.

    Trigger: beat, once a day. What they said is in the facts and analyses; the rows stay, so duplicates stay known.
    """
    now = runtime.clock()
    with runtime.database.transaction() as session:
        pruned = deliveries.prune_payloads(session, now - PAYLOADS_LAST)
    if pruned:
        _log.info("payloads.pruned", count=pruned)
    return pruned


def prune_answers(runtime: AnalyzerRuntime) -> int:
    """Drop the host's answers that were kept more than 30 days ago, and return how many.

    Trigger: beat, once a day, with the payloads. They only spare requests: of repositories that are watched no more,
    and of credentials that are gone, nothing else would ever drop them.
    """
    now = runtime.clock()
    with runtime.database.transaction() as session:
        pruned = cached_answers.prune(session, now - ANSWERS_LAST)
    if pruned:
        _log.info("answers.pruned", count=pruned)
    return pruned

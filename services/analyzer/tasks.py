"""The tasks of the analyzer: which function runs under which name, and the sweeps."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import structlog

from services.analyzer.details import DetailSources
from services.analyzer.pipeline import AnalyzerRuntime, analyze_delivery
from shared.broker.task_names import TaskName
from shared.settings import Settings
from shared.store import deliveries
from shared.store.session import Database

PAYLOADS_LAST = timedelta(days=30)
"""How long the payload of a processed delivery is kept."""

_log = structlog.get_logger(__name__)


def make_runtime(
    settings: Settings, database: Database, ring: Callable[[TaskName, int | str], None]
) -> AnalyzerRuntime:
    """Return what the tasks work with; no connection is made and no source is opened yet."""
    return AnalyzerRuntime(settings, database, ring, DetailSources(settings), database.now)


def handlers(runtime: AnalyzerRuntime) -> dict[TaskName, Callable[..., None]]:
    """Return the tasks of this service by name."""

    def analyze(delivery_id: int) -> None:
        analyze_delivery(runtime, delivery_id)

    def sweep() -> None:
        sweep_deliveries(runtime)

    def prune() -> None:
        prune_payloads(runtime)

    return {
        TaskName.ANALYZE_DELIVERY: analyze,
        TaskName.SWEEP_DELIVERIES: sweep,
        TaskName.PRUNE_PAYLOADS: prune,
    }


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

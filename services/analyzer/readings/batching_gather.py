"""Gathers readings of backfills into batches, and rings for batches whose work is due (R-12, R-61)."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING

import structlog

from shared.broker.task_names import TaskName
from shared.settings import ModelSettings
from shared.settings.prices import cost_of
from shared.store import batch_readings, model_batches, model_states
from shared.store.model_budgets import budgets
from shared.store.session import Session

if TYPE_CHECKING:
    from services.analyzer.readings.sweeps import Sweeper

LARGEST = 500
"""Readings in one batch."""
LARGEST_BYTES = 8_000_000
"""Of a batch's documents, each of which has at most three bytes for a token of ``model.input_tokens``."""
LONGEST_WAIT = timedelta(minutes=5)
"""How long the oldest reading waits for company."""
REFUSAL_LASTS = timedelta(days=1)
"""How long a model is not asked in batches after its server took one and made nothing of it, or took none."""
_KEPT_BACK = 0.5
_RUNG_AT_ONCE = 4
_BYTES_A_TOKEN = 3

_log = structlog.get_logger(__name__)


def batched_models(session: Session, settings: ModelSettings, now: datetime) -> tuple[str, ...]:
    """Return the models whose readings of a backfill go through batches at ``now``.

    One that never served is asked one by one first: what it takes is learned from one call, not from one of each merge.
    """
    if not settings.batch:
        return ()
    server, since = settings.base_url, now - REFUSAL_LASTS
    return tuple(
        name
        for name in settings.names
        if model_states.has_served(session, server, name)
        and not batch_readings.refused_since(session, server, name, since)
    )


def sweep_batches(runtime: Sweeper) -> int:
    """Put readings of backfills that have waited into batches, ring for each batch that is due, and return how many.

    Trigger: beat, with the sweep of readings. Half of each budget is left to merges of today: what a batch may take is
    reserved for as long as it is worked on.
    """
    settings = runtime.settings.model
    if not settings.enabled:
        return 0
    now = runtime.clock()
    with runtime.database.reading() as session:
        models = batched_models(session, settings, now)
    made = sum(_gather(runtime, model, now) for model in models)
    with runtime.database.reading() as session:
        due = model_batches.due(session, now, _RUNG_AT_ONCE)
    for batch_id in due:
        runtime.ring(TaskName.WORK_BATCH, batch_id)
    if made or due:
        _log.info("batches.swept", made=made, due=len(due))
    return len(due)


def _gather(runtime: Sweeper, model: str, now: datetime) -> bool:
    """Make one batch when enough readings wait or the oldest has waited long enough."""
    settings = runtime.settings.model
    with runtime.database.reading() as session:
        count, oldest = batch_readings.waiting(session, model, now)
        most = _most(session, settings, model, now) if count else 0
    if oldest is None or most == 0 or (count < most and now - oldest < LONGEST_WAIT):
        return False
    with runtime.database.transaction() as session:
        chosen = batch_readings.waiting_for(session, model, now, most)
        return model_batches.make(session, settings.base_url, model, chosen, now) is not None


def _most(session: Session, settings: ModelSettings, model: str, now: datetime) -> int:
    """How many readings the next batch may have; none while the budgets have no room for one."""
    most = min(LARGEST, max(1, LARGEST_BYTES // (_BYTES_A_TOKEN * settings.input_tokens)))
    tokens = settings.input_tokens + settings.output_tokens
    cost = cost_of(settings.prices, model, settings.input_tokens, 0, settings.output_tokens, batch=True)
    for budget in budgets(session, settings, now):
        each = tokens if budget.setting.endswith("tokens") else cost
        if each:
            kept_back = min(budget.limit * _KEPT_BACK, max(budget.limit - each, 0))
            most = min(most, int(max(budget.left - kept_back, 0) / each))
    return most

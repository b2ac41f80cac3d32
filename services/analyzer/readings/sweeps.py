"""Rings for readings whose work is due, and asks for those of merges that came before there was a model (R-12)."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Protocol

import structlog

from services.analyzer.readings import wishes
from services.analyzer.readings.batching_gather import batched_models
from shared.broker.task_names import TaskName
from shared.domain.period import week_of
from shared.domain.protocols import Clock
from shared.settings import ModelSettings, Settings
from shared.store import readings, repositories, rules_analyses
from shared.store.model_states import state_of
from shared.store.reading_tasks import unsettle_lost
from shared.store.session import Database, Session

ASKED_AT_ONCE = 50
"""Merges of earlier days that are asked for in one sweep: a service that gets its first model is not overrun."""
RUNG_FOR_EACH = 2
"""Rings for each call that may be under way; whoever ends a reading rings for the next one."""

_log = structlog.get_logger(__name__)


class Sweeper(Protocol):
    """What a sweep needs of a runtime."""

    @property
    def settings(self) -> Settings:
        """The settings in force."""

    @property
    def database(self) -> Database:
        """The store."""

    @property
    def ring(self) -> Callable[[TaskName, int | str], None]:
        """The doorbell."""

    @property
    def clock(self) -> Clock:
        """The present."""


def sweep_readings(runtime: Sweeper) -> int:
    """Ring for the weightiest readings whose work is due, and return for how many.

    Trigger: beat, every 30 s, where a model is set. Few at a time: each reading that ends rings for the next. None
    while the model rests, and one when it is to be tried whether it serves again. Before that, merges of this and the
    last week that no model was ever asked about are asked for, some in each sweep.
    """
    if not runtime.settings.model.enabled:
        return 0
    now = runtime.clock()
    asked = _ask_for_earlier(runtime, now)
    with runtime.database.transaction() as session:
        unsettle_lost(session, now)
    with runtime.database.reading() as session:
        most, batched = (
            most_rings(session, runtime.settings.model, now),
            batched_models(session, runtime.settings.model, now),
        )
        due = readings.due(session, now, most, for_batches=batched)
    for reading_id in due:
        runtime.ring(TaskName.READ_MERGE, reading_id)
    if due or asked:
        _log.info("readings.swept", due=len(due), asked=asked)
    return len(due)


def most_rings(session: Session, settings: ModelSettings, now: datetime) -> int:
    """Return how many readings are worth a ring: none while every model rests, one when it is time for a try."""
    states = [state_of(session, settings.base_url, name) for name in settings.names]
    waits = [state.wait_until for state in states if state is not None and state.wait_until is not None]
    if len(waits) < len(states):
        return RUNG_FOR_EACH * settings.concurrency
    return 1 if min(waits) <= now else 0


def _ask_for_earlier(runtime: Sweeper, now: datetime) -> int:
    with runtime.database.reading() as session:
        known = repositories.all_repositories(session)
    asked = 0
    for repository_id, _ref in known:
        if asked >= ASKED_AT_ONCE:
            break
        with runtime.database.reading() as session:
            found = _never_asked(session, runtime.settings, repository_id, now, ASKED_AT_ONCE - asked)
        if not found:
            continue
        with runtime.database.transaction() as session:
            for one in found:
                wished = wishes.wish(runtime.settings, one.analysis, switched_on=True)
                by: readings.AskedBy = "backfill" if one.backfilled else "capture"
                wishes.ask(session, one.pull_request_id, one.analysis, wished, by, now)
        asked += len(found)
    return asked


def _never_asked(
    session: Session, settings: Settings, repository_id: int, now: datetime, limit: int
) -> list[rules_analyses.ByRules]:
    if not wishes.switched_on(session, settings, repository_id):
        return []
    this_week = week_of(now)
    return rules_analyses.never_asked(
        session,
        repository_id,
        this_week.previous().start,
        this_week.end,
        lowest=settings.model.lowest_importance,
        left_out=wishes.LEFT_TO_RULES,
        limit=limit,
    )

"""Every periodic job on one screen."""

from __future__ import annotations

from datetime import timedelta

from shared.broker.periodic import Periodic
from shared.broker.task_names import TaskName
from shared.settings import Settings


def timetable(settings: Settings) -> tuple[Periodic, ...]:
    """Return the periodic jobs; a tick that is missed delays work, one that comes twice does nothing (R-30)."""
    # Without a clone to keep, or a host or a model to ask, nobody needs to run the worker of that queue, and the ticks
    # would only pile up in it.
    minute = timedelta(minutes=1)
    upkeep = (Periodic(TaskName.KEEP_CLONES, minute),) if settings.kept else ()
    asking = (Periodic(TaskName.SWEEP_RECONCILIATIONS, minute),) if settings.github.enabled else ()
    reading = (Periodic(TaskName.SWEEP_READINGS, settings.worker.sweep_every),) if settings.model.enabled else ()
    return (
        Periodic(TaskName.SWEEP_DELIVERIES, settings.worker.sweep_every),
        Periodic(TaskName.SWEEP_PUBLICATIONS, settings.worker.sweep_every),
        Periodic(TaskName.BUILD_DUE, timedelta(minutes=5)),
        Periodic(TaskName.PRUNE_PAYLOADS, timedelta(days=1)),
        *upkeep,
        *asking,
        *reading,
    )

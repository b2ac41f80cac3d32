"""The worker process of readings: ``celery -A services.analyzer.reader worker -Q reading``.

Apart from the analyzer, so that a model that takes a minute for an answer never holds up an analysis by rules.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from functools import cache
from typing import Any

from services.analyzer.readings.batching_gather import batched_models
from services.analyzer.readings.sweeps import most_rings
from services.analyzer.readings.tasks import handlers, make_runtime
from shared.broker.app import create_app, sender
from shared.broker.doorbell import Doorbell
from shared.broker.task_names import TaskName
from shared.broker.watchdog import Watch
from shared.settings import Settings, load_settings
from shared.store import reading_views
from shared.store.session import Database
from shared.telemetry import configure


@cache
def make_app() -> Any:
    """Return the Celery app of this process, with the settings of its environment."""
    settings = load_settings()
    configure(settings)
    database = Database(settings.database_url)
    runtime = make_runtime(settings, database, Doorbell(sender(settings)).ring)
    watch = Watch(
        unattended(settings, Database(settings.database_url)), TaskName.SWEEP_READINGS, settings.worker.deaf_after
    )
    return create_app(settings, handlers(runtime), on_process_start=database.dispose, watch=watch)


def unattended(settings: Settings, database: Database) -> Callable[[], timedelta | None]:
    """Return what the watchdog asks: for how long due readings have waited while nobody took or held one.

    ``database`` has connections of its own: it lives in the parent, and children are forked from it. While the model
    rests nobody is rung, and no silence counts.
    """

    def ask() -> timedelta | None:
        now = database.now()
        with database.reading() as session:
            if not (settings.model.enabled and most_rings(session, settings.model, now)):
                return None
            return reading_views.unattended_for(session, now, batched_models(session, settings.model, now))

    return ask


def __getattr__(name: str) -> Any:
    """Make ``app`` on first use: importing this module reads no settings."""
    if name == "app":
        return make_app()
    raise AttributeError(name)

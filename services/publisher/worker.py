"""The worker process of the publisher: ``celery -A services.publisher.worker worker -Q publishing``."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from functools import cache
from typing import Any

from services.publisher.tasks import handlers, make_runtime
from shared.broker.app import create_app, sender
from shared.broker.doorbell import Doorbell
from shared.broker.task_names import TaskName
from shared.broker.watchdog import Watch
from shared.settings import Settings, load_settings
from shared.store import publications
from shared.store.session import Database
from shared.telemetry import configure


@cache
def make_app() -> Any:
    """Return the Celery app of this process, with the settings of its environment."""
    settings = load_settings()
    configure(settings)
    database = Database(settings.database_url)
    runtime = make_runtime(settings, database, Doorbell(sender(settings)).ring)
    watch = Watch(_unattended(settings), TaskName.SWEEP_PUBLICATIONS, settings.worker.deaf_after)
    return create_app(settings, handlers(runtime), on_process_start=database.dispose, watch=watch)


def _unattended(settings: Settings) -> Callable[[], timedelta | None]:
    """What the watchdog asks, over connections of its own: it lives in the parent, and children are forked from it."""
    database = Database(settings.database_url)

    def ask() -> timedelta | None:
        now = database.now()
        with database.reading() as session:
            return publications.unattended_for(session, now)

    return ask


def __getattr__(name: str) -> Any:
    """Make ``app`` on first use: importing this module reads no settings."""
    if name == "app":
        return make_app()
    raise AttributeError(name)

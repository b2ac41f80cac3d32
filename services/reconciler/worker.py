"""The worker process of the reconciler: ``celery -A services.reconciler.worker worker -Q upkeep``."""

from __future__ import annotations

from functools import cache
from typing import Any

from services.reconciler.tasks import handlers, make_runtime
from shared.broker.app import create_app, sender
from shared.broker.doorbell import Doorbell
from shared.settings import load_settings
from shared.store.session import Database
from shared.telemetry import configure


@cache
def make_app() -> Any:
    """Return the Celery app of this process, with the settings of its environment."""
    settings = load_settings()
    configure(settings)
    database = Database(settings.database_url)
    runtime = make_runtime(settings, database, Doorbell(sender(settings)).ring)
    return create_app(settings, handlers(runtime), on_process_start=database.dispose)


def __getattr__(name: str) -> Any:
    """Make ``app`` on first use: importing this module reads no settings."""
    if name == "app":
        return make_app()
    raise AttributeError(name)

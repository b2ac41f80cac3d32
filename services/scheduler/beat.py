"""The scheduler process: ``celery -A services.scheduler.beat beat``. Several of them do no harm."""

from __future__ import annotations

from functools import cache
from typing import Any

from services.scheduler.timetable import timetable
from shared.broker.app import create_app
from shared.settings import load_settings
from shared.telemetry import configure


@cache
def make_app() -> Any:
    """Return the Celery app of this process, with the settings of its environment; it runs no task itself."""
    settings = load_settings()
    configure(settings)
    return create_app(settings, {}, timetable(settings))


def __getattr__(name: str) -> Any:
    """Make ``app`` on first use: importing this module reads no settings."""
    if name == "app":
        return make_app()
    raise AttributeError(name)

"""The receiver as a process of its own: ``uvicorn --factory services.webhook.asgi:app``."""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import structlog
from fastapi import APIRouter, FastAPI

from services.webhook.app import create_app
from shared import telemetry
from shared.broker.app import sender
from shared.broker.doorbell import Doorbell
from shared.broker.task_names import TaskName
from shared.domain.errors import InvalidInput
from shared.health import HealthRoutes
from shared.settings import Settings, load_settings
from shared.store import migrate
from shared.store.session import Database, DatabaseUnavailable

_log = structlog.get_logger(__name__)


def app() -> FastAPI:
    """Return the receiver for the settings in force.

    Ends the process with code 2 and one line when they are wrong, or the database is not migrated; a database that is
    down is waited for, with answers of 503.
    """
    try:
        settings = load_settings()
        telemetry.configure(settings)
        database = Database(settings.database_url)
        _check(database)
    except InvalidInput as error:
        sys.stderr.write(f"{error}\n")
        raise SystemExit(2) from error
    doorbell = _doorbell(settings)

    @asynccontextmanager
    async def lifespan(_app: FastAPI) -> AsyncIterator[None]:
        yield
        doorbell.close()
        database.dispose()

    receiver = create_app(settings, database, doorbell, database.now, lifespan=lifespan)
    health = APIRouter()
    HealthRoutes(database, database.now, settings.worker.overdue_after).add_to(health)
    receiver.include_router(health)
    return receiver


def _check(database: Database) -> None:
    try:
        migrate.check(database)
    except DatabaseUnavailable as error:
        _log.warning("database.unavailable", error=str(error))


def _doorbell(settings: Settings) -> Doorbell:
    """The bell; over ``memory://`` nobody in this process hears it, and the sweeper of the worker finds the rows."""
    if settings.embedded:
        return Doorbell(_unheard)
    return Doorbell(sender(settings))


def _unheard(_task: TaskName, _argument: int | str) -> None:
    pass

"""The API as a process of its own: ``uvicorn --factory services.web.asgi:app``."""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI

from services.web.app import create_app
from shared import telemetry
from shared.domain.errors import InvalidInput
from shared.settings import load_settings
from shared.store.session import Database


def app() -> FastAPI:
    """Return the API for the settings in force; ends the process with code 2 and one line when they are wrong.

    The state of the database is no condition to start: ``/readyz`` tells of it, and requests are answered 503.
    """
    try:
        settings = load_settings()
        telemetry.configure(settings)
        database = Database(settings.database_url)
    except InvalidInput as error:
        sys.stderr.write(f"{error}\n")
        raise SystemExit(2) from error

    @asynccontextmanager
    async def lifespan(_app: FastAPI) -> AsyncIterator[None]:
        yield
        database.dispose()

    return create_app(settings, database, database.now, lifespan=lifespan)

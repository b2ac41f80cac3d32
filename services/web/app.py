"""The HTTP side of the API: everything but the health of the process asks for a token."""

from __future__ import annotations

from fastapi import APIRouter, Depends, FastAPI

from services.web.analyses import AnalysisRoutes
from services.web.digests import DigestRoutes
from services.web.documentation import Documentation
from services.web.gate import Gate
from services.web.runtime import WebRuntime
from shared.domain.protocols import Clock
from shared.health import HealthRoutes
from shared.problems import Lifespan, new_app
from shared.settings.model import Settings
from shared.store.session import Database

PREFIX = "/api/v1"


def router(runtime: WebRuntime) -> APIRouter:
    """Return the routes of the API, its documentation and the health of the process."""
    routes = APIRouter()
    HealthRoutes(runtime.database, runtime.clock, runtime.settings.worker.overdue_after).add_to(routes)
    gated = APIRouter(prefix=PREFIX, tags=["api"], dependencies=[Depends(Gate(runtime.settings.api))])
    AnalysisRoutes(runtime).add_to(gated)
    DigestRoutes(runtime).add_to(gated)
    Documentation().add_to(gated)
    routes.include_router(gated)
    return routes


def create_app(settings: Settings, database: Database, clock: Clock, *, lifespan: Lifespan | None = None) -> FastAPI:
    """Return the API as an application of its own."""
    app = new_app("Mergecast API", lifespan)
    app.include_router(router(WebRuntime(settings, database, clock)))
    return app

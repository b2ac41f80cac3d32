"""Two routes for whoever watches over a process: is it alive, and can it do its work (no token, no detail)."""

from __future__ import annotations

from datetime import timedelta
from typing import Literal

from fastapi import APIRouter, Response
from pydantic import BaseModel, Field

from shared.domain.errors import InvalidInput
from shared.domain.protocols import Clock
from shared.store import deliveries, migrate, parking
from shared.store.session import Database, DatabaseUnavailable


class Health(BaseModel):
    """The process answers."""

    status: Literal["ok"] = "ok"


class Readiness(BaseModel):
    """Whether the process can do its work, and for how long work has been waiting."""

    status: Literal["ready", "not ready"] = "not ready"
    database: Literal["reachable", "unreachable"] = "unreachable"
    migrations: Literal["current", "not current", "unknown"] = "unknown"
    work: Literal["flowing", "overdue", "unknown"] = Field(
        default="unknown", description="`overdue` while a delivery has been due for longer than worker.overdue_after."
    )
    oldest_due_seconds: float | None = Field(
        default=None,
        description="For how long the longest waiting delivery has been due; null when none is, or it is not known.",
    )
    parked_deliveries: int | None = Field(
        default=None,
        description="How many deliveries wait until access to their repository is given back; null: not known.",
    )


class HealthRoutes:
    """`/healthz` and `/readyz` of one process."""

    def __init__(self, database: Database, clock: Clock, overdue_after: timedelta) -> None:
        self._database = database
        self._clock = clock
        self._overdue_after = overdue_after

    def add_to(self, routes: APIRouter) -> None:
        """Add both."""
        routes.add_api_route("/healthz", self.alive, tags=["health"])
        routes.add_api_route(
            "/readyz",
            self.ready,
            tags=["health"],
            responses={
                503: {"model": Readiness, "description": "The database is down or not migrated, or work waits too long"}
            },
        )

    async def alive(self) -> Health:
        """Tell that the process answers; looks at nothing else, and needs no thread that a slow database may hold."""
        return Health()

    def ready(self, response: Response) -> Readiness:
        """Tell whether the database is reachable and migrated, and whether work flows: what an alarm should watch.

        Work that waits is no fault of the process that is asked: a receiver takes deliveries in all the same, and
        traffic is routed by `/healthz`.
        """
        readiness = self._look()
        if readiness.status != "ready":
            response.status_code = 503
        return readiness

    def _look(self) -> Readiness:
        try:
            migrate.check(self._database)
            now = self._clock()
            with self._database.reading() as session:
                age = deliveries.oldest_due_age(session, now)
                parked = parking.count(session)
        except DatabaseUnavailable:
            return Readiness()
        except InvalidInput:
            return Readiness(database="reachable", migrations="not current")
        overdue = age is not None and age > self._overdue_after
        return Readiness(
            status="not ready" if overdue else "ready",
            database="reachable",
            migrations="current",
            work="overdue" if overdue else "flowing",
            oldest_due_seconds=None if age is None else round(age.total_seconds(), 1),
            parked_deliveries=parked,
        )

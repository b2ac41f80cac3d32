"""The HTTP side of the receiver: one route, to be mounted alone or beside others in one process."""

from __future__ import annotations

from fastapi import APIRouter, FastAPI, Request, Response

from services.webhook.gate import Gate
from services.webhook.intake import Intake, Receipt
from services.webhook.runtime import Bell, WebhookRuntime
from shared.domain.protocols import Clock
from shared.problems import Lifespan, documented, new_app
from shared.settings.model import Settings
from shared.store.session import Database

PATH = "/webhooks/github"


def router(runtime: WebhookRuntime) -> APIRouter:
    """Return the routes of the receiver."""
    routes = APIRouter(tags=["webhook"])
    gate, intake = Gate(runtime), Intake(runtime)

    @routes.post(
        PATH,
        status_code=202,
        response_model=Receipt,
        responses=documented(400, 401, 408, 413, 415, 429, 503)
        | {200: {"model": Receipt, "description": "A ping, or authentic and of no interest"}},
    )
    async def receive(request: Request) -> Response:
        """Take one delivery of a GitHub webhook, signed in `X-Hub-Signature-256`; content type `application/json`."""
        receipt = await intake.take_in(await gate.admit(request))
        return Response(
            receipt.model_dump_json(exclude_none=True),
            status_code=200 if receipt.delivery is None else 202,
            media_type="application/json",
        )

    return routes


def create_app(
    settings: Settings, database: Database, doorbell: Bell, clock: Clock, *, lifespan: Lifespan | None = None
) -> FastAPI:
    """Return the receiver as an application of its own."""
    app = new_app("Mergecast webhook", lifespan)
    app.include_router(router(WebhookRuntime(settings, database, doorbell, clock)))
    return app

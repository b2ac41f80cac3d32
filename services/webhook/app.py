"""The HTTP side of the receiver: one route, to be mounted alone or beside others in one process."""

# No deferred annotations in this module: the dependency of the endpoint is a local, which only eager ones can name.
from typing import Annotated

from fastapi import APIRouter, Depends, FastAPI, Response

from services.webhook.gate import Gate, SignedDelivery
from services.webhook.intake import Receipt, take_in
from services.webhook.runtime import Bell, WebhookRuntime
from shared.domain.protocols import Clock
from shared.problems import Lifespan, documented, new_app
from shared.settings.model import Settings
from shared.store.session import Database

PATH = "/webhooks/github"


def router(runtime: WebhookRuntime) -> APIRouter:
    """Return the routes of the receiver."""
    routes = APIRouter(tags=["webhook"])
    signed_delivery = Annotated[SignedDelivery, Depends(Gate(runtime).admit)]

    @routes.post(
        PATH,
        status_code=202,
        response_model_exclude_none=True,
        responses=documented(400, 401, 408, 413, 415, 429, 503)
        | {200: {"model": Receipt, "description": "A ping, or authentic and of no interest"}},
    )
    def receive(signed: signed_delivery, response: Response) -> Receipt:
        """Take one delivery of a GitHub webhook, signed in `X-Hub-Signature-256`; content type `application/json`."""
        receipt = take_in(runtime, signed)
        if receipt.delivery is None:
            response.status_code = 200
        return receipt

    return routes


def create_app(
    settings: Settings, database: Database, doorbell: Bell, clock: Clock, *, lifespan: Lifespan | None = None
) -> FastAPI:
    """Return the receiver as an application of its own."""
    app = new_app("Mergecast webhook", lifespan)
    app.include_router(router(WebhookRuntime(settings, database, doorbell, clock)))
    return app

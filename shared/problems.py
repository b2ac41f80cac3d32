"""Every HTTP error as RFC 9457 problem details, and the headers that every HTTP answer carries."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from http import HTTPStatus

import structlog
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel, Field
from starlette.datastructures import MutableHeaders
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from shared.domain.errors import InvalidInput, MergecastError
from shared.store.session import DatabaseUnavailable

MEDIA_TYPE = "application/problem+json"
TYPE_PREFIX = "urn:mergecast:problem:"
RETRY_AFTER = {"Retry-After": "5"}

Lifespan = Callable[[FastAPI], AbstractAsyncContextManager[None]]
"""What is opened when an application starts and closed when it ends."""

_log = structlog.get_logger(__name__)
_STANDING_HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}
_WAYS_OUT = {
    404: "Check the path; GET /api/v1/docs shows every path of the API.",
    405: "Use a method that the Allow header names.",
}


class Fault(BaseModel):
    """One thing that is wrong with a request."""

    field: str = Field(description="The part of the request and the name in it, such as `query.limit`.")
    message: str


class ProblemDetails(BaseModel):
    """An error in the form of RFC 9457; `way_out` says what to do about it."""

    type: str = Field(description="Names the kind of problem; stable, made to be compared.")
    title: str
    status: int
    detail: str
    way_out: str
    errors: list[Fault] | None = Field(default=None, description="What is wrong, field by field.")


class Problem(MergecastError):
    """An answer that is an error: ``slug`` names its kind, ``headers`` go with it, ``faults`` name fields."""

    def __init__(
        self,
        status: int,
        slug: str,
        message: str,
        way_out: str,
        *,
        headers: Mapping[str, str] | None = None,
        faults: Sequence[Fault] = (),
    ) -> None:
        super().__init__(message, way_out)
        self.status = status
        self.slug = slug
        self.headers = dict(headers or {})
        self.faults = tuple(faults)


def new_app(title: str, lifespan: Lifespan | None = None) -> FastAPI:
    """Return an application without routes: its errors are problem details and no page of it is open to all.

    ``redirect_slashes`` is off: that redirect would be made from the Host header, which is the sender's.
    """
    app = FastAPI(
        title=title,
        version="1",
        openapi_url=None,
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        lifespan=lifespan,
        exception_handlers={
            Problem: _answer_problem,
            HTTPException: _answer_http_error,
            RequestValidationError: _answer_invalid_request,
            InvalidInput: _answer_invalid_input,
            DatabaseUnavailable: _answer_database_unavailable,
            Exception: _answer_fault_of_ours,
        },
    )
    app.add_middleware(_StandingHeaders)
    return app


def to_response(problem: Problem) -> Response:
    """Return ``problem`` as the answer that is sent."""
    details = ProblemDetails(
        type=TYPE_PREFIX + problem.slug,
        title=problem.slug.replace("-", " ").capitalize(),
        status=problem.status,
        detail=problem.message,
        way_out=problem.way_out,
        errors=list(problem.faults) or None,
    )
    return Response(
        details.model_dump_json(exclude_none=True),
        status_code=problem.status,
        headers=_STANDING_HEADERS | problem.headers,
        media_type=MEDIA_TYPE,
    )


def documented(*statuses: int) -> dict[int | str, dict[str, object]]:
    """Return what FastAPI needs to document answers with these statuses as problem details."""
    return {status: {"model": ProblemDetails, "description": HTTPStatus(status).phrase} for status in statuses}


async def _answer_problem(_request: Request, error: Exception) -> Response:
    assert isinstance(error, Problem)
    return to_response(error)


async def _answer_http_error(_request: Request, error: Exception) -> Response:
    """What the framework itself refuses: no such path, no such method, a body that it cannot read."""
    assert isinstance(error, HTTPException)
    phrase = HTTPStatus(error.status_code).phrase
    way_out = _WAYS_OUT.get(error.status_code, "Check the request against the API's documentation.")
    slug = phrase.lower().replace(" ", "-")
    return to_response(Problem(error.status_code, slug, f"{error.detail}.", way_out, headers=error.headers))


async def _answer_invalid_request(_request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    faults = [Fault(field=".".join(map(str, fault["loc"])), message=fault["msg"]) for fault in error.errors()]
    fields = ", ".join(fault.field for fault in faults)
    return to_response(
        Problem(422, "invalid-request", f"Not valid: {fields}.", "Mend the fields under errors.", faults=faults)
    )


async def _answer_invalid_input(_request: Request, error: Exception) -> Response:
    assert isinstance(error, InvalidInput)
    return to_response(Problem(422, "invalid-request", error.message, error.way_out))


async def _answer_database_unavailable(_request: Request, error: Exception) -> Response:
    """Nothing was kept, and the sender is told so: never 2xx, never the driver's own words (R-43, R-91)."""
    _log.error("database.unavailable", error=str(error))
    return to_response(
        Problem(
            503,
            "database-unavailable",
            "The database does not serve at the moment, so nothing was stored or read.",
            "Send the request again later; /readyz shows when the database is back.",
            headers=RETRY_AFTER,
        )
    )


async def _answer_fault_of_ours(_request: Request, _error: Exception) -> Response:
    """The server logs the traceback; the answer says nothing of it."""
    return to_response(
        Problem(
            500,
            "internal-error",
            "The service has failed to answer this request.",
            "Try again; if it stays, the log of the service has the cause.",
        )
    )


class _StandingHeaders:
    """Adds the standing headers to every answer that has no others of the same name."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in _STANDING_HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        await self._app(scope, receive, send_with_headers)

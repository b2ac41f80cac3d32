"""What can go wrong at GitHub, and how each of it looks from outside."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from email.utils import format_datetime
from typing import TYPE_CHECKING

from tests.servers.github.exchange import Answer, Refusal, Request

if TYPE_CHECKING:
    from tests.servers.github.world import World

PRIMARY = "API rate limit exceeded for installation ID 1."
SECONDARY = "You have exceeded a secondary rate limit. Please wait a few minutes before you try again."
HTML = b"<!DOCTYPE html><html><body><h1>Our servers are having a rest</h1></body></html>"
PLAIN = {
    "not-found": (404, "Not Found"),
    "gone": (410, "This resource is gone"),
    "server-error": (502, "Server Error"),
    "unauthorized": (401, "Bad credentials"),
    "forbidden": (403, "Resource not accessible by integration"),
    "bare-429": (429, "Too many requests"),
}
GOES_ON = {"slow", "reorder", "after-effect", "cut"}
"""Kinds that carry the request out; the trouble is in when, or in how the answer is sent."""
KINDS = {
    *PLAIN,
    *GOES_ON,
    *("primary-limit", "secondary-limit", "moved", "hang", "html-200", "not-json", "empty-list", "legal-block"),
    *("graphql-error", "graphql-away"),
}


@dataclass
class Fault:
    """One thing that goes wrong, for requests whose path (and body) matches.

    ``times`` requests meet it (None: all of them), after the first ``after`` were let through; ``hits`` counts them.
    ``status`` replaces the usual one; ``before`` runs first, with the state free (C-22). ``retry_after`` is in seconds, or a
    moment, which is sent as an HTTP date, or None for no header.
    """

    path: str
    kind: str
    method: str | None = None
    times: int | None = 1
    after: int = 0
    status: int | None = None
    body: str = ""
    reset_in: int = 3_600
    retry_after: int | datetime | None = None
    seconds: float = 0.0
    location: str = ""
    before: Callable[[], object] | None = None
    hits: int = field(default=0, init=False)
    seen: int = field(default=0, init=False)

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise ValueError(f"{self.kind!r} is no kind of fault; there are {sorted(KINDS)}.")
        if self.kind == "slow" and not self.seconds:
            raise ValueError("A slow answer needs its seconds; one that never comes is of kind 'hang'.")

    def meets(self, method: str, path: str, body: bytes) -> bool:
        """Whether a request is one that this is for."""
        if self.method not in {None, method} or not re.search(self.path, path):
            return False
        return not self.body or re.search(self.body, body.decode(errors="replace")) is not None

    def answer(self, request: Request) -> Answer:
        """Return what is answered in place of the real answer."""
        if self.kind in PLAIN:
            status, message = PLAIN[self.kind]
            return Refusal(self.status or status, message).answer
        return _MADE[self.kind](self, request)


class Faults:
    """The faults of a server; the first one that matches is met."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._all: list[Fault] = []

    def add(self, fault: Fault) -> Fault:
        """Let something go wrong from now on."""
        with self._lock:
            self._all.append(fault)
        return fault

    def remove(self, fault: Fault) -> None:
        """End one of them."""
        with self._lock:
            self._all.remove(fault)

    def clear(self) -> None:
        """End them all."""
        with self._lock:
            self._all.clear()

    def met(self, method: str, path: str, body: bytes) -> Fault | None:
        """Return the fault that this request meets, and count it."""
        with self._lock:
            for fault in self._all:
                if not fault.meets(method, path, body) or fault.hits == fault.times:
                    continue
                fault.seen += 1
                if fault.seen > fault.after:
                    fault.hits += 1
                    return fault
        return None


def _primary(fault: Fault, request: Request) -> Answer:
    reset = str(int(request.world.now.timestamp()) + fault.reset_in)
    resource = "graphql" if request.path == "/graphql" else "core"
    headers = {
        "X-RateLimit-Limit": "5000",
        "X-RateLimit-Remaining": "0",
        "X-RateLimit-Used": "5000",
        "X-RateLimit-Reset": reset,
        "X-RateLimit-Resource": resource,
    }
    if resource == "graphql" and fault.status is None:
        return Answer(200, {"errors": [{"type": "RATE_LIMITED", "message": PRIMARY}]}, headers)
    return Refusal(fault.status or 403, PRIMARY, headers).answer


def _secondary(fault: Fault, _request: Request) -> Answer:
    wait = fault.retry_after
    headers = {"X-RateLimit-Limit": "5000", "X-RateLimit-Remaining": "4000"}
    if wait is not None:
        headers["Retry-After"] = format_datetime(wait, usegmt=True) if isinstance(wait, datetime) else str(wait)
    return Refusal(fault.status or 403, SECONDARY, headers).answer


def _moved(fault: Fault, request: Request) -> Answer:
    location = fault.location or _by_number(request.world, request.path)
    status = fault.status or (301 if request.method == "GET" else 307)
    message = "Moved Permanently" if status == 301 else "Temporary Redirect"
    return Answer(status, {"message": message, "url": location}, {"Location": location})


def _by_number(world: World, path: str) -> str:
    if not path.startswith("/repos/"):
        return world.api_url + path
    _, _, owner, name, *rest = path.split("/")
    found = world.repository_named(f"{owner}/{name}")
    return "/".join([f"{world.api_url}/repositories/{found.id if found else 1}", *rest])


def _graphql_error(_fault: Fault, _request: Request) -> Answer:
    message = "Something went wrong while executing your query. Please include `0000:0000` when reporting this issue."
    return Answer(200, {"data": None, "errors": [{"message": message}]})


def _graphql_away(_fault: Fault, _request: Request) -> Answer:
    error = {"type": "SERVICE_UNAVAILABLE", "path": ["repository"], "message": "Something went wrong."}
    return Answer(200, {"data": {"repository": None}, "errors": [error]})


def _legal(_fault: Fault, _request: Request) -> Answer:
    block = {"reason": "dmca", "created_at": "2026-01-01T00:00:00Z", "html_url": None}
    return Refusal(451, "Repository access blocked", block=block).answer


_MADE: dict[str, Callable[[Fault, Request], Answer]] = {
    "primary-limit": _primary,
    "secondary-limit": _secondary,
    "moved": _moved,
    "graphql-error": _graphql_error,
    "graphql-away": _graphql_away,
    "legal-block": _legal,
    "html-200": lambda _fault, _request: Answer(200, HTML, {"Content-Type": "text/html; charset=utf-8"}),
    "not-json": lambda _fault, _request: Answer(200, b'{"id": 1, "title"', {}),
    "empty-list": lambda _fault, _request: Answer(200, [], {}),
}

"""One request and its answer, as the stand-in hands them about and keeps them."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tests.servers.github.credentials import Credential
    from tests.servers.github.world import World

JSON_TYPE = "application/json; charset=utf-8"


@dataclass
class Request:
    """What came in; ``path`` begins behind /api/v3, or is /graphql."""

    method: str
    path: str
    query: dict[str, str]
    headers: dict[str, str]
    body: bytes
    world: World
    credential: Credential
    numbered_path: str = ""
    afterwards: list[Callable[[], None]] = field(default_factory=list)
    """What follows once the state is free again: a delivery is posted to somebody who may ask back."""

    @property
    def json(self) -> dict[str, Any]:
        """The body as an object; empty for no body."""
        return json.loads(self.body) if self.body else {}

    @property
    def url(self) -> str:
        """The full address without the query; of a repository by its number, as GitHub's own links have it (R-52)."""
        return self.world.api_url + (self.numbered_path or self.path)


@dataclass
class Answer:
    """What goes out; ``body`` is JSON unless it is bytes, ``template`` the operation that GitHub describes."""

    status: int = 200
    body: Any = None
    headers: dict[str, str] = field(default_factory=dict)
    template: str = ""

    def encoded(self) -> bytes:
        """The body as bytes."""
        if self.body is None:
            return b""
        if isinstance(self.body, bytes):
            return self.body
        return json.dumps(self.body, ensure_ascii=False, separators=(",", ":")).encode()


@dataclass(frozen=True)
class Answered:
    """One exchange, as it is kept in the log of the server."""

    method: str
    path: str
    query: dict[str, str]
    headers: dict[str, str]
    body: bytes
    status: int
    at: float
    credential: str


class Refusal(Exception):
    """GitHub's answer to a request that it does not carry out."""

    def __init__(self, status: int, message: str, headers: dict[str, str] | None = None, **more: Any) -> None:
        super().__init__(message)
        body = {"message": message, **more, "documentation_url": "https://docs.example/rest", "status": str(status)}
        self.answer = Answer(status, body, dict(headers or {}))

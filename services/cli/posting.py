"""Posts signed deliveries to a running service, one after another over one connection."""

from __future__ import annotations

import contextlib
import json
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from types import TracebackType
from typing import Self
from urllib.parse import urlsplit

from services.cli.sample.payloads import SampleDelivery
from shared.domain.errors import InvalidInput

DEFAULT_PATH = "/webhooks/github"
TIMEOUT = 15.0
"""Seconds; GitHub itself gives up after 10."""


@dataclass(frozen=True)
class Answer:
    """What the service said; ``status`` is None when it said nothing, ``outcome`` is its word for what it did."""

    delivery: SampleDelivery
    status: int | None
    outcome: str

    @property
    def accepted(self) -> bool:
        """Whether the service took it."""
        return self.status is not None and 200 <= self.status < 300


class Poster:
    """Posts to ``url`` (the path may be left out); InvalidInput when it is no http address."""

    def __init__(self, url: str, secret: bytes, timeout: float = TIMEOUT) -> None:
        try:
            parts = urlsplit(url if "//" in url else f"http://{url}")
            port = parts.port
        except ValueError as error:
            raise InvalidInput(f"'{url}' is not an address.", "Write it like http://127.0.0.1:8080.") from error
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise InvalidInput(f"'{url}' is not an http address.", "Write it like http://127.0.0.1:8080.")
        self.url = parts.geturl()
        self._path = parts.path if parts.path not in ("", "/") else DEFAULT_PATH
        self._secret = secret
        connect = HTTPSConnection if parts.scheme == "https" else HTTPConnection
        self._connection = connect(parts.hostname, port, timeout=timeout)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._connection.close()

    def post(self, delivery: SampleDelivery) -> Answer:
        """Post one delivery; a connection that the service had closed meanwhile is opened again, once."""
        for last in (False, True):
            try:
                return self._post(delivery)
            except (HTTPException, OSError) as error:
                self._connection.close()
                if last:
                    reason = getattr(error, "strerror", None) or str(error) or type(error).__name__
                    return Answer(delivery, None, reason)
        raise AssertionError

    def _post(self, delivery: SampleDelivery) -> Answer:
        self._connection.request("POST", self._path, delivery.body, delivery.headers_for(self._secret))
        response = self._connection.getresponse()
        return Answer(delivery, response.status, _outcome(response.read(100_000)))


def _outcome(body: bytes) -> str:
    """The service's own word: the outcome of a receipt, the detail of a problem."""
    answer: object = None
    with contextlib.suppress(ValueError):
        answer = json.loads(body)
    if not isinstance(answer, dict):
        return ""
    told = [str(answer[key]) for key in ("outcome", "reason", "detail") if answer.get(key)]
    return ": ".join(told)

"""Webhooks of the stand-in: what is posted to a hook, signed as GitHub signs it, and what became of each attempt."""

from __future__ import annotations

import hashlib
import hmac
import http.client
import json
import time
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from urllib.parse import urlencode, urlsplit

DEADLINE = 10.0
"""GitHub waits ten seconds for an answer (docs.github.com, "Handling webhook deliveries"; R-03)."""


@dataclass
class Hook:
    """A webhook of a repository, or the one of an app."""

    id: int
    url: str
    secret: str = field(repr=False)
    events: tuple[str, ...] = ("pull_request",)
    content_type: str = "json"
    active: bool = True
    created_at: datetime | None = None
    target_type: str = "repository"
    target_id: int = 0
    deliveries: list[Delivery] = field(default_factory=list, repr=False)

    def wants(self, event: str) -> bool:
        """Whether an event is sent here; a ping and what concerns the installation always is."""
        always = event == "ping" or (self.target_type == "integration" and event.startswith("installation"))
        return self.active and bool(self.url) and (always or "*" in self.events or event in self.events)


@dataclass
class Delivery:
    """One attempt to deliver an event; a redelivery is an attempt of its own with the same GUID (R-10)."""

    id: int
    guid: str
    event: str
    payload: dict[str, Any]
    installation_id: int | None
    repository_id: int | None
    delivered_at: datetime
    redelivery: bool = False
    duration: float = 0.0
    status: str = "pending"
    status_code: int = 0
    request_headers: dict[str, str] = field(default_factory=dict)
    response_headers: dict[str, str] = field(default_factory=dict)
    response_body: str = ""

    @property
    def action(self) -> str | None:
        """What happened, for events that say it."""
        return self.payload.get("action")


def post(hook: Hook, delivery: Delivery) -> None:
    """Post a delivery to its hook and note in it what came back."""
    text = json.dumps(delivery.payload, ensure_ascii=False, separators=(",", ":"))
    form = hook.content_type == "form"
    body = urlencode({"payload": text}).encode() if form else text.encode()
    delivery.request_headers = _headers(hook, delivery, body)
    began = time.monotonic()
    try:
        delivery.status_code, delivery.response_headers, delivery.response_body = _exchange(
            hook.url, body, delivery.request_headers
        )
        good = 200 <= delivery.status_code < 300
        delivery.status = "OK" if good else f"Invalid HTTP Response: {delivery.status_code}"
    except TimeoutError:
        delivery.status_code, delivery.status = 504, "timed out"
    except (OSError, http.client.HTTPException):
        delivery.status_code, delivery.status = 502, "failed to connect to host"
    delivery.duration = round(time.monotonic() - began, 2)


def _headers(hook: Hook, delivery: Delivery, body: bytes) -> dict[str, str]:
    headers = {
        "Accept": "*/*",
        "Content-Type": "application/x-www-form-urlencoded" if hook.content_type == "form" else "application/json",
        "User-Agent": "GitHub-Hookshot/0f1e2d3",
        "X-GitHub-Delivery": delivery.guid,
        "X-GitHub-Event": delivery.event,
        "X-GitHub-Hook-ID": str(hook.id),
        "X-GitHub-Hook-Installation-Target-ID": str(hook.target_id),
        "X-GitHub-Hook-Installation-Target-Type": hook.target_type,
    }
    if hook.secret:
        key = hook.secret.encode()
        headers["X-Hub-Signature"] = "sha1=" + hmac.new(key, body, hashlib.sha1).hexdigest()
        headers["X-Hub-Signature-256"] = "sha256=" + hmac.new(key, body, hashlib.sha256).hexdigest()
    return headers


def _exchange(url: str, body: bytes, headers: dict[str, str]) -> tuple[int, dict[str, str], str]:
    parts = urlsplit(url)
    connection = http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=DEADLINE)
    try:
        path = parts.path + (f"?{parts.query}" if parts.query else "")
        connection.request("POST", path or "/", body, headers)
        response = connection.getresponse()
        return response.status, dict(response.getheaders()), response.read().decode(errors="replace")
    finally:
        connection.close()

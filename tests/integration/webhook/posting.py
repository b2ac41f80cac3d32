"""Payloads in GitHub's shape and the headers that sign them, for tests that post deliveries."""

from __future__ import annotations

import copy
import functools
import hashlib
import hmac
import json
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from pydantic import SecretStr
from starlette.testclient import TestClient

from services.webhook.app import PATH, create_app
from shared.broker.task_names import TaskName
from shared.settings.model import RepositorySettings, Settings, WebhookSettings
from shared.store import deliveries, events
from shared.store.session import Database

SECRET = "It's a Secret to Everybody"
REPOSITORY = "Codertocat/Hello-World"
NOWHERE = Database("postgresql://nobody@127.0.0.1:9/nothing")
"""A database that does not answer: what is refused without it has touched none."""
SAMPLES = Path(__file__).parents[2] / "third_party" / "github_webhooks" / "events.jsonl"


class Bell:
    """Remembers what was rung for."""

    def __init__(self) -> None:
        self.rung: list[tuple[TaskName, int | str]] = []

    def ring(self, task: TaskName, argument: int | str) -> None:
        self.rung.append((task, argument))


@functools.cache
def samples() -> dict[str, dict[str, Any]]:
    """One genuine payload of each event kind."""
    lines = (json.loads(line) for line in SAMPLES.read_text("utf-8").splitlines())
    return {line["event"]: line["payload"] for line in lines}


def merged(
    number: Any = 2, *, action: str = "closed", pull: Mapping[str, Any] | None = None, **top: Any
) -> dict[str, Any]:
    """The genuine closed payload as a merge; ``pull`` changes the pull request, ``top`` the payload."""
    payload = copy.deepcopy(samples()["pull_request"])
    payload["pull_request"] |= {
        "number": number,
        "merged": True,
        "merged_at": "2026-05-06T12:00:00Z",
        "updated_at": "2026-05-06T12:00:00Z",
        "merge_commit_sha": hashlib.sha1(str(number).encode()).hexdigest(),
        **(pull or {}),
    }
    return payload | {"action": action, "number": number} | top


def encoded(payload: Any) -> bytes:
    """Bytes stay as they are, everything else becomes JSON."""
    return (
        payload
        if isinstance(payload, bytes)
        else json.dumps(payload, ensure_ascii=False).encode("utf-8", "surrogatepass")
    )


def signature(body: bytes, secret: str = SECRET) -> str:
    """The value of X-Hub-Signature-256."""
    return "sha256=" + hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()


def headers(body: bytes, event: str = "pull_request", guid: str = "guid-1", secret: str = SECRET) -> dict[str, str]:
    """The headers that GitHub sends with a delivery of a repository's hook."""
    return {
        "Content-Type": "application/json",
        "User-Agent": "GitHub-Hookshot/7c1a4e9",
        "X-GitHub-Delivery": guid,
        "X-GitHub-Event": event,
        "X-GitHub-Hook-ID": "548201377",
        "X-Hub-Signature-256": signature(body, secret),
    }


def post(
    client: TestClient,
    payload: Any,
    event: str = "pull_request",
    guid: str = "guid-1",
    secret: str = SECRET,
    changed: Mapping[str, str | bytes | None] | None = None,
) -> Any:
    """Post one signed delivery; ``changed`` replaces headers, or drops those that are None."""
    body = encoded(payload)
    sent: dict[str, Any] = {**headers(body, event, guid, secret), **(changed or {})}
    return client.post(PATH, content=body, headers={name: value for name, value in sent.items() if value is not None})


def settings(*secrets: str, watched: tuple[str, ...] = (), **webhook: Any) -> Settings:
    """Settings of a receiver with these secrets."""
    return Settings(
        webhook=WebhookSettings(secrets=tuple(map(SecretStr, secrets)), **webhook),
        repositories=tuple(RepositorySettings(full_name=name) for name in watched),
    )


def client(database: Database, chosen: Settings | None = None, bell: Bell | None = None) -> TestClient:
    """A client of a receiver; enter it, so that all requests share one event loop."""
    app = create_app(chosen or settings(SECRET), database, bell or Bell(), lambda: datetime.now(UTC))
    return TestClient(app, raise_server_exceptions=False)


def written(database: Database) -> tuple[int, int, int]:
    """How many delivery rows, counted events and remembered pings there are."""
    with database.reading() as session:
        return (
            sum(deliveries.counts(session).values()),
            sum(counted.count for counted in events.event_counts(session)),
            len(events.last_pings(session)),
        )


def counted(database: Database) -> dict[tuple[str, str], int]:
    """The counts of events by event name and reason."""
    with database.reading() as session:
        return {(count.event, count.reason): count.count for count in events.event_counts(session)}


RENAMED = "Codertocat/Good-Morning"


def renamed(name: str = RENAMED, former: str | None = "Hello-World", **repository: Any) -> dict[str, Any]:
    """The genuine repository payload as a rename to ``name``."""
    payload = copy.deepcopy(samples()["repository"])
    named = {"full_name": name, "name": name.rpartition("/")[2], "updated_at": "2026-05-07T12:00:00Z"}
    payload["repository"] |= named | repository
    return payload | {"action": "renamed", "changes": {"repository": {"name": {"from": former}}}}

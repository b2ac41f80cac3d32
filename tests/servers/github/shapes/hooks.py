"""Webhooks and their deliveries as GitHub's JSON has them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.servers.github.hooks import Delivery, Hook
from tests.servers.github.moments import written
from tests.servers.github.shapes import repositories

if TYPE_CHECKING:
    from tests.servers.github.repositories import Repository


def config(hook: Hook) -> dict[str, Any]:
    """Return how a hook is set up; the secret is masked, and absent when there is none."""
    made = {"content_type": hook.content_type, "insecure_ssl": "0", "url": hook.url}
    return made | ({"secret": "********"} if hook.secret else {})


def hook(one: Hook, repository: Repository) -> dict[str, Any]:
    """Return a hook of a repository."""
    own = f"{repositories.url(repository)}/hooks/{one.id}"
    last = one.deliveries[-1] if one.deliveries else None
    return {
        "type": "Repository",
        "id": one.id,
        "name": "web",
        "active": one.active,
        "events": list(one.events),
        "config": config(one),
        "updated_at": written(one.created_at),
        "created_at": written(one.created_at),
        "url": own,
        "test_url": f"{own}/test",
        "ping_url": f"{own}/pings",
        "deliveries_url": f"{own}/deliveries",
        "last_response": {
            "code": last.status_code if last else None,
            "status": "unused" if last is None else "active" if last.status == "OK" else "failed",
            "message": last.status if last else None,
        },
    }


def delivery_item(one: Delivery) -> dict[str, Any]:
    """Return a delivery as the list has it."""
    return {
        "id": one.id,
        "guid": one.guid,
        "delivered_at": written(one.delivered_at),
        "redelivery": one.redelivery,
        "duration": one.duration,
        "status": one.status,
        "status_code": one.status_code,
        "event": one.event,
        "action": one.action,
        "installation_id": one.installation_id,
        "repository_id": one.repository_id,
        "throttled_at": None,
    }


def delivery(one: Delivery, target: Hook) -> dict[str, Any]:
    """Return a delivery with what was sent and what came back."""
    return delivery_item(one) | {
        "url": target.url,
        "request": {"headers": one.request_headers, "payload": one.payload},
        "response": {"headers": one.response_headers, "payload": one.response_body},
    }

"""Webhook payloads, composed from the state as it is at that moment."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from tests.servers.github.accounts import Account
from tests.servers.github.conversation import Label
from tests.servers.github.shapes import accounts, hooks, installations, pull_requests, repositories

if TYPE_CHECKING:
    from tests.servers.github.hooks import Hook
    from tests.servers.github.installations import Installation
    from tests.servers.github.pull_requests import PullRequest
    from tests.servers.github.repositories import Repository


def pull_request(
    pull: PullRequest, action: str, *, sender: Account | None = None, label: Label | None = None, **more: Any
) -> dict[str, Any]:
    """Return a ``pull_request`` event; ``more`` are the keys that only some actions have."""
    if label is not None:
        more["label"] = pull_requests.label(label, pull.repository)
    return {
        "action": action,
        "number": pull.number,
        "pull_request": pull_requests.full(pull),
        **more,
        **_around(pull.repository, sender or pull.author),
    }


def repository_event(
    repository: Repository, action: str, *, previous_owner: Account | None = None, **more: Any
) -> dict[str, Any]:
    """Return a ``repository`` event."""
    if previous_owner is not None:
        kind = "organization" if previous_owner.type == "Organization" else "user"
        shape = accounts.organization if kind == "organization" else accounts.known
        more["changes"] = {"owner": {"from": {kind: shape(repository.world, previous_owner)}}}
    return {"action": action, **more, **_around(repository, repository.owner)}


def ping(hook: Hook, repository: Repository) -> dict[str, Any]:
    """Return the ``ping`` of a new hook."""
    return {
        "zen": "Keep it logically awesome.",
        "hook_id": hook.id,
        "hook": hooks.hook(hook, repository),
        **_around(repository, repository.owner),
    }


def installation_event(installation: Installation, action: str, covered: Iterable[Repository]) -> dict[str, Any]:
    """Return an ``installation`` event."""
    return {
        "action": action,
        "installation": installations.installation(installation),
        "repositories": [repositories.named(one) for one in covered],
        "sender": accounts.known(installation.world, installation.account),
    }


def _around(repository: Repository, sender: Account | None) -> dict[str, Any]:
    world = repository.world
    made: dict[str, Any] = {"repository": repositories.in_payload(repository)}
    if repository.owner.type == "Organization":
        made["organization"] = accounts.organization(world, repository.owner)
    who = accounts.account(world, sender)
    return made | {
        "sender": who or accounts.known(world, world.user("ghost")),
    }

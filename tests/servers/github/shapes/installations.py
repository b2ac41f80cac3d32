"""The app, its installations and their tokens as GitHub's JSON has them."""

from __future__ import annotations

from typing import Any

from tests.servers.github.accounts import Account
from tests.servers.github.installations import App, Installation, InstallationToken
from tests.servers.github.moments import written
from tests.servers.github.shapes import accounts, repositories


def app(one: App) -> dict[str, Any]:
    """Return the app as ``GET /app`` has it."""
    return {
        "id": one.id,
        "client_id": one.client_id,
        "slug": one.slug,
        "node_id": f"A_{one.id}",
        "owner": accounts.known(one.world, one.world.user("app-maker", type="Organization")),
        "name": one.name,
        "description": None,
        "external_url": one.world.html_host,
        "html_url": f"{one.world.html_host}/apps/{one.slug}",
        "created_at": written(one.created_at),
        "updated_at": written(one.created_at),
        "permissions": one.permissions,
        "events": list(one.events),
        "installations_count": sum(not installation.deleted for installation in one.installations.values()),
    }


def installation(one: Installation) -> dict[str, Any]:
    """Return an installation."""
    api = one.world.api_url
    who: Account = one.account
    return {
        "id": one.id,
        "client_id": one.app.client_id,
        "account": accounts.account(one.world, who),
        "repository_selection": "all" if one.repositories == "all" else "selected",
        "access_tokens_url": f"{api}/app/installations/{one.id}/access_tokens",
        "repositories_url": f"{api}/installation/repositories",
        "html_url": f"{one.world.html_host}/organizations/{who.login}/settings/installations/{one.id}",
        "app_id": one.app.id,
        "app_slug": one.app.slug,
        "target_id": who.id,
        "target_type": who.type,
        "permissions": one.permissions,
        "events": list(one.app.events),
        "created_at": written(one.created_at),
        "updated_at": written(one.updated_at),
        "single_file_name": None,
        "has_multiple_single_files": False,
        "single_file_paths": [],
        "suspended_by": accounts.account(one.world, who) if one.suspended_at else None,
        "suspended_at": written(one.suspended_at),
    }


def token(one: InstallationToken) -> dict[str, Any]:
    """Return a fresh token of an installation."""
    selected = one.repository_ids is not None or one.installation.repositories != "all"
    made = {
        "token": one.value,
        "expires_at": written(one.expires_at),
        "permissions": one.permissions,
        "repository_selection": "selected" if selected else "all",
    }
    if one.repository_ids is None:
        return made
    world = one.installation.world
    return made | {"repositories": [repositories.repository(world.repositories[key]) for key in one.repository_ids]}

"""The app, its installations and their tokens; and what a caller learns about itself and about GitHub."""

from __future__ import annotations

from typing import Any

from tests.servers.github.credentials import LEVELS, OfInstallation, Personal
from tests.servers.github.exchange import Answer, Refusal, Request
from tests.servers.github.installations import Installation
from tests.servers.github.repositories import Repository
from tests.servers.github.rest.pages import cut, page
from tests.servers.github.shapes import accounts, installations, repositories


def app(request: Request) -> Answer:
    """``GET /app``."""
    return Answer(body=installations.app(request.world.app))


def listed(request: Request) -> Answer:
    """``GET /app/installations``."""
    there = [one for one in request.world.app.installations.values() if not one.deleted]
    return page(request, there, installations.installation)


def one(request: Request, installation_id: str) -> Answer:
    """``GET /app/installations/{installation_id}``."""
    return Answer(body=installations.installation(_of(request, installation_id)))


def of_repository(request: Request, repository: Repository) -> Answer:
    """``GET /repos/{owner}/{repo}/installation``."""
    found = request.world.app.installation_of(repository)
    if found is None:
        raise Refusal(404, "Not Found")
    return Answer(body=installations.installation(found))


def access_token(request: Request, installation_id: str) -> Answer:
    """``POST /app/installations/{installation_id}/access_tokens``: for an hour, never for more than was given."""
    installation, asked = _of(request, installation_id), request.json
    if installation.suspended_at:
        raise Refusal(403, "This installation has been suspended")
    wanted = asked.get("permissions") or {}
    if any(LEVELS[level] > LEVELS[installation.permissions.get(name, "")] for name, level in wanted.items()):
        raise Refusal(422, "The permissions requested are not granted to this installation.")
    ids = _chosen(request, installation, asked)
    return Answer(201, installations.token(installation.token(wanted or None, ids)))


def covered(request: Request) -> Answer:
    """``GET /installation/repositories``: what the token was made for."""
    caller = request.credential
    if not isinstance(caller, OfInstallation):
        raise Refusal(403, "You must authenticate with an installation access token in order to list repositories.")
    there = [known for known in request.world.repositories_of(caller.installation) if caller.covers(known)]
    chosen, headers = cut(request, there)
    selected = caller.installation.repositories != "all"
    body = {
        "total_count": len(there),
        "repository_selection": "selected" if selected else "all",
        "repositories": [repositories.repository(known) for known in chosen],
    }
    return Answer(body=body, headers=headers)


def user(request: Request) -> Answer:
    """``GET /user``."""
    caller = request.credential
    if not isinstance(caller, Personal) or caller.token is None:
        raise Refusal(401 if caller.name == "anonymous" else 403, caller.refusal)
    return Answer(body=accounts.private_user(request.world, caller.token.account))


def public_user(request: Request, username: str) -> Answer:
    """``GET /users/{username}``: what a client asks for that reads more of an author than a list holds."""
    found = request.world.accounts.get(username.lower())
    if found is None:
        raise Refusal(404, "Not Found")
    return Answer(body=accounts.public_user(request.world, found))


def meta(_request: Request) -> Answer:
    """``GET /meta``: the addresses that hooks come from."""
    return Answer(body={"verifiable_password_authentication": False, "hooks": ["127.0.0.0/8"], "api": ["127.0.0.0/8"]})


def rate_limit(request: Request) -> Answer:
    """``GET /rate_limit``: costs nothing."""
    limits, caller = request.world.limits, request.credential
    core, graphql = (limits.window(caller, resource).shape() for resource in ("core", "graphql"))
    return Answer(body={"resources": {"core": core, "search": core, "graphql": graphql}, "rate": core})


def _of(request: Request, installation_id: str) -> Installation:
    found = request.world.app.installations.get(int(installation_id)) if installation_id.isdigit() else None
    if found is None or found.deleted:
        raise Refusal(404, "Not Found")
    return found


def _chosen(request: Request, installation: Installation, asked: dict[str, Any]) -> list[int] | None:
    names, ids = asked.get("repositories"), asked.get("repository_ids")
    if not names and not ids:
        return None
    there = request.world.repositories_of(installation)
    chosen = [known.id for known in there if known.id in (ids or ()) or known.name in (names or ())]
    if len(chosen) < len(names or ids or ()):
        raise Refusal(422, "There is at least one repository that does not exist or is not accessible.")
    return chosen

"""Repositories, accounts and files as GraphQL has them."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

from tests.servers.github.credentials import OfInstallation, Personal
from tests.servers.github.graphql import pull_requests
from tests.servers.github.graphql.connections import connection
from tests.servers.github.graphql.cost import QueryProblem
from tests.servers.github.moments import written
from tests.servers.github.shapes import accounts
from tests.servers.github.shapes import repositories as addresses

if TYPE_CHECKING:
    from tests.servers.github.accounts import Account
    from tests.servers.github.exchange import Request
    from tests.servers.github.pull_requests import PullRequest
    from tests.servers.github.repositories import Repository
    from tests.servers.github.world import World

MOST_TEXT = 512_000
"""Characters of a file that are answered; what follows is cut off."""
STATES = {"OPEN": "open", "CLOSED": "closed", "MERGED": "merged"}


def check_right(request: Request, repository: Repository, permission: str) -> None:
    """Raise GitHub's problem when the caller may not read that kind of thing there."""
    if not request.credential.may(repository, permission, "read"):
        raise QueryProblem("FORBIDDEN", request.credential.refusal)


def actor(world: World, who: Account | None) -> dict[str, Any] | None:
    """Return an account, or None for one that is gone; a bot's login has no "[bot]" here."""
    if who is None or who.deleted:
        return None
    shape = accounts.known(world, who)
    return {
        "__typename": who.type,
        "id": who.node_id,
        "databaseId": None if who.id > 2**31 else who.id,
        "login": who.login.removesuffix("[bot]"),
        "name": who.name,
        "url": shape["html_url"],
        "avatarUrl": shape["avatar_url"],
    }


def viewer(request: Request) -> dict[str, Any]:
    """Return the account behind the token."""
    caller = request.credential
    if isinstance(caller, Personal) and caller.token:
        who = caller.token.account
    else:
        assert isinstance(caller, OfInstallation)
        who = request.world.user(f"{caller.installation.app.slug}[bot]")
    return actor(request.world, who) or {}


def repository(one: Repository, request: Request) -> dict[str, Any]:
    """Return a repository."""
    at = written(one.created_at)

    def pull(_info: Any, number: int) -> dict[str, Any]:
        check_right(request, one, "pull_requests")
        found = one.pulls.get(number)
        if found is None:
            raise QueryProblem("NOT_FOUND", f"Could not resolve to a PullRequest with the number of {number}.")
        return pull_requests.pull_request(found, request)

    def pulls(_info: Any, **arguments: Any) -> dict[str, Any]:
        check_right(request, one, "pull_requests")
        return _pulls(one, request, arguments)

    def held(_info: Any, expression: str | None = None, **_more: Any) -> dict[str, Any] | None:
        check_right(request, one, "contents")
        return _commit(one, one.head_sha) if expression == "HEAD" else _blob(one, expression or "")

    return {
        "__typename": "Repository",
        "id": one.node_id,
        "databaseId": one.id,
        "name": one.name,
        "nameWithOwner": one.full_name,
        "owner": lambda _info: actor(one.world, one.owner),
        "url": addresses.page(one),
        "isPrivate": one.private,
        "isArchived": False,
        "isFork": False,
        "visibility": "PRIVATE" if one.private else "PUBLIC",
        "createdAt": at,
        "updatedAt": at,
        "pushedAt": at,
        "defaultBranchRef": lambda _info: ref(one, one.default_branch),
        "pullRequest": pull,
        "pullRequests": pulls,
        "object": held,
    }


def ref(one: Repository, branch: str) -> dict[str, Any]:
    """Return a branch."""
    return {"id": f"REF_{one.id}_{branch}", "name": branch, "target": _commit(one, one.branch_sha(branch))}


def _commit(one: Repository, sha: str) -> dict[str, Any]:
    target = {"__typename": "Commit", "id": f"C_{sha}", "oid": sha, "abbreviatedOid": sha[:7], "message": "A commit"}
    url = f"{addresses.page(one)}/commit/{sha}"
    return target | {"commitUrl": url, "url": url}


def _pulls(one: Repository, request: Request, arguments: dict[str, Any]) -> dict[str, Any]:
    order = arguments.get("orderBy") or {"field": "CREATED_AT", "direction": "ASC"}
    states, base = arguments.get("states"), arguments.get("baseRefName")
    wanted = {STATES[state] for state in states} if states else set(STATES.values())
    chosen = [
        pull
        for pull in one.pulls.values()
        if ("merged" if pull.merged_at else pull.state) in wanted and base in {None, pull.base}
    ]

    def key(pull: PullRequest) -> tuple[Any, ...]:
        moment = pull.updated_at if order["field"] == "UPDATED_AT" else pull.created_at
        return (moment.timestamp(), pull.id)

    falling = order["direction"] == "DESC"
    return connection(chosen, lambda pull: pull_requests.pull_request(pull, request), arguments, key, falling=falling)


def _blob(one: Repository, expression: str) -> dict[str, Any] | None:
    branch, _, path = expression.partition(":")
    if branch not in {"HEAD", one.default_branch, *one.branches, *one.branches.values()} or path not in one.files:
        return None
    held = one.files[path]
    data = held.encode() if isinstance(held, str) else held
    sha = hashlib.sha1(data, usedforsecurity=False).hexdigest()
    binary = b"\0" in data
    return {
        "__typename": "Blob",
        "id": f"B_{sha}",
        "oid": sha,
        "abbreviatedOid": sha[:7],
        "commitUrl": f"{addresses.page(one)}/commit/{one.head_sha}",
        "byteSize": len(data),
        "isBinary": binary,
        "isTruncated": len(data) > MOST_TEXT,
        "text": None if binary else data.decode()[:MOST_TEXT],
    }

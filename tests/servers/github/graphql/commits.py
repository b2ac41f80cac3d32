"""Commits with their authors, and their checks and statuses, as GraphQL has them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from tests.servers.github.conversation import Check, CommitSpec, Status
from tests.servers.github.graphql import repositories
from tests.servers.github.graphql.connections import connection, numbered
from tests.servers.github.moments import written
from tests.servers.github.shapes import repositories as addresses

if TYPE_CHECKING:
    from tests.servers.github.exchange import Request
    from tests.servers.github.pull_requests import PullRequest

CO_AUTHOR = re.compile(r"^co-authored-by:\s*(.+?)\s*<([^<>\s]+@[^<>\s]+)>\s*$", re.IGNORECASE | re.MULTILINE)
NO_REPLY = re.compile(r"(?:\d+\+)?([^@+]+)@users\.noreply\.")
FAILED = {"failure", "timed_out", "cancelled", "action_required", "startup_failure", "error"}


def pull_request_commit(one: CommitSpec, pull: PullRequest, request: Request) -> dict[str, Any]:
    """Return a commit in the list of a pull request."""
    url = f"{addresses.page(pull.repository)}/pull/{pull.number}/commits/{one.sha}"
    made = commit(one, pull)

    def rollup(_info: Any) -> dict[str, Any] | None:
        if one.sha != pull.head_sha or not (pull.checks or pull.statuses):
            return None
        repositories.check_right(request, pull.repository, "checks")
        return _rollup(pull)

    return {"id": f"PURC_{one.sha}", "url": url, "commit": made | {"statusCheckRollup": rollup}}


def merge_commit(pull: PullRequest) -> dict[str, Any] | None:
    """Return the commit that a merge made."""
    if pull.merge_commit_sha is None:
        return None
    author = pull.commits[-1]
    message = f"{pull.title} (#{pull.number})"
    spec = CommitSpec(message, author.author_login, author.author_name, author.author_email, pull.merged_at)
    spec.sha = pull.merge_commit_sha
    return commit(spec, pull)


def commit(one: CommitSpec, pull: PullRequest) -> dict[str, Any]:
    """Return a commit without its checks."""
    headline, _, rest = one.message.partition("\n")
    at, url = written(one.authored_at), f"{addresses.page(pull.repository)}/commit/{one.sha}"
    authors = _authors(one, pull)
    return {
        "__typename": "Commit",
        "id": f"C_{one.sha}",
        "oid": one.sha,
        "abbreviatedOid": one.sha[:7],
        "message": one.message,
        "messageHeadline": headline,
        "messageBody": rest.strip(),
        "committedDate": at,
        "authoredDate": at,
        "url": url,
        "commitUrl": url,
        "author": authors[0],
        "authors": lambda _info, **page: numbered(authors, lambda author: author, page),
        "statusCheckRollup": None,
    }


def _authors(one: CommitSpec, pull: PullRequest) -> list[dict[str, Any]]:
    """The author first, then who is named in trailers, each address once (C-24)."""
    named = [(one.author_name, one.author_email, one.author_login)]
    for name, email in CO_AUTHOR.findall(one.message):
        own = NO_REPLY.match(email)
        named.append((name, email, own.group(1) if own else None))
    found: dict[str, dict[str, Any]] = {}
    for name, email, login in named:
        user = repositories.actor(pull.world, pull.world.accounts.get((login or "").lower()))
        person = user if user and user["__typename"] == "User" else None
        found.setdefault(
            email.lower(), {"name": name, "email": email, "date": written(one.authored_at), "user": person}
        )
    return list(found.values())


def _rollup(pull: PullRequest) -> dict[str, Any]:
    words = {check.conclusion or "pending" for check in pull.checks} | {status.state for status in pull.statuses}
    state = "FAILURE" if words & FAILED else "PENDING" if "pending" in words else "SUCCESS"

    def contexts(_info: Any, **page: Any) -> dict[str, Any]:
        made = connection([*pull.checks, *pull.statuses], lambda one: _context(one, pull), page)
        return made | {"checkRunCount": len(pull.checks), "statusContextCount": len(pull.statuses)}

    return {"id": f"SCR_{pull.id}", "state": state, "contexts": contexts}


def _context(one: Check | Status, pull: PullRequest) -> dict[str, Any]:
    page = addresses.page(pull.repository)
    if isinstance(one, Status):
        return {
            "__typename": "StatusContext",
            "id": f"SC_{one.id}",
            "context": one.context,
            "state": one.state.upper(),
            "description": None,
            "targetUrl": f"{page}/statuses/{one.id}",
            "createdAt": written(one.at),
            "isRequired": one.required,
        }
    return {
        "__typename": "CheckRun",
        "id": f"CR_{one.id}",
        "databaseId": None,
        "name": one.name,
        "title": None,
        "conclusion": one.conclusion.upper() if one.conclusion else None,
        "status": "COMPLETED" if one.conclusion else "IN_PROGRESS",
        "detailsUrl": f"{page}/runs/{one.id}",
        "url": f"{page}/runs/{one.id}",
        "startedAt": written(one.at),
        "completedAt": written(one.at) if one.conclusion else None,
        "isRequired": one.required,
    }

"""Commits, check runs and statuses as GitHub's JSON has them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from tests.servers.github.conversation import Check, CommitSpec, Status
from tests.servers.github.moments import written
from tests.servers.github.shapes import accounts, repositories

if TYPE_CHECKING:
    from tests.servers.github.pull_requests import PullRequest
    from tests.servers.github.repositories import Repository
    from tests.servers.github.world import World


def author(world: World, one: CommitSpec) -> dict[str, Any] | None:
    """Return the account of a commit's author, or None when no account claims the address."""
    return accounts.account(world, world.accounts.get((one.author_login or "").lower()))


def commit(one: CommitSpec, pull: PullRequest, parent: str) -> dict[str, Any]:
    """Return a commit of a pull request."""
    repository = repositories.url(pull.repository)
    html = f"{repositories.page(pull.repository)}/commit"
    person = {"name": one.author_name, "email": one.author_email, "date": written(one.authored_at)}
    who = author(pull.world, one)
    verification = dict.fromkeys(("signature", "payload", "verified_at")) | {"verified": False, "reason": "unsigned"}
    return {
        "sha": one.sha,
        "node_id": f"C_{one.sha}",
        "commit": {
            "author": person,
            "committer": person,
            "message": one.message,
            "tree": {"sha": one.sha, "url": f"{repository}/git/trees/{one.sha}"},
            "url": f"{repository}/git/commits/{one.sha}",
            "comment_count": 0,
            "verification": verification,
        },
        "url": f"{repository}/commits/{one.sha}",
        "html_url": f"{html}/{one.sha}",
        "comments_url": f"{repository}/commits/{one.sha}/comments",
        "author": who,
        "committer": who,
        "parents": [{"sha": parent, "url": f"{repository}/commits/{parent}", "html_url": f"{html}/{parent}"}],
    }


def check_run(one: Check, pull: PullRequest) -> dict[str, Any]:
    """Return a check run of the head commit."""
    own = f"{repositories.url(pull.repository)}/check-runs/{one.id}"
    page = f"{repositories.page(pull.repository)}/runs/{one.id}"
    nothing = dict.fromkeys(("title", "summary", "text"))
    return {
        "id": one.id,
        "head_sha": pull.head_sha,
        "node_id": f"CR_{one.id}",
        "external_id": "",
        "url": own,
        "html_url": page,
        "details_url": page,
        "status": "completed" if one.conclusion else "in_progress",
        "conclusion": one.conclusion,
        "started_at": written(one.at),
        "completed_at": written(one.at) if one.conclusion else None,
        "output": nothing | {"annotations_count": 0, "annotations_url": f"{own}/annotations"},
        "name": one.name,
        "check_suite": {"id": one.id},
        "app": None,
        "pull_requests": [],
    }


def status(one: Status, pull: PullRequest) -> dict[str, Any]:
    """Return a commit status of the head commit."""
    return {
        "url": f"{repositories.url(pull.repository)}/statuses/{pull.head_sha}",
        "avatar_url": None,
        "id": one.id,
        "node_id": f"SC_{one.id}",
        "state": one.state,
        "description": None,
        "target_url": f"{repositories.page(pull.repository)}/statuses/{one.id}",
        "context": one.context,
        "created_at": written(one.at),
        "updated_at": written(one.at),
    }


def combined(
    pull: PullRequest | None, repository: Repository, sha: str, chosen: Sequence[Status], count: int
) -> dict[str, Any]:
    """Return the statuses of a commit as one: a failure outranks what is pending, and that a success."""
    states = {one.state for one in (pull.statuses if pull else ())}
    worst = "failure" if states & {"failure", "error"} else "success" if states == {"success"} else "pending"
    own = f"{repositories.url(repository)}/commits/{sha}"
    return {
        "state": worst,
        "statuses": [status(one, pull) for one in chosen if pull],
        "sha": sha,
        "total_count": count,
        "repository": repositories.short(repository),
        "commit_url": own,
        "url": f"{own}/status",
    }

"""Issues and comments in conversations as GitHub's JSON has them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.servers.github.conversation import Comment, Issue
from tests.servers.github.moments import written
from tests.servers.github.shapes import accounts, pull_requests, repositories

if TYPE_CHECKING:
    from tests.servers.github.pull_requests import PullRequest
    from tests.servers.github.repositories import Repository


def issue(one: Issue, repository: Repository) -> dict[str, Any]:
    """Return an issue."""
    page = f"{repositories.page(repository)}/issues/{one.number}"
    closed = one.state == "closed"
    return {
        **_addresses(repository, one.number),
        "html_url": page,
        "id": one.id,
        "node_id": f"I_{one.id}",
        "number": one.number,
        "state": one.state,
        "state_reason": "completed" if closed else None,
        "title": one.title,
        "body": one.body,
        "user": accounts.account(repository.world, one.author),
        "labels": [pull_requests.label(label, repository) for label in one.labels],
        "comments": len(one.comments),
        "closed_at": written(one.created_at) if closed else None,
        "created_at": written(one.created_at),
        "updated_at": written(one.created_at),
        "author_association": "NONE",
        **_nothing(),
    }


def of_pull(pull: PullRequest) -> dict[str, Any]:
    """Return a pull request as the issues API sees it."""
    page = pull_requests.page(pull)
    own = {"url": pull_requests.url(pull), "html_url": page, "diff_url": f"{page}.diff", "patch_url": f"{page}.patch"}
    return {
        **_addresses(pull.repository, pull.number),
        "html_url": page,
        "id": pull.id + 1,
        "node_id": pull.node_id,
        "number": pull.number,
        "state": pull.state,
        "title": pull.title,
        "body": pull.body,
        "user": accounts.account(pull.world, pull.author),
        "labels": [pull_requests.label(label, pull.repository) for label in pull.labels],
        "comments": len(pull.comments),
        "closed_at": written(pull.closed_at),
        "created_at": written(pull.created_at),
        "updated_at": written(pull.updated_at),
        "author_association": pull.author_association,
        "draft": pull.draft,
        "pull_request": own | {"merged_at": written(pull.merged_at)},
        **_nothing(),
    }


def comment(one: Comment, repository: Repository, number: int) -> dict[str, Any]:
    """Return a comment of a conversation."""
    own = f"{repositories.url(repository)}/issues"
    return {
        "url": f"{own}/comments/{one.id}",
        "html_url": f"{repositories.page(repository)}/issues/{number}#issuecomment-{one.id}",
        "issue_url": f"{own}/{number}",
        "id": one.id,
        "node_id": f"IC_{one.id}",
        "user": accounts.account(repository.world, one.author),
        "created_at": written(one.created_at),
        "updated_at": written(one.created_at),
        "author_association": one.author_association,
        "body": one.body,
        "performed_via_github_app": None,
    }


def _addresses(repository: Repository, number: int) -> dict[str, str]:
    own = f"{repositories.url(repository)}/issues/{number}"
    return {
        "url": own,
        "repository_url": repositories.url(repository),
        "labels_url": f"{own}/labels{{/name}}",
        "comments_url": f"{own}/comments",
        "events_url": f"{own}/events",
        "timeline_url": f"{own}/timeline",
    }


def _nothing() -> dict[str, Any]:
    none = dict.fromkeys(("assignee", "milestone", "active_lock_reason", "closed_by", "performed_via_github_app"))
    return none | {"assignees": [], "locked": False}

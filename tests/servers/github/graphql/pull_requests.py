"""Pull requests and what hangs on them as GraphQL has them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.servers.github.conversation import Comment, FileSpec, Issue, Label, Review, Thread
from tests.servers.github.graphql import commits, repositories
from tests.servers.github.graphql.connections import connection, numbered
from tests.servers.github.moments import written
from tests.servers.github.shapes import pull_requests as addresses
from tests.servers.github.shapes import repositories as repository_addresses

if TYPE_CHECKING:
    from tests.servers.github.exchange import Request
    from tests.servers.github.pull_requests import PullRequest
    from tests.servers.github.repositories import Repository

CHANGES = {"added": "ADDED", "removed": "DELETED", "renamed": "RENAMED", "copied": "COPIED", "changed": "CHANGED"}


def pull_request(pull: PullRequest, request: Request) -> dict[str, Any]:
    """Return a pull request; what hangs on it is only made when it is asked for."""
    state = "MERGED" if pull.merged_at else pull.state.upper()
    return {
        "__typename": "PullRequest",
        "id": pull.node_id,
        "databaseId": _small(pull.id),
        "fullDatabaseId": str(pull.id),
        "number": pull.number,
        "title": pull.title,
        "body": pull.body or "",
        "bodyText": pull.body or "",
        "url": addresses.page(pull),
        "createdAt": written(pull.created_at),
        "publishedAt": written(pull.created_at),
        "updatedAt": written(pull.updated_at),
        "mergedAt": written(pull.merged_at),
        "closedAt": written(pull.closed_at),
        "state": state,
        "merged": pull.merged_at is not None,
        "closed": pull.state == "closed",
        "isDraft": pull.draft,
        "locked": False,
        "baseRefName": pull.base,
        "baseRefOid": pull.base_sha,
        "headRefName": pull.head,
        "headRefOid": pull.head_sha,
        "isCrossRepository": pull.head_repo_gone,
        "additions": pull.additions,
        "deletions": pull.deletions,
        "changedFiles": pull.changed_files,
        "authorAssociation": pull.author_association,
        "totalCommentsCount": len(pull.comments) + sum(len(thread.comments) for thread in pull.threads),
        "author": lambda _info: repositories.actor(pull.world, pull.author),
        "mergedBy": lambda _info: repositories.actor(pull.world, pull.merged_by),
        "reviewDecision": lambda _info: _decision(pull),
        **_around(pull, request),
        **_lists(pull, request),
    }


def _around(pull: PullRequest, request: Request) -> dict[str, Any]:
    own = pull.repository
    gone = pull.head_repo_gone
    return {
        "repository": lambda _info: repositories.repository(own, request),
        "baseRepository": lambda _info: repositories.repository(own, request),
        "headRepository": lambda _info: None if gone else repositories.repository(own, request),
        "headRepositoryOwner": lambda _info: None if gone else repositories.actor(pull.world, own.owner),
        "headRef": lambda _info: None,
        "mergeCommit": lambda _info: commits.merge_commit(pull),
        "milestone": None,
    }


def _lists(pull: PullRequest, request: Request) -> dict[str, Any]:
    def reviews(_info: Any, states: list[str] | None = None, author: str | None = None, **page: Any) -> dict[str, Any]:
        chosen = [
            one
            for one in pull.reviews
            if (not states or one.state in states) and author in {None, one.author.login if one.author else ""}
        ]
        return connection(chosen, lambda one: _review(one, pull), page)

    return {
        "labels": lambda _info, **page: connection(pull.labels, lambda one: _label(one, pull.repository), page),
        "reviews": reviews,
        "reviewThreads": lambda _info, **page: connection(pull.threads, lambda one: _thread(one, pull), page),
        "comments": lambda _info, **page: connection(pull.comments, lambda one: _issue_comment(one, pull), page),
        "commits": lambda _info, **page: (
            numbered(pull.commits[:250], lambda one: commits.pull_request_commit(one, pull, request), page)
            | {"totalCount": len(pull.commits)}
        ),
        "files": lambda _info, **page: numbered(pull.files[:3_000], _file, page),
        "timelineItems": lambda _info, **page: connection(
            [pull] if pull.closed_at else [], _closed_event, {"last": page.get("last"), "first": page.get("first")}
        ),
        "closingIssuesReferences": lambda _info, **page: connection(
            pull.linked_issues, lambda pair: _issue(pair[0], pair[1], request), page, lambda pair: (pair[1].id,)
        ),
    }


def _closed_event(pull: PullRequest) -> dict[str, Any]:
    """The only event of the timeline that is known here."""
    return {
        "__typename": "ClosedEvent",
        "id": f"CE_{pull.id}",
        "actor": lambda _info: repositories.actor(pull.world, pull.closed_by),
        "closer": None,
        "createdAt": written(pull.closed_at),
        "url": addresses.page(pull),
    }


def _label(one: Label, repository: Repository) -> dict[str, Any]:
    return {
        "id": f"LA_{one.id}",
        "name": one.name,
        "color": one.color,
        "description": one.description,
        "isDefault": False,
        "url": f"{repository_addresses.page(repository)}/labels/{one.name}",
    }


def _review(one: Review, pull: PullRequest) -> dict[str, Any]:
    threads = [thread for thread in pull.threads if thread.review_id == one.id]
    said = [(comment, thread) for thread in threads for comment in thread.comments]
    at = written(one.submitted_at or pull.updated_at)
    return {
        "id": f"PRR_{one.id}",
        "databaseId": _small(one.id),
        "fullDatabaseId": str(one.id),
        "author": lambda _info: repositories.actor(pull.world, one.author),
        "authorAssociation": one.author_association,
        "body": one.body or "",
        "state": one.state,
        "submittedAt": written(one.submitted_at),
        "createdAt": at,
        "updatedAt": at,
        "url": f"{addresses.page(pull)}#pullrequestreview-{one.id}",
        "commit": lambda _info: commits.commit(pull.commits[-1], pull),
        "comments": lambda _info, **page: connection(
            said, lambda pair: _review_comment(pair[0], pair[1], pull), page, lambda pair: (pair[0].id,)
        ),
    }


def _thread(one: Thread, pull: PullRequest) -> dict[str, Any]:
    return {
        "id": f"PRRT_{one.id}",
        "isResolved": one.resolved,
        "isOutdated": one.outdated,
        "isCollapsed": one.resolved,
        "path": one.path,
        "line": one.line,
        "originalLine": one.original_line,
        "startLine": None,
        "originalStartLine": None,
        "diffSide": "RIGHT",
        "subjectType": "LINE",
        "resolvedBy": lambda _info: repositories.actor(pull.world, one.resolved_by),
        "comments": lambda _info, **page: connection(
            one.comments, lambda comment: _review_comment(comment, one, pull), page
        ),
    }


def _review_comment(one: Comment, thread: Thread, pull: PullRequest) -> dict[str, Any]:
    return _comment(one, pull, f"PRRC_{one.id}", f"#discussion_r{one.id}") | {
        "path": thread.path,
        "line": thread.line,
        "originalLine": thread.original_line,
        "outdated": thread.outdated,
        "diffHunk": "@@ -1 +1 @@\n-before\n+after",
        "state": "SUBMITTED",
    }


def _issue_comment(one: Comment, pull: PullRequest) -> dict[str, Any]:
    made = _comment(one, pull, f"IC_{one.id}", f"#issuecomment-{one.id}")
    return made | {"isMinimized": False, "minimizedReason": None}


def _comment(one: Comment, pull: PullRequest, node_id: str, place: str) -> dict[str, Any]:
    return {
        "id": node_id,
        "databaseId": _small(one.id),
        "fullDatabaseId": str(one.id),
        "author": lambda _info: repositories.actor(pull.world, one.author),
        "authorAssociation": one.author_association,
        "body": one.body,
        "createdAt": written(one.created_at),
        "updatedAt": written(one.created_at),
        "url": addresses.page(pull) + place,
    }


def _file(one: FileSpec) -> dict[str, Any]:
    kind = CHANGES.get(one.status, "MODIFIED")
    return {"path": one.filename, "additions": one.additions, "deletions": one.deletions, "changeType": kind}


def _issue(repository: Repository, one: Issue, request: Request) -> dict[str, Any]:
    at = written(one.created_at)
    return {
        "id": f"I_{one.id}",
        "databaseId": _small(one.id),
        "fullDatabaseId": str(one.id),
        "number": one.number,
        "title": one.title,
        "body": one.body or "",
        "url": f"{repository_addresses.page(repository)}/issues/{one.number}",
        "state": one.state.upper(),
        "closed": one.state == "closed",
        "createdAt": at,
        "updatedAt": at,
        "author": lambda _info: repositories.actor(repository.world, one.author),
        "repository": lambda _info: repositories.repository(repository, request),
        "labels": lambda _info, **page: connection(one.labels, lambda label: _label(label, repository), page),
    }


def _decision(pull: PullRequest) -> str | None:
    last = {review.author.login if review.author else "": review.state for review in pull.reviews}
    states = set(last.values())
    return next((state for state in ("CHANGES_REQUESTED", "APPROVED") if state in states), None)


def _small(number: int) -> int | None:
    """``databaseId`` is a 32-bit integer: GitHub has null there for what is beyond, and ``fullDatabaseId`` for all."""
    return number if number < 2**31 else None

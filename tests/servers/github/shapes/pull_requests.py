"""Pull requests and their lists as GitHub's JSON has them."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from tests.servers.github.conversation import Comment, FileSpec, Label, Review, Thread
from tests.servers.github.moments import written
from tests.servers.github.shapes import accounts, repositories

if TYPE_CHECKING:
    from tests.servers.github.pull_requests import PullRequest
    from tests.servers.github.repositories import Repository


def url(pull: PullRequest) -> str:
    """Return the API's address of a pull request."""
    return f"{repositories.url(pull.repository)}/pulls/{pull.number}"


def page(pull: PullRequest) -> str:
    """Return the address that people open."""
    return f"{repositories.page(pull.repository)}/pull/{pull.number}"


def label(one: Label, repository: Repository) -> dict[str, Any]:
    """Return a label."""
    return {
        "id": one.id,
        "node_id": f"LA_{one.id}",
        "url": f"{repositories.url(repository)}/labels/{quote(one.name)}",
        "name": one.name,
        "color": one.color,
        "default": False,
        "description": one.description,
    }


def simple(pull: PullRequest) -> dict[str, Any]:
    """Return the form in lists, which has no counts and does not say who merged."""
    world = pull.world
    return {
        **_addresses(pull),
        "id": pull.id,
        "node_id": pull.node_id,
        "number": pull.number,
        "state": pull.state,
        "locked": False,
        "title": pull.title,
        "user": accounts.account(world, pull.author),
        "body": pull.body,
        "created_at": written(pull.created_at),
        "updated_at": written(pull.updated_at),
        "closed_at": written(pull.closed_at),
        "merged_at": written(pull.merged_at),
        "merge_commit_sha": pull.merge_commit_sha,
        "assignee": None,
        "assignees": [],
        "requested_reviewers": [],
        "requested_teams": [],
        "labels": [label(one, pull.repository) for one in pull.labels],
        "milestone": None,
        "draft": pull.draft,
        "head": _head(pull),
        "base": _base(pull),
        "author_association": pull.author_association,
        "auto_merge": None,
        "active_lock_reason": None,
    }


def full(pull: PullRequest) -> dict[str, Any]:
    """Return the form of ``GET /repos/{owner}/{repo}/pulls/{pull_number}``, which webhook payloads hold too."""
    is_open = pull.state == "open"
    return simple(pull) | {
        "merged": pull.merged_at is not None,
        "mergeable": True if is_open else None,
        "rebaseable": True if is_open else None,
        "mergeable_state": "clean" if is_open else "unknown",
        "merged_by": accounts.account(pull.world, pull.merged_by),
        "comments": len(pull.comments),
        "review_comments": sum(len(thread.comments) for thread in pull.threads),
        "maintainer_can_modify": False,
        "commits": len(pull.commits),
        "additions": pull.additions,
        "deletions": pull.deletions,
        "changed_files": pull.changed_files,
    }


def file(one: FileSpec, pull: PullRequest) -> dict[str, Any]:
    """Return a changed file; ``patch`` and ``previous_filename`` are absent, never null."""
    path = quote(one.filename)
    made = {
        "sha": hashlib.sha1(one.filename.encode(), usedforsecurity=False).hexdigest(),
        "filename": one.filename,
        "status": one.status,
        "additions": one.additions,
        "deletions": one.deletions,
        "changes": one.additions + one.deletions,
        "blob_url": f"{repositories.page(pull.repository)}/blob/{pull.head_sha}/{path}",
        "raw_url": f"{repositories.page(pull.repository)}/raw/{pull.head_sha}/{path}",
        "contents_url": f"{repositories.url(pull.repository)}/contents/{path}?ref={pull.head_sha}",
    }
    if one.patch is not None:
        made["patch"] = one.patch
    if one.previous_filename is not None:
        made["previous_filename"] = one.previous_filename
    return made


def review(one: Review, pull: PullRequest) -> dict[str, Any]:
    """Return a review; a pending one has no ``submitted_at`` at all."""
    address = f"{page(pull)}#pullrequestreview-{one.id}"
    made = {
        "id": one.id,
        "node_id": f"PRR_{one.id}",
        "user": accounts.account(pull.world, one.author),
        "body": one.body,
        "state": one.state,
        "html_url": address,
        "pull_request_url": url(pull),
        "author_association": one.author_association,
        "_links": {"html": {"href": address}, "pull_request": {"href": url(pull)}},
        "commit_id": one.commit_id,
    }
    return made if one.submitted_at is None else made | {"submitted_at": written(one.submitted_at)}


def review_comment(one: Comment, thread: Thread, pull: PullRequest) -> dict[str, Any]:
    """Return a comment of a thread; the later ones say what they answer, an outdated one has null lines."""
    address = f"{repositories.url(pull.repository)}/pulls/comments/{one.id}"
    html = f"{page(pull)}#discussion_r{one.id}"
    made = {
        "url": address,
        "pull_request_review_id": thread.review_id,
        "id": one.id,
        "node_id": f"PRRC_{one.id}",
        "diff_hunk": "@@ -1 +1 @@\n-before\n+after",
        "path": thread.path,
        "commit_id": pull.head_sha,
        "original_commit_id": pull.head_sha,
        "user": accounts.account(pull.world, one.author),
        "body": one.body,
        "created_at": written(one.created_at),
        "updated_at": written(one.created_at),
        "html_url": html,
        "pull_request_url": url(pull),
        "author_association": one.author_association,
        "_links": {"self": {"href": address}, "html": {"href": html}, "pull_request": {"href": url(pull)}},
        "start_line": None,
        "original_start_line": None,
        "start_side": None,
        "line": thread.line,
        "original_line": thread.original_line,
        "side": "RIGHT",
        "position": None if thread.outdated else 1,
        "original_position": 1,
        "subject_type": "line",
    }
    first = thread.comments[0]
    return made if one is first else made | {"in_reply_to_id": first.id}


def _addresses(pull: PullRequest) -> dict[str, Any]:
    repository, own, html = repositories.url(pull.repository), url(pull), page(pull)
    issue, statuses = f"{repository}/issues/{pull.number}", f"{repository}/statuses/{pull.head_sha}"
    links = {
        "self": own,
        "html": html,
        "issue": issue,
        "comments": f"{issue}/comments",
        "review_comments": f"{own}/comments",
        "review_comment": f"{repository}/pulls/comments{{/number}}",
        "commits": f"{own}/commits",
        "statuses": statuses,
    }
    return {
        "url": own,
        "html_url": html,
        "diff_url": f"{html}.diff",
        "patch_url": f"{html}.patch",
        "issue_url": issue,
        "commits_url": links["commits"],
        "review_comments_url": links["review_comments"],
        "review_comment_url": links["review_comment"],
        "comments_url": links["comments"],
        "statuses_url": statuses,
        "_links": {key: {"href": address} for key, address in links.items()},
    }


def _head(pull: PullRequest) -> dict[str, Any]:
    if pull.head_repo_gone:
        return {"label": None, "ref": pull.head, "sha": pull.head_sha, "user": None, "repo": None}
    return _side(pull, pull.head, pull.head_sha)


def _base(pull: PullRequest) -> dict[str, Any]:
    return _side(pull, pull.base, pull.base_sha)


def _side(pull: PullRequest, branch: str, sha: str) -> dict[str, Any]:
    owner = pull.repository.owner
    return {
        "label": f"{owner.login}:{branch}",
        "ref": branch,
        "sha": sha,
        "user": accounts.known(pull.world, owner),
        "repo": repositories.repository(pull.repository),
    }

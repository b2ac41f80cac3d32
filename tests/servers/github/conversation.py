"""What hangs on a pull request: its files and commits, and what people and machines said about it."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

from tests.servers.github.accounts import Account


@dataclass
class FileSpec:
    """A changed file; ``patch=None`` leaves the key out, as GitHub does for binary and large files (C-41)."""

    filename: str
    status: str = "modified"
    additions: int = 1
    deletions: int = 1
    patch: str | None = "@@ -1 +1 @@\n-before\n+after"
    previous_filename: str | None = None


@dataclass
class CommitSpec:
    """A commit of a pull request; ``author_login=None`` is an e-mail address that no account claims."""

    message: str = "Keep the order of the queue"
    author_login: str | None = "octocat"
    author_name: str = "Octo Cat"
    author_email: str = "octocat@users.noreply.example"
    authored_at: datetime | None = None
    sha: str = ""


@dataclass
class Review:
    """A review; ``author`` None is a deleted account, ``submitted_at`` None a pending one."""

    id: int
    author: Account | None
    state: str
    body: str | None
    submitted_at: datetime | None
    commit_id: str
    author_association: str = "MEMBER"


@dataclass
class Comment:
    """A comment in the conversation or in a thread of a review."""

    id: int
    author: Account | None
    body: str
    created_at: datetime
    author_association: str = "CONTRIBUTOR"


@dataclass
class Thread:
    """A thread of review comments on one line; an outdated one has lost its line."""

    id: int
    path: str
    line: int | None
    original_line: int | None
    comments: list[Comment]
    review_id: int
    resolved: bool = False
    resolved_by: Account | None = None
    outdated: bool = False


@dataclass
class Check:
    """A check run on the head commit; ``conclusion`` None is one that still runs."""

    id: int
    name: str
    conclusion: str | None
    at: datetime
    required: bool = False


@dataclass
class Status:
    """A commit status, the older kind of check: error, failure, pending or success."""

    id: int
    context: str
    state: str
    at: datetime
    required: bool = False


@dataclass
class Label:
    """A label of a repository."""

    id: int
    name: str
    color: str = "d73a4a"
    description: str = ""


@dataclass
class Issue:
    """An issue: one that a pull request closes, or one that was created through the API."""

    id: int
    number: int
    title: str
    body: str | None
    author: Account | None
    created_at: datetime
    labels: list[Label] = field(default_factory=list)
    state: str = "open"
    comments: list[Comment] = field(default_factory=list)

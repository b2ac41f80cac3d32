"""A pull request of the stand-in: what happens to it in a test, and the events that follow."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Any

from tests.servers.github.accounts import Account
from tests.servers.github.conversation import Check, Comment, CommitSpec, FileSpec, Issue, Label, Review, Status, Thread

if TYPE_CHECKING:
    from tests.servers.github.repositories import Repository


class PullRequest:
    """A pull request; each method is one thing that somebody does, at a moment, and is sent to the hooks."""

    def __init__(
        self,
        repository: Repository,
        number: int,
        title: str,
        author: Account,
        at: datetime,
        commits: Iterable[CommitSpec],
        files: Iterable[FileSpec],
    ) -> None:
        self.repository, self.world = repository, repository.world
        self.id, self.number = self.world.next_id(), number
        self.title, self.author = title, author
        self.body: str | None = None
        self.head = "topic"
        self.onto(repository.default_branch)
        self.created_at = self.updated_at = at
        self.commits = [self._dated(commit, index) for index, commit in enumerate(commits)]
        self.files = list(files)
        self.state, self.draft, self.head_repo_gone = "open", False, False
        self.author_association = "CONTRIBUTOR"
        self.labels: list[Label] = []
        self.closed_at: datetime | None = None
        self.closed_by: Account | None = None
        self.merged_at: datetime | None = None
        self.merged_by: Account | None = None
        self.merge_commit_sha: str | None = None
        self.reviews: list[Review] = []
        self.threads: list[Thread] = []
        self.comments: list[Comment] = []
        self.checks: list[Check] = []
        self.statuses: list[Status] = []
        self.linked_issues: list[tuple[Repository, Issue]] = []
        self.totals: dict[str, int] = {}

    @property
    def head_sha(self) -> str:
        """The commit that would be merged."""
        return self.commits[-1].sha

    @property
    def node_id(self) -> str:
        """The id that GraphQL knows it by."""
        return f"PR_{self.id}"

    @property
    def additions(self) -> int:
        """Added lines: the sum of the files, unless the test gave a total of its own (R-51)."""
        return self.totals.get("additions", sum(file.additions for file in self.files))

    @property
    def deletions(self) -> int:
        """Deleted lines, likewise."""
        return self.totals.get("deletions", sum(file.deletions for file in self.files))

    @property
    def changed_files(self) -> int:
        """Changed files, likewise."""
        return self.totals.get("changed_files", len(self.files))

    def onto(self, branch: str) -> None:
        """Aim at a branch, as it is now."""
        self.base, self.base_sha = branch, self.repository.branch_sha(branch)

    def review(
        self, author: str | None, state: str = "APPROVED", body: str | None = "", at: datetime | None = None
    ) -> Review:
        """Somebody reviews; None is a deleted account, PENDING is not submitted yet (C-02)."""
        with self.world.lock:
            moment = self._moved(at)
            submitted = None if state == "PENDING" else moment
            made = Review(self.world.next_id(), self._person(author), state, body, submitted, self.head_sha)
            self.reviews.append(made)
        return made

    def thread(
        self,
        path: str,
        line: int | None = 1,
        comments: Iterable[tuple[str | None, str]] = (("alice", "Why?"),),
        *,
        resolved: bool = False,
        outdated: bool = False,
        at: datetime | None = None,
    ) -> Thread:
        """A thread of review comments, and the review that it came with (COMMENTED, without text), as on GitHub."""
        with self.world.lock:
            moment = self._moved(at)
            said = [Comment(self.world.next_id(), self._person(who), text, moment) for who, text in comments]
            review = Review(self.world.next_id(), said[0].author, "COMMENTED", "", moment, self.head_sha)
            self.reviews.append(review)
            made = Thread(self.world.next_id(), path, None if outdated else line, line, said, review.id)
            made.resolved, made.outdated = resolved, outdated
            made.resolved_by = self.author if resolved else None
            self.threads.append(made)
        return made

    def comment(self, author: str | None, text: str, at: datetime | None = None) -> Comment:
        """Somebody says something in the conversation."""
        with self.world.lock:
            made = Comment(self.world.next_id(), self._person(author), text, self._moved(at))
            self.comments.append(made)
        return made

    def touch(self, at: datetime | None = None) -> None:
        """Something happens that only moves the pull request in the order of updates (C-22)."""
        with self.world.lock:
            self._moved(at)

    def check(
        self, name: str, conclusion: str | None = "success", at: datetime | None = None, *, required: bool = False
    ) -> Check:
        """A check run ends on the head commit, or still runs (None)."""
        with self.world.lock:
            made = Check(self.world.next_id(), name, conclusion, self.world.moment(at), required)
            self.checks.append(made)
        return made

    def status(
        self, context: str, state: str = "success", at: datetime | None = None, *, required: bool = False
    ) -> Status:
        """A commit status is set on the head commit."""
        with self.world.lock:
            made = Status(self.world.next_id(), context, state, self.world.moment(at), required)
            self.statuses.append(made)
        return made

    def link_issue(self, number: int, title: str, repository: Repository | None = None) -> Issue:
        """Merging this closes an issue, of this repository if no other is named."""
        with self.world.lock:
            where = repository or self.repository
            issue = where.issue(number, title)
            self.linked_issues.append((where, issue))
        return issue

    def label(self, name: str, at: datetime | None = None) -> None:
        """Somebody adds a label."""
        with self.world.lock:
            label = self.repository.label(name)
            self.labels.append(label)
            self._moved(at)
        self._happened("labeled", label=label)

    def unlabel(self, name: str, at: datetime | None = None) -> None:
        """Somebody takes a label off."""
        with self.world.lock:
            label = self.repository.label(name)
            self.labels.remove(label)
            self._moved(at)
        self._happened("unlabeled", label=label)

    def edit(
        self, title: str | None = None, body: str | None = None, base: str | None = None, at: datetime | None = None
    ) -> None:
        """Somebody changes the title, the description or the base branch."""
        changes: dict[str, Any] = {}
        with self.world.lock:
            if title is not None:
                changes["title"], self.title = {"from": self.title}, title
            if body is not None:
                changes["body"], self.body = {"from": self.body or ""}, body
            if base is not None:
                changes["base"] = {"ref": {"from": self.base}, "sha": {"from": self.base_sha}}
                self.onto(base)
            self._moved(at)
        self._happened("edited", changes=changes)

    def push(self, commit: CommitSpec, files: Iterable[FileSpec] | None = None, at: datetime | None = None) -> None:
        """Somebody pushes one more commit."""
        with self.world.lock:
            before = self.head_sha
            self.commits.append(self._dated(commit, len(self.commits)))
            self.files = self.files if files is None else list(files)
            self._moved(at)
        self._happened("synchronize", before=before, after=self.head_sha)

    def merge(self, at: datetime | None = None, by: str | None = "maintainer", sha: str | None = None) -> PullRequest:
        """Somebody merges it; ``by=None`` is a merge by a push, which names nobody (C-16)."""
        with self.world.lock:
            self._closed(at)
            self.merged_at, self.merged_by = self.closed_at, None if by is None else self.world.user(by)
            self.closed_by = self.merged_by
            self.merge_commit_sha = sha or _sha(self.repository.id, self.number, "merge")
            self.repository.branches[self.base] = self.merge_commit_sha
            for _where, issue in self.linked_issues:
                issue.state = "closed"
        self._happened("closed", sender=self.merged_by)
        return self

    def close(self, at: datetime | None = None, by: str | None = None) -> None:
        """Somebody closes it without merging; its author, unless another is named."""
        with self.world.lock:
            self._closed(at)
            self.closed_by = self.author if by is None else self.world.user(by)
        self._happened("closed", sender=self.closed_by)

    def reopen(self, at: datetime | None = None) -> None:
        """Somebody opens a closed one again."""
        with self.world.lock:
            self.repository.open_count += self.state == "closed"
            self.state, self.closed_at = "open", None
            self._moved(at)
        self._happened("reopened")

    def _happened(self, action: str, **more: Any) -> None:
        self.world.emit_pull_request(self, action, **more)

    def _closed(self, at: datetime | None) -> None:
        self.repository.open_count -= self.state == "open"
        self.state, self.closed_at = "closed", self._moved(at)

    def _moved(self, at: datetime | None) -> datetime:
        self.updated_at = self.world.moment(at)
        return self.updated_at

    def _person(self, login: str | None) -> Account | None:
        return None if login is None else self.world.user(login)

    def _dated(self, commit: CommitSpec, index: int) -> CommitSpec:
        sha = commit.sha or _sha(self.repository.id, self.number, index)
        self.repository.pulls_by_commit.setdefault(sha, self)
        if commit.author_login:
            self.world.user(commit.author_login)
        return replace(commit, sha=sha, authored_at=commit.authored_at or self.created_at)


def _sha(*parts: object) -> str:
    return hashlib.sha1("/".join(map(str, parts)).encode(), usedforsecurity=False).hexdigest()

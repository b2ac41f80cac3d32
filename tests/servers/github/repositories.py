"""A repository of the stand-in: its pull requests, issues, files, labels and hooks, and what happens to its name."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from datetime import datetime
from typing import TYPE_CHECKING

from tests.servers.github.accounts import Account
from tests.servers.github.conversation import CommitSpec, FileSpec, Issue, Label
from tests.servers.github.hooks import Hook
from tests.servers.github.pull_requests import PullRequest

if TYPE_CHECKING:
    from tests.servers.github.world import World


class Repository:
    """A repository; the number that names it stays when its name and owner change (R-52)."""

    def __init__(self, world: World, name: str, owner: Account, number: int, *, private: bool, branch: str) -> None:
        self.world, self.id, self.name, self.owner = world, number, name, owner
        self.private, self.default_branch = private, branch
        self.created_at = self.updated_at = world.moment(None)
        self.branches: dict[str, str] = {}
        self.pulls: dict[int, PullRequest] = {}
        self.pulls_by_id: dict[int, PullRequest] = {}
        self.pulls_by_commit: dict[str, PullRequest] = {}
        self.issues: dict[int, Issue] = {}
        self.labels: dict[str, Label] = {}
        self.files: dict[str, str | bytes] = {}
        self.hooks: dict[int, Hook] = {}
        self.deleted = False
        self.blocked: int | None = None
        self.open_count = 0
        self._last_number = 0

    @property
    def full_name(self) -> str:
        """Owner and name, as they are now."""
        return f"{self.owner.login}/{self.name}"

    @property
    def node_id(self) -> str:
        """The id that GraphQL knows it by."""
        return f"R_{self.id}"

    @property
    def head_sha(self) -> str:
        """The newest commit of the default branch."""
        return self.branch_sha(self.default_branch)

    def goes_by(self, names: Iterable[str]) -> bool:
        """Whether one of the names is this repository's, or was."""
        return any(self.world.repository_named(name) is self for name in names)

    def branch_sha(self, branch: str) -> str:
        """Return the newest commit of a branch."""
        first = hashlib.sha1(f"{self.id}/{branch}".encode(), usedforsecurity=False).hexdigest()
        return self.branches.setdefault(branch, first)

    def open_pull(
        self,
        title: str,
        author: str = "octocat",
        body: str | None = "What changes, and why.",
        base: str | None = None,
        head: str = "topic",
        *,
        head_repo_gone: bool = False,
        labels: Iterable[str] = (),
        created_at: datetime | None = None,
        commits: Iterable[CommitSpec] | None = None,
        files: Iterable[FileSpec] | None = None,
        draft: bool = False,
        author_association: str = "CONTRIBUTOR",
        **totals: int,
    ) -> PullRequest:
        """Somebody opens a pull request.

        ``totals`` (additions, deletions, changed_files) are for a pull request whose list of files does not add up (R-51).
        """
        changed = [FileSpec("src/engine.py")] if files is None else files
        with self.world.lock:
            at, steps = self.world.moment(created_at), commits or [CommitSpec(title, author)]
            pull = PullRequest(self, self._next_number(), title, self.world.user(author), at, steps, changed)
            pull.body, pull.head, pull.draft, pull.totals = body, head, draft, totals
            pull.head_repo_gone, pull.author_association = head_repo_gone, author_association
            pull.labels = [self.label(name) for name in labels]
            pull.onto(base or self.default_branch)
            self.pulls[pull.number] = self.pulls_by_id[pull.id] = pull
            self.open_count += 1
        self.world.emit_pull_request(pull, "opened")
        return pull

    def label(self, name: str) -> Label:
        """Return the label of that name, made if there is none."""
        return self.labels.setdefault(name, Label(self.world.next_id(), name))

    def issue(self, number: int, title: str) -> Issue:
        """Return the issue of that number, made if there is none."""
        author = self.world.user("octocat")
        return self.issues.setdefault(
            number, Issue(self.world.next_id(), number, title, None, author, self.world.moment(None))
        )

    def create_issue(self, title: str, body: str | None, labels: Iterable[str], author: Account) -> Issue:
        """Somebody opens an issue through the API."""
        with self.world.lock:
            made = Issue(self.world.next_id(), self._next_number(), title, body, author, self.world.moment(None))
            made.labels = [self.label(name) for name in labels]
            self.issues[made.number] = made
        return made

    def add_hook(
        self,
        url: str,
        secret: str,
        events: Iterable[str] = ("pull_request",),
        content_type: str = "json",
        active: bool = True,
    ) -> Hook:
        """Somebody sets up a webhook; GitHub sends it a ping."""
        hook = Hook(self.world.next_id(), url, secret, tuple(events), content_type, active, self.world.moment(None))
        with self.world.lock:
            self.hooks[hook.id] = hook
        self.world.emit_ping(hook, self)
        return hook

    def rename(self, name: str) -> None:
        """The repository gets a new name, with or without its owner; the old one leads here until another takes it."""
        before = self.name
        self._move(name if "/" in name else f"{self.owner.login}/{name}")
        self.world.emit_repository(self, "renamed", changes={"repository": {"name": {"from": before}}})

    def transfer(self, full_name: str) -> None:
        """The repository goes to another owner; the old name leads here until another takes it."""
        before = self.owner
        self._move(full_name)
        self.world.emit_repository(self, "transferred", previous_owner=before)

    def delete(self) -> None:
        """The repository is deleted: 404 from now on."""
        with self.world.lock:
            self.deleted = True
        self.world.emit_repository(self, "deleted")

    def block(self, status: int = 451) -> None:
        """GitHub blocks the repository: 451 (legal), 403 (terms of service), 410 or 404 from now on."""
        self.blocked = status

    def unblock(self) -> None:
        """The block is lifted."""
        self.blocked = None

    def _move(self, full_name: str) -> None:
        owner, _, name = full_name.partition("/")
        with self.world.lock:
            self.owner, self.name = self.world.owner(owner), name
            self.world.name(self)

    def _next_number(self) -> int:
        self._last_number += 1
        while self._last_number in self.issues or self._last_number in self.pulls:
            self._last_number += 1
        return self._last_number

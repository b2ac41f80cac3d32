"""The merges of one branch of a clone, as whole pull requests."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from functools import cached_property
from pathlib import Path

from shared.domain.errors import InvalidInput
from shared.domain.protocols import Progress
from shared.domain.pull_request import PullRequest, RepositoryRef
from shared.sources.git_history.addresses import chosen_repository, repository_of_url
from shared.sources.git_history.branches import Branch, find_branch
from shared.sources.git_history.clone import Clone, open_clone
from shared.sources.git_history.commands import GitFailure
from shared.sources.git_history.commits import (
    LoggedCommit,
    brought_in,
    first_of_branch,
    first_parents,
    first_parents_before,
)
from shared.sources.git_history.conventions import convention_files
from shared.sources.git_history.diffs import DiffReader
from shared.sources.git_history.merges import FoundMerge, Named, find_merges, with_merged
from shared.sources.git_history.pull_requests import pull_request_of
from shared.sources.github_payloads import object_id

_BEFORE = timedelta(days=14)
"""How far before the window is looked for the beginning of a rebase merge and for earlier uses of a number."""

_AFTER = timedelta(hours=6)
"""How far after it for the end of a rebase merge."""

_NEAR = timedelta(days=1)
"""How far from the known merge time a vanished merge commit is looked for (D-03)."""

_LONGEST_REBASE = 250
"""GitHub rebases at most 100 commits; other hosts more."""

_EARLIEST = datetime(1, 1, 2, tzinfo=UTC)
_LATEST = datetime(9999, 12, 30, tzinfo=UTC)

_Place = tuple[FoundMerge, Sequence[LoggedCommit]]
"""A merge and the history in which it was found."""


class GitHistory:
    """Merges read from a clone; nothing is read before the first question.

    ``repository`` (OWNER/NAME) defaults to what the clone's origin names, ``branch`` to the default branch. Every
    method raises InvalidInput for a folder that is no clone, a missing branch, an origin that names no repository.
    """

    def __init__(self, path: Path, repository: str | None = None, branch: str | None = None) -> None:
        self.path = path
        self._repository = repository
        self._wanted = branch

    @cached_property
    def repository(self) -> RepositoryRef:
        """The repository whose merges these are."""
        url = self._clone.ask("config", "--get", "remote.origin.url")
        origin = repository_of_url(url) if url else None
        chosen = chosen_repository(self._repository, origin.host if origin else None) if self._repository else origin
        if chosen is None:
            raise InvalidInput(
                f"The clone {self.path} does not tell which repository it is.", "Name it with --repository OWNER/NAME."
            )
        return chosen.model_copy(update={"default_branch": self._default_branch()})

    @property
    def branch(self) -> str:
        """The name, on the host, of the branch whose merges these are."""
        return self._branch().name

    def merged_between(self, start: datetime, end: datetime, progress: Progress | None = None) -> Iterator[PullRequest]:
        """Yield each pull request merged into the branch with ``start <= merged_at < end``, oldest first, with diffs.

        The merge time is the committer time of its last commit. InvalidInput when a shallow clone does not reach back
        to ``start``.
        """
        branch = self._branch()
        with self._reading() as env:
            self._refuse_shallow(env, branch, start)
            history = first_parents(env, branch.tip, _moved(start, -_BEFORE), _moved(end, _AFTER))
            found = [one for one in find_merges(history) if start <= one.last.committed_at < end]
            found = _complete(env, branch.tip, history, found)
            found.sort(key=lambda one: (one.last.committed_at, one.named.number))
            for done, pull_request in enumerate(self._read(env, branch, found), start=1):
                yield pull_request
                if progress is not None:
                    progress(done, len(found))

    def details(self, facts: PullRequest) -> PullRequest | None:
        """Return the merge ``facts`` as the clone has it, or None when it does not.

        It is found by its merge commit; where that has vanished (a force push, D-03) or never reached the clone, by its
        number near the merge time on the branch.
        """
        branch = self._branch_of(facts)
        with self._reading() as env:
            place = self._by_commit(env, facts) or self._by_number(env, branch, facts)
            if place is None or self._clone.shallow().intersection(commit.sha for commit in place[0].commits):
                return None
            return next(self._read(env, branch, _complete(env, branch.tip, place[1], place[:1])))

    def conventions(self) -> dict[str, str]:
        """Return labeler.yml and CODEOWNERS of the branch as it stands, text by path."""
        tip = self._branch().tip
        with self._reading() as env:
            return convention_files(env, tip)

    def _branch(self) -> Branch:
        return find_branch(self._clone, self._wanted)

    def _branch_of(self, facts: PullRequest) -> Branch:
        """The branch that ``facts`` were merged into, else (renamed, deleted, not fetched) the usual one."""
        try:
            return find_branch(self._clone, facts.base_ref)
        except InvalidInput:
            return self._branch()

    def _default_branch(self) -> str | None:
        try:
            return find_branch(self._clone, None).name
        except InvalidInput:
            return None

    @property
    def _clone(self) -> Clone:
        return open_clone(self.path)

    @contextmanager
    def _reading(self) -> Iterator[Mapping[str, str]]:
        try:
            with self._clone.reading() as env:
                yield env
        except GitFailure as error:
            raise InvalidInput(f"The clone {self.path} cannot be read: {error}.", "Check it with git fsck.") from error

    def _read(self, env: Mapping[str, str], branch: Branch, found: Sequence[FoundMerge]) -> Iterator[PullRequest]:
        repository = self.repository
        with DiffReader(env) as reader:
            for one in found:
                files = reader.files(one.last.sha, one.base)
                yield pull_request_of(one, files, repository, branch.name)

    def _refuse_shallow(self, env: Mapping[str, str], branch: Branch, start: datetime) -> None:
        shallow = self._clone.shallow()
        if not shallow:
            return
        first = first_of_branch(env, branch.tip)
        if first is not None and first.sha in shallow and first.committed_at >= start:
            raise InvalidInput(
                f"The clone {self.path} is shallow: it only reaches back to {first.committed_at:%Y-%m-%d}.",
                "Complete it with: git fetch --unshallow",
            )

    def _by_commit(self, env: Mapping[str, str], facts: PullRequest) -> _Place | None:
        commit = object_id(facts.merge_commit_sha)
        if commit is None:
            return None
        try:
            history = first_parents_before(env, commit, _LONGEST_REBASE)
        except GitFailure:
            return None
        if not history:  # the id is that of another kind of object
            return None
        group = next((one.commits for one in find_merges(history) if one.last.sha == commit), history[:1])
        # The host knows which pull request this commit merged, whatever its message says.
        return FoundMerge(Named(facts.number, facts.title, facts.body, facts.head_ref), tuple(group)), history

    def _by_number(self, env: Mapping[str, str], branch: Branch, facts: PullRequest) -> _Place | None:
        history = first_parents(env, branch.tip, _moved(facts.merged_at, -_NEAR), _moved(facts.merged_at, _NEAR))
        one = next((one for one in find_merges(history) if one.named.number == facts.number), None)
        return (one, history) if one is not None else None


def _complete(
    env: Mapping[str, str], tip: str, history: Sequence[LoggedCommit], found: Sequence[FoundMerge]
) -> list[FoundMerge]:
    """Fill in the commits that merge commits brought in, with one question for all of them."""
    merges = [one for one in found if one.is_merge_commit]
    if not merges:
        return list(found)
    heads = [head for one in merges for head in one.last.parents[1:]]
    commits = brought_in(env, tip, heads, merges[0].last.parents[0])
    return with_merged(found, {commit.sha for commit in history}, commits)


def _moved(moment: datetime, by: timedelta) -> datetime:
    """The time ``by`` away, or the end of the calendar in that direction."""
    try:
        return moment + by
    except OverflowError:
        return _EARLIEST if by < timedelta(0) else _LATEST

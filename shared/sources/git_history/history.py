"""The merges of one branch of a clone, as whole pull requests."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from functools import cached_property
from pathlib import Path

from shared.domain.errors import InvalidInput
from shared.domain.protocols import Progress, SourceTexts
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
from shared.sources.git_history.file_texts import file_texts
from shared.sources.git_history.merges import FoundMerge, Named, find_merges, with_merged
from shared.sources.git_history.pull_requests import pull_request_of
from shared.sources.git_history.trace_cache import TraceCache, prune
from shared.sources.git_history.tracing import Tracing
from shared.sources.github_payloads import object_id

_BEFORE = timedelta(days=14)
"""How far before the window is looked for the beginning of a rebase merge and for earlier uses of a number."""

_AFTER = timedelta(hours=6)
"""How far after it for the end of a rebase merge."""

_NEAR = timedelta(days=1)
"""How far from the known merge time a vanished merge commit is looked for (D-03)."""

_AHEAD = timedelta(days=7)
"""How far ahead of a merge the tracing is prepared: whoever asks for one merge soon asks for those after it."""

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

    def __init__(
        self, path: Path, repository: str | None = None, branch: str | None = None, traces: Path | None = None
    ) -> None:
        """``traces`` is the folder in which traced histories are kept for the next time; None keeps none."""
        self.path = path
        self._repository = repository
        self._wanted = branch
        self._ends: dict[int, tuple[str, str | None]] = {}
        self._tracing = Tracing()
        self._traces = traces
        if traces is not None:
            prune(traces)

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
            history, found = _found_between(env, branch, start, end)
            found = _in_order(_complete(env, branch.tip, history, found))
            tracing = Tracing()
            self._prepare(tracing, env, branch, start, _moved(end, _AFTER))
            for done, pull_request in enumerate(self._read(env, branch, found, tracing), start=1):
                yield pull_request
                if progress is not None:
                    progress(done, len(found))

    def merge_times(self, start: datetime, end: datetime) -> Iterator[tuple[int, datetime]]:
        """Yield number and merge time of each merge with ``start <= merged_at < end``, oldest first; reads no diff."""
        branch = self._branch()
        with self._reading() as env:
            self._refuse_shallow(env, branch, start)
            _, found = _found_between(env, branch, start, end)
        for one in _in_order(found):
            yield one.named.number, one.last.committed_at

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
            merged_at = place[0].last.committed_at
            if not self._tracing.covers(place[0].last.sha, merged_at):
                self._prepare(self._tracing, env, branch, merged_at, _moved(merged_at, _AHEAD))
            found = _complete(env, branch.tip, place[1], place[:1])
            return next(self._read(env, branch, found, self._tracing))

    def sources(self, pull_request: PullRequest) -> SourceTexts:
        """Return the whole texts, before and after, of the files that the merge changed; empty when it is not there."""
        ends = self._ends_of(pull_request)
        if ends is None:
            return {}
        with self._reading() as env:
            return file_texts(env, *ends, pull_request.files or ())

    def _ends_of(self, pull_request: PullRequest) -> tuple[str, str | None] | None:
        """The commit that ended the merge, and the one before the merge: the host's own base is often an older one."""
        known = self._ends.get(pull_request.number)
        if known is not None:
            return known
        branch = self._branch_of(pull_request)
        with self._reading() as env:
            place = self._by_commit(env, pull_request) or self._by_number(env, branch, pull_request)
        return (place[0].last.sha, place[0].base) if place else None

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

    def _read(
        self, env: Mapping[str, str], branch: Branch, found: Sequence[FoundMerge], tracing: Tracing
    ) -> Iterator[PullRequest]:
        repository = self.repository
        with DiffReader(env) as reader:
            for one in found:
                files = reader.files(one.last.sha, one.base)
                self._ends[one.named.number] = one.last.sha, one.base
                history = tracing.of(reader, one, files)
                yield pull_request_of(one, files, repository, branch.name, history)

    def _prepare(
        self, tracing: Tracing, env: Mapping[str, str], branch: Branch, start: datetime, end: datetime
    ) -> None:
        ends = self._clone.shallow()
        cache = TraceCache(self._traces, self._clone.git_dir, ends) if self._traces else None
        tracing.prepare(env, branch.tip, start, end, ends, cache)

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


def _found_between(
    env: Mapping[str, str], branch: Branch, start: datetime, end: datetime
) -> tuple[Sequence[LoggedCommit], list[FoundMerge]]:
    """The history around the stretch of time, and the merges of it."""
    history = first_parents(env, branch.tip, _moved(start, -_BEFORE), _moved(end, _AFTER))
    return history, [one for one in find_merges(history) if start <= one.last.committed_at < end]


def _in_order(found: Iterable[FoundMerge]) -> list[FoundMerge]:
    return sorted(found, key=lambda one: (one.last.committed_at, one.named.number))


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

"""Traces what merges changed back to the merges that brought it, within bounds of time, lines and files."""

from __future__ import annotations

import time
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from shared.domain.code_history import CodeHistory, FileHistory, LineOrigin
from shared.domain.pull_request import ChangedFile
from shared.sources.commit_messages import split
from shared.sources.git_history.churn import BOUND, Churn, read_churn
from shared.sources.git_history.commands import GitFailure
from shared.sources.git_history.commits import LoggedCommit, first_parents
from shared.sources.git_history.diffs import DiffReader
from shared.sources.git_history.ledger import OLDER, Applied, LineLedger
from shared.sources.git_history.merges import FoundMerge, find_merges, pull_requests_named
from shared.sources.git_history.trace_cache import TraceCache

LOOK_BACK = timedelta(days=21)
"""How far before a merge the lines that it changed are traced."""

MOST_ORIGINS = 60
MOST_FILES = 60
"""Of one merge; the ones with the most lines are kept."""

ALLOWANCE = 2.0
"""Seconds that one merge may take on average, from the first one on; what is then not traced counts as such."""

_START = 60.0
"""Seconds allowed for reading up to the first merge."""

_TOO_SLOW = "not-followed"
"""Lines behind a gap of the history, or behind what there was no time for."""

_KEPT = timedelta(days=45)
"""How long a tracing goes on before it begins anew, which costs a reading of three weeks and frees memory."""


@dataclass(frozen=True)
class _Unit:
    """One pull request, or a commit of none, on the branch; its files are those between ``base`` and ``sha``.

    ``unknown`` at the beginning of the history, or of a shallow clone: what came with it was there before.
    """

    sha: str
    base: str | None
    shas: tuple[str, ...]
    number: int | None
    subject: str
    committed_at: datetime
    unknown: bool


@dataclass(frozen=True)
class _Known:
    """What a unit replaced; nothing from before ``blind_until`` was followed."""

    applied: Applied
    blind_until: datetime | None


@dataclass(frozen=True)
class _Wanted:
    """What the next merges are asked about: a branch, a stretch of it, and where a shallow clone ends."""

    env: Mapping[str, str]
    tip: str
    start: datetime
    end: datetime
    ends: frozenset[str]


class Tracing:
    """The history behind the merges of one branch; it reads each commit once, however the merges are asked for."""

    def __init__(self) -> None:
        self._ledger = LineLedger()
        self._units: list[_Unit] = []
        self._place: dict[str, int] = {}
        self._numbers: dict[str, int] = {}
        self._done = 0
        self._applied: dict[str, _Known] = {}
        self._churn: Churn | None = None
        self._start: datetime | None = None
        self._wanted: _Wanted | None = None
        self._cache: TraceCache | None = None
        self._blind_until: datetime | None = None
        self._deadline = 0.0

    def prepare(
        self,
        env: Mapping[str, str],
        tip: str,
        start: datetime,
        end: datetime,
        ends: Collection[str],
        cache: TraceCache | None = None,
    ) -> None:
        """Prepare for the merges of the branch that ends at ``tip`` with ``start <= committed_at < end``.

        ``ends`` are the commits at which a shallow clone ends: what they changed is not known. Nothing is read before
        a merge is asked for that ``cache`` does not have.
        """
        self._wanted, self._cache = _Wanted(env, tip, start, end, frozenset(ends)), cache

    def covers(self, sha: str, moment: datetime) -> bool:
        """Whether the merge commit ``sha`` of that moment is among those that were read already."""
        return sha in self._place and self._start is not None and moment >= self._start

    def of(self, reader: DiffReader, merge: FoundMerge, files: Sequence[ChangedFile] | None) -> CodeHistory | None:
        """Return the history behind ``merge``, which changed ``files``; None when it cannot be told.

        GitFailure when the clone cannot be read.
        """
        if files is None:
            return None
        kept = self._cache.get(merge.last.sha) if self._cache else None
        if kept is not None:
            return kept
        self._begin()
        place = self._place.get(merge.last.sha)
        if place is None or self._units[place].base != merge.base:
            return None
        self._deadline += ALLOWANCE
        while self._done <= place:
            self._apply(reader, self._done, files if self._done == place else None)
            self._done += 1
        known = self._applied.get(merge.last.sha)
        if known is None:
            return None
        told = self._told(self._units[place], known, files)
        if self._cache is not None and _TOO_SLOW not in told.untraced:
            self._cache.put(merge.last.sha, told)
        return told

    def _begin(self) -> None:
        """List the commits of the stretch; what was read of an earlier one that it goes on from stays."""
        wanted, self._wanted = self._wanted, None
        if wanted is None:
            return
        kept = self._start if self._start and self._start <= wanted.start <= self._start + _KEPT else None
        history = first_parents(wanted.env, wanted.tip, _before(kept or wanted.start, LOOK_BACK), wanted.end)
        units = _units_of(history, wanted.ends)
        if kept is None or units[: self._done] != self._units[: self._done]:
            self._ledger, self._done, self._applied, self._blind_until = LineLedger(), 0, {}, None
            self._start = wanted.start
        self._units = units
        self._place = {sha: place for place, unit in enumerate(units) for sha in unit.shas}
        self._numbers = {sha: unit.number for unit in units for sha in unit.shas if unit.number is not None}
        self._churn = _churn_of(wanted, kept or wanted.start) if history else None
        self._deadline = time.monotonic() + _START

    def _apply(self, reader: DiffReader, place: int, files: Sequence[ChangedFile] | None) -> None:
        """Apply one unit, which changed ``files`` (None: to be read); without them the ledger forgets what it knew."""
        unit = self._units[place]
        gap = place > 0 and unit.base != self._units[place - 1].sha
        late = files is None and time.monotonic() > self._deadline
        if files is None and not unit.unknown and not late:
            files = reader.files(unit.sha, unit.base)
        if gap or unit.unknown or files is None:
            self._ledger.forget()
            self._blind_until = unit.committed_at
        if not unit.unknown and files is not None:
            self._applied[unit.sha] = _Known(self._ledger.apply(place + 1, files), self._blind_until)

    def _told(self, unit: _Unit, known: _Known, files: Sequence[ChangedFile]) -> CodeHistory:
        applied, blind = known.applied, known.blind_until
        since = _before(unit.committed_at, LOOK_BACK)
        older: dict[str, int] = {}
        origins: list[LineOrigin] = []
        for path, origin in sorted(applied.lines.keys() | applied.near.keys()):
            source = self._units[origin - 1] if origin != OLDER else None
            lines, near = applied.lines[path, origin], applied.near[path, origin]
            if source is None or source.committed_at < since:
                older[path] = older.get(path, 0) + lines
            else:
                origins.append(_origin(path, source, lines, near))
        origins.sort(key=lambda one: (-one.lines, -one.near, one.path, one.commit))
        kept = sorted(origins[:MOST_ORIGINS], key=lambda one: (one.path, -one.lines, -one.near, one.commit))
        untraced = dict(sorted(applied.untraced.items()))
        if blind is not None and blind > since and older:
            untraced[_TOO_SLOW] = untraced.get(_TOO_SLOW, 0) + sum(older.values())
            older = {}
        if cut := sum(one.lines for one in origins[MOST_ORIGINS:]):
            untraced["too-many"] = untraced.get("too-many", 0) + cut
        return CodeHistory(
            since=since,
            files_since=_before(unit.committed_at, BOUND),
            origins=tuple(kept),
            files=tuple(self._files(unit, files, older)),
            untraced=untraced,
        )

    def _files(self, unit: _Unit, files: Sequence[ChangedFile], older: Mapping[str, int]) -> Iterable[FileHistory]:
        since = _before(unit.committed_at, BOUND)
        churn = self._churn
        if churn is None or not churn.knows(unit.shas[0], since):
            return
        touched = sorted(files, key=lambda file: (-(file.additions + file.deletions), file.filename))[:MOST_FILES]
        for file in sorted(touched, key=lambda file: file.filename):
            if file.status != "added":
                path = file.previous_filename if file.status == "renamed" and file.previous_filename else file.filename
                told = churn.of(path, unit.shas[0], since, self._numbers)
                yield told.model_copy(update={"older": older.get(path, 0)})


def _churn_of(wanted: _Wanted, start: datetime) -> Churn | None:
    """The churn, or None for a clone that lacks even lists of files."""
    try:
        return read_churn(wanted.env, wanted.tip, _before(start, BOUND), wanted.ends)
    except GitFailure:
        return None


def _before(moment: datetime, by: timedelta) -> datetime:
    """The time ``by`` before, or the beginning of the calendar."""
    try:
        return moment - by
    except OverflowError:
        return datetime.min.replace(tzinfo=UTC)


def _origin(path: str, source: _Unit, lines: int, near: int) -> LineOrigin:
    return LineOrigin(
        path=path,
        lines=lines,
        near=near,
        commit=source.sha,
        number=source.number,
        subject=source.subject,
        committed_at=source.committed_at,
    )


def _units_of(history: Sequence[LoggedCommit], ends: Collection[str]) -> list[_Unit]:
    """The pull requests of ``history`` (newest first) and the commits of none, oldest first."""
    merges = find_merges(history)
    groups: dict[str, list[FoundMerge]] = {}
    for merge in merges:
        groups.setdefault(merge.last.sha, []).append(merge)
    grouped = {commit.sha for merge in merges for commit in merge.commits}
    units = []
    for commit in reversed(history):
        if commit.sha in groups:
            found = groups[commit.sha]
            number = found[0].named.number if len(found) == 1 else None
            units.append(_unit(found[0].commits, number, found[0].named.title, ends))
        elif commit.sha not in grouped:
            named = pull_requests_named(commit.message)
            number = named[0].number if len(named) == 1 else None
            units.append(_unit((commit,), number, split(commit.message).subject, ends))
    return units


def _unit(commits: Sequence[LoggedCommit], number: int | None, subject: str, ends: Collection[str]) -> _Unit:
    parents = commits[0].parents
    return _Unit(
        sha=commits[-1].sha,
        base=parents[0] if parents else None,
        shas=tuple(commit.sha for commit in commits),
        number=number,
        subject=" ".join(subject.split())[:200],
        committed_at=commits[-1].committed_at,
        unknown=not parents or any(commit.sha in ends for commit in commits),
    )

"""A file of merge records (JSONL): a source of whole merges and of the details of known ones."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import BinaryIO

from shared.domain.errors import InvalidInput
from shared.domain.protocols import Progress, SourceTexts
from shared.domain.pull_request import PullRequest, RepositoryRef
from shared.sources.github_payloads import Unfit, instant, required, whole
from shared.sources.record_lines import (
    bad_line,
    dump,
    head_of_line,
    merged_at_of,
    parse_line,
    repository_in,
)

__all__ = ["MergeRecords", "dump", "parse_line"]

MAX_LINE = 256 * 1024 * 1024
"""Bytes of one record; a longer line is no record but some other kind of file."""

_NEVER = datetime.min.replace(tzinfo=UTC)


@dataclass(frozen=True)
class _Entry:
    """Where one record lies in the file, and what it is looked up by."""

    number: int
    merged_at: datetime
    updated_at: datetime
    line: int
    offset: int


@dataclass
class _Index:
    """The newest record of each pull request, by repository."""

    stamp: tuple[int, int]
    repositories: dict[str, RepositoryRef] = field(default_factory=dict)
    entries: dict[str, dict[tuple[int | None, int], _Entry]] = field(default_factory=dict)


class MergeRecords:
    """Merges of one repository in a file of merge records; nothing is read before the first question.

    ``repository`` (OWNER/NAME) chooses where the file tells of several. The index holds places in the file, not
    records; it is made once and again when the file has changed. Every method raises InvalidInput for a file that
    cannot be read, a bad line (named by its number), or a repository that is not there.
    """

    def __init__(self, path: Path, repository: str | None = None) -> None:
        self.path = path
        self._chosen = repository
        self._index: _Index | None = None

    @property
    def repository(self) -> RepositoryRef:
        """The repository whose merges these are."""
        return self._current()[0]

    def merged_between(self, start: datetime, end: datetime, progress: Progress | None = None) -> Iterator[PullRequest]:
        """Yield each merge with ``start <= merged_at < end``, oldest first, reading one record at a time."""
        repository, entries = self._current()
        within = [entry for entry in entries if start <= entry.merged_at < end]
        within.sort(key=lambda entry: (entry.merged_at, entry.number))
        with self._open() as file:
            for done, entry in enumerate(within, start=1):
                yield self._read(file, entry, repository)
                if progress is not None:
                    progress(done, len(within))

    def merge_times(self, start: datetime, end: datetime) -> Iterator[tuple[int, datetime]]:
        """Yield number and merge time of each merge with ``start <= merged_at < end``, oldest first."""
        _, entries = self._current()
        within = [(entry.merged_at, entry.number) for entry in entries if start <= entry.merged_at < end]
        for merged_at, number in sorted(within):
            yield number, merged_at

    def details(self, facts: PullRequest) -> PullRequest | None:
        """Return the record of the merge ``facts`` (by number), or None when the file has none."""
        repository, entries = self._current()
        known = facts.repository.id
        for entry in entries:
            if entry.number == facts.number:
                with self._open() as file:
                    found = self._read(file, entry, repository)
                if known is None or found.repository.id in {None, known}:
                    return found
        return None

    def sources(self, pull_request: PullRequest) -> SourceTexts:  # noqa: ARG002 - the shape of every source
        """Return nothing: records hold patches."""
        return {}

    def conventions(self) -> dict[str, str]:
        """Return nothing: merge records carry no files of the repository."""
        return {}

    def _read(self, file: BinaryIO, entry: _Entry, repository: RepositoryRef) -> PullRequest:
        file.seek(entry.offset)
        found = parse_line(file.readline(MAX_LINE), entry.line, self.path)
        if found.repository.id is None:
            return found.model_copy(update={"repository": repository})
        return found

    def _current(self) -> tuple[RepositoryRef, Sequence[_Entry]]:
        index = self._index
        if index is None or index.stamp != self._stamp():
            index = self._index = self._build()
        key = self._choose(index)
        chosen = index.repositories.get(key) or RepositoryRef(full_name=key)
        return chosen, list(index.entries.get(key, {}).values())

    def _choose(self, index: _Index) -> str:
        names = sorted(ref.full_name for ref in index.repositories.values())
        if self._chosen is not None:
            key = self._chosen.casefold()
            if key in index.repositories or not names:
                return key if names else self._chosen
            raise InvalidInput(f"{self.path} has no merges of {self._chosen}.", f"It has those of {_listing(names)}.")
        if not names:
            raise InvalidInput(f"{self.path} holds no merge record.", "Name the repository with --repository.")
        if len(names) > 1:
            raise InvalidInput(
                f"{self.path} tells of {len(names)} repositories.", f"Choose with --repository: {_listing(names)}."
            )
        return names[0].casefold()

    def _build(self) -> _Index:
        """Look at each line once: as much of it as says which merge it is."""
        index = _Index(stamp=self._stamp())
        with self._open() as file:
            offset, line_number = 0, 0
            while line := file.readline(MAX_LINE):
                line_number += 1
                if len(line) == MAX_LINE:
                    raise bad_line(self.path, line_number, "it is too long for one")
                if line.strip():
                    self._add(index, line, line_number, offset)
                offset += len(line)
        return index

    def _add(self, index: _Index, line: bytes, line_number: int, offset: int) -> None:
        record = head_of_line(line, line_number, self.path)
        try:
            repository = repository_in(record)
            number = required(whole(record.get("number"), least=1), "number")
            merged_at = merged_at_of(record)
        except Unfit as error:
            raise bad_line(self.path, line_number, str(error)) from error
        key = repository.full_name.casefold()
        known = index.repositories.get(key)
        if known is None or known.id is None:
            index.repositories[key] = repository
        entry = _Entry(number, merged_at, instant(record.get("updated_at")) or _NEVER, line_number, offset)
        entries = index.entries.setdefault(key, {})
        earlier = entries.get((repository.id, number))
        if earlier is None or earlier.updated_at <= entry.updated_at:
            entries[repository.id, number] = entry

    def _stamp(self) -> tuple[int, int]:
        try:
            found = self.path.stat()
        except OSError as error:
            raise self._unreadable(error) from error
        return found.st_mtime_ns, found.st_size

    def _open(self) -> BinaryIO:
        try:
            return self.path.open("rb")
        except OSError as error:
            raise self._unreadable(error) from error

    def _unreadable(self, error: OSError) -> InvalidInput:
        return InvalidInput(f"The file {self.path} cannot be read: {error.strerror}.", "Check the path.")


def _listing(names: Sequence[str]) -> str:
    shown = ", ".join(names[:10])
    return shown if len(names) <= 10 else f"{shown} and {len(names) - 10} more"

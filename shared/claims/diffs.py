"""Reads the patches of a merge with the number of every line, and says what it could not read."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from shared.domain.pull_request import ChangedFile

MOST_CHARACTERS = 12_000_000
"""Of all patches of one merge."""
MOST_LINES = 400_000
_HUNK = re.compile(r"@@ -(?P<old>\d{1,9})(?:,\d{1,9})? \+(?P<new>\d{1,9})(?:,\d{1,9})? @@ ?(?P<behind>.*)")


class Side(StrEnum):
    """What a line of a patch is; ``head`` are the words of the file that git repeats behind a hunk's header."""

    ADDED = "added"
    REMOVED = "removed"
    CONTEXT = "context"
    HEAD = "head"


class DiffLine(NamedTuple):
    """One line of a patch without its sign; ``number`` is that of the new file, of the old one for a removed line.

    There may be 400,000 of them, and a tuple is made several times as fast as a frozen dataclass.
    """

    side: Side
    path: str
    number: int | None
    text: str
    hunk: int
    """Counts the hunks of the whole merge."""


@dataclass(frozen=True, slots=True)
class Diff:
    """All lines that were read; ``gaps`` says in plain words what was not, and is empty when nothing is missing."""

    lines: tuple[DiffLine, ...]
    gaps: tuple[str, ...]


def read_diff(files: Sequence[ChangedFile] | None, changed_files: int, most_characters: int = MOST_CHARACTERS) -> Diff:
    """Return the lines of all patches, at most 12 million characters and 400,000 lines."""
    if files is None:
        return Diff((), ("the changed files are not known",))
    lines: list[DiffLine] = []
    room = min(most_characters, MOST_CHARACTERS)
    unread: list[str] = []
    hunk = 0
    for file in files:
        patch = file.patch or ""
        read = list(_lines(file, patch[:room], hunk)) if room > 0 and len(lines) < MOST_LINES else []
        hunk += 1 + (read[-1].hunk - hunk if read else 0)
        if len(patch) > room or not _whole(file, read) or len(lines) + len(read) > MOST_LINES:
            unread.append(file.filename)
        lines += read[: max(0, MOST_LINES - len(lines))]
        room -= len(patch)
    gaps = (
        [f"not read whole: {unread[0]}" + (f" and {len(unread) - 1} more files" if unread[1:] else "")]
        if unread
        else []
    )
    if len(files) < changed_files:
        gaps.insert(0, f"{changed_files - len(files)} of {changed_files} changed files are not listed")
    return Diff(tuple(lines), tuple(gaps))


def _whole(file: ChangedFile, read: Sequence[DiffLine]) -> bool:
    """Whether every changed line of a file was seen; what a submodule brings or a binary file holds never is."""
    if file.submodule is not None or file.unread is not None:
        return False
    added = sum(line.side is Side.ADDED for line in read)
    removed = sum(line.side is Side.REMOVED for line in read)
    if added < file.additions or removed < file.deletions:
        return False
    return bool(file.patch) or file.additions + file.deletions == 0


def _lines(file: ChangedFile, patch: str, hunk: int) -> Iterator[DiffLine]:
    """Lines before the first header have no number; what git says of a missing line end is no line."""
    old: int | None = None
    new: int | None = None
    for line in patch.split("\n"):
        sign, words = line[:1], line[1:]
        if sign == "@":
            if header := _HUNK.match(line):
                old, new, hunk = int(header["old"]), int(header["new"]), hunk + 1
                if header["behind"]:
                    yield DiffLine(Side.HEAD, file.filename, None, header["behind"], hunk)
        elif sign == "+":
            yield DiffLine(Side.ADDED, file.filename, new, words, hunk)
            new = None if new is None else new + 1
        elif sign == "-":
            yield DiffLine(Side.REMOVED, file.filename, old, words, hunk)
            old = None if old is None else old + 1
        elif sign != "\\":
            yield DiffLine(Side.CONTEXT, file.filename, new, words, hunk)
            old, new = (None if old is None else old + 1), (None if new is None else new + 1)

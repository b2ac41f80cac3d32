"""Keeps, line by line, which merge brought the code of a branch, as merges are applied in order; pure."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from shared.domain.pull_request import ChangedFile
from shared.sources.git_history.hunks import Block, blocks_of

OLDER = 0
"""The origin of every line from before the first merge that was applied."""

MOST_LINES = 20_000
"""Changed lines of one merge that are followed; what goes beyond is a mass change that tells nothing."""

_LONGEST_FILE = 200_000
_MOVED_AT_LEAST = 12
_TELLING = 3
"""Letters and digits from which on a line is more than a bracket."""

_COMMENTS = ("# ", "//", "/*", "* ", "-- ", ";; ", "<!--")
_BESIDE = 2


@dataclass
class Applied:
    """What one merge took away or touched, by file and origin."""

    lines: Counter[tuple[str, int]] = field(default_factory=Counter)
    near: Counter[tuple[str, int]] = field(default_factory=Counter)
    untraced: Counter[str] = field(default_factory=Counter)


class LineLedger:
    """The origin of the lines of every file that was changed since the ledger began.

    A file is an array of origins, as long as the furthest line that was ever touched; what lies beyond is older.
    """

    def __init__(self) -> None:
        self._files: dict[str, array[int]] = {}

    def forget(self) -> None:
        """Take every line for older: after a gap in the history, places in files mean nothing."""
        self._files.clear()

    def apply(self, origin: int, files: Iterable[ChangedFile]) -> Applied:
        """Apply the change of one merge, which ``origin`` (1 or more) stands for, and return what it replaced."""
        told = Applied()
        readable = [(file, blocks) for file in files if (blocks := self._blocks(file, told)) is not None]
        self._rename([file for file, _ in readable])
        moved = _moved_lines(readable)
        before = {file.filename: self._of(file.filename) for file, _ in readable}
        sources = _Sources(before, readable, moved)
        for file, blocks in readable:
            self._count(told, file, blocks, before[file.filename], moved)
        for file, blocks in readable:
            if file.status == "removed":
                self._files.pop(file.filename, None)
            else:
                self._files[file.filename] = _after(before[file.filename], blocks, origin, sources)
        return told

    def _blocks(self, file: ChangedFile, told: Applied) -> list[Block] | None:
        """The changed places, or None for a file that cannot be followed: all of it counts as older from here on."""
        room = MOST_LINES - told.untraced.total() - told.lines.total()
        changed = file.additions + file.deletions
        if file.unread is None and file.submodule is None and changed <= min(room, _LONGEST_FILE):
            return list(blocks_of(file.patch)) if file.patch else []
        self._files.pop(file.filename, None)
        if file.deletions:
            told.untraced[file.unread or ("submodule" if file.submodule else "too-many")] += file.deletions
        return None

    def _rename(self, files: Sequence[ChangedFile]) -> None:
        taken = {
            file.filename: self._files.pop(file.previous_filename, None)
            for file in files
            if file.status == "renamed" and file.previous_filename
        }
        for name, lines in taken.items():
            self._files.pop(name, None)
            if lines is not None:
                self._files[name] = lines

    def _of(self, name: str) -> array[int]:
        found = self._files.get(name)
        return found if found is not None else array("i")

    def _count(
        self, told: Applied, file: ChangedFile, blocks: Sequence[Block], lines: array[int], moved: frozenset[str]
    ) -> None:
        path = file.previous_filename if file.status == "renamed" and file.previous_filename else file.filename
        for block in blocks:
            counted = False
            for place, text in enumerate(block.removed, start=block.start):
                if is_telling(text) and text.strip() not in moved:
                    told.lines[path, _at(lines, place)] += 1
                    counted = True
            if not counted and any(is_telling(text) and text.strip() not in moved for text in block.added):
                end = block.start + len(block.removed)
                for place in (*range(block.start - _BESIDE, block.start), *range(end, end + _BESIDE)):
                    if place >= 0:
                        told.near[path, _at(lines, place)] += 1


class _Sources:
    """Where lines that a merge only moved came from: each copy takes the next place that lost such a line."""

    def __init__(
        self,
        before: dict[str, array[int]],
        files: Sequence[tuple[ChangedFile, Sequence[Block]]],
        moved: frozenset[str],
    ) -> None:
        self._origins: dict[str, list[int]] = {}
        for file, blocks in reversed(files):
            for block in reversed(blocks):
                for at in reversed(range(len(block.removed))):
                    text = block.removed[at].strip()
                    if text in moved:
                        origin = _at(before[file.filename], block.start + at)
                        self._origins.setdefault(text, []).append(origin)

    def origin(self, text: str, own: int) -> int:
        waiting = self._origins.get(text.strip())
        return waiting.pop() if waiting else own


def is_telling(text: str) -> bool:
    """Whether a line is more than space, punctuation or a comment."""
    stripped = text[:400].lstrip()
    return not stripped.startswith(_COMMENTS) and sum(map(str.isalnum, stripped[:200])) >= _TELLING


def _moved_lines(files: Sequence[tuple[ChangedFile, Sequence[Block]]]) -> frozenset[str]:
    """The lines that the merge takes away in one place and brings in another, or with another indentation."""
    removed = {text.strip() for _, blocks in files for block in blocks for text in block.removed}
    added = {text.strip() for _, blocks in files for block in blocks for text in block.added}
    return frozenset(text for text in removed & added if len(text) >= _MOVED_AT_LEAST)


def _after(lines: array[int], blocks: Sequence[Block], origin: int, sources: _Sources) -> array[int]:
    """The origins of the file's lines after the change, made from the top."""
    made = array("i")
    done = 0
    for block in blocks:
        end = block.start + len(block.removed)
        made.extend(_slice(lines, done, block.start))
        made.extend(sources.origin(text, origin) for text in block.added)
        done = end
        if len(made) > _LONGEST_FILE:
            return array("i")
    made.extend(lines[done:])
    return made


def _slice(lines: array[int], start: int, end: int) -> array[int]:
    found = lines[start:end]
    missing = end - max(start, len(lines)) if end > len(lines) else 0
    if missing > 0:
        found.extend([OLDER] * min(missing, _LONGEST_FILE + 1))
    return found


def _at(lines: array[int], place: int) -> int:
    return lines[place] if place < len(lines) else OLDER

"""Chooses what of the patches is shown: the most important files, whole hunks where possible, each file its share."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

from services.analyzer.packing.hunks import MOST_CHARACTERS, Hunk, hunks_of, raw, telling_lines
from services.analyzer.packing.ranking import RankedFile
from services.analyzer.packing.room import ELLIPSIS, cost, fitted
from services.analyzer.packing.wording import Wording

MOST_FILES = 12
"""Files of which something is shown: of more, a few lines each would tell nothing."""
FILES_AT_A_TIME = 3
"""The next file gets at most a third of what is left, unless the others need less than that."""
SMALLEST_ROOM = 420
"""Bytes for one file below which no file is begun: half a hunk of it would say nothing."""
MOST_READ = 160_000
"""Characters of patches that are looked at, by which the time is bounded."""
_LONGEST_PATH = 300
_MISSES = 4
"""Hunks too long for what is left, after which no other is tried."""


class Diffs(NamedTuple):
    """The entries as JSON values, the paths they are about, and how many characters of the patches they show."""

    entries: list[dict[str, Any]]
    paths: frozenset[str]
    characters: int


def diffs(files: Sequence[RankedFile], wording: Wording, room: int) -> Diffs:
    """Return the diffs of the first files that fit into ``room``."""
    chosen = files[:MOST_FILES]
    needs = [len(one.file.patch or "") + 2 * _LONGEST_PATH for one in chosen]
    hunks = _Hunks(wording)
    entries: list[dict[str, Any]] = []
    paths: set[str] = set()
    characters = 0
    for at, one in enumerate(chosen):
        fair = room // min(FILES_AT_A_TIME, len(chosen) - at)
        share = min(room, max(fair, room - sum(needs[at + 1 :])))
        if share < SMALLEST_ROOM:
            break
        entry = _head(one, wording)
        kept, told = hunks.chosen(one, entry["path"], share - cost(entry) - cost("patch") - cost(""))
        if kept:
            entries.append({**entry, "patch": "\n".join(kept)})
            paths.add(one.file.filename)
            room -= cost(entries[-1])
            characters += told
    return Diffs(entries, frozenset(paths), characters)


def _head(one: RankedFile, wording: Wording) -> dict[str, Any]:
    """Path and, where it is not just modified, what else happened to a file."""
    file = one.file
    entry: dict[str, Any] = {"path": fitted(wording.line(file.filename), _LONGEST_PATH)}
    if file.status != "modified":
        entry["status"] = str(file.status)
    if file.previous_filename and file.previous_filename != file.filename:
        entry["previous"] = fitted(wording.line(file.previous_filename), _LONGEST_PATH)
    return entry


class _Hunks:
    """Chooses hunks file by file, and remembers them: what was changed alike in several places is shown once."""

    def __init__(self, wording: Wording) -> None:
        self._wording = wording
        self._shown: dict[str, str] = {}
        self._unread = MOST_READ

    def chosen(self, one: RankedFile, path: str, room: int) -> tuple[list[str], int]:
        """Return as many hunks as fit, in their order, and the characters of the patch that they show.

        Where not even one fits whole it is the beginning of the most important one. Of hunks that change what was
        shown before only their number is told.
        """
        patch = one.file.patch or ""
        hunks = hunks_of(patch)
        kept: dict[int, str] = {}
        alike: Counter[str] = Counter()
        told = misses = 0
        for at in _by_importance(hunks, one):
            if misses == _MISSES or room < SMALLEST_ROOM // 4 or self._unread < 0:
                break
            lines = self._told(patch, hunks[at], room)
            whole = hunks[at].end - hunks[at].start
            if elsewhere := self._shown.get(_changed(lines)):
                alike[elsewhere] += 1
                told += whole
                continue
            if cost(lines) > room:
                misses += 1
                lines = "" if kept else fitted(lines, room)
            if lines:
                kept[at] = lines
                room -= cost(lines)
                self._shown[_changed(lines)] = path
                told += min(whole, len(lines)) if ELLIPSIS in lines else whole
        lines_kept = [kept[at] for at in sorted(kept)]
        for elsewhere, count in alike.items():
            line = f"{ELLIPSIS} {count} more changed as in {elsewhere}"
            if cost(line) <= room:
                lines_kept.append(line)
                room -= cost(line)
        return lines_kept, told

    def _told(self, patch: str, hunk: Hunk, room: int) -> str:
        piece = raw(patch, hunk, min(MOST_CHARACTERS, 4 * room))
        self._unread -= len(piece)
        return telling_lines(self._wording.code(piece), cut_off=len(piece) < hunk.end - hunk.start - 1)


def _changed(lines: str) -> str:
    """The changed lines of a hunk, by which it is known again whatever stands around them."""
    return "\n".join(line[0] + line[1:].strip() for line in lines.split("\n") if line[:1] in {"+", "-"})


def _by_importance(hunks: Sequence[Hunk], one: RankedFile) -> list[int]:
    """Places of the hunks: those with a fact first, then the longer ones, the same ones in their order."""
    lines = [
        (place.line, place is fact.after)
        for fact in one.facts
        for place in (fact.before, fact.after)
        if place is not None and place.line is not None and place.path == one.file.filename
    ]
    weights = [
        (any(hunk.holds(line, after=after) for line, after in lines), min(hunk.end - hunk.start, 2_000))
        for hunk in hunks
    ]
    return sorted(range(len(hunks)), key=lambda at: weights[at], reverse=True)

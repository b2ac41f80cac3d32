"""Numbered series: several titles with one stem and a part number such as ``[3/7]``, ``(2/n)`` or ``part 2``."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from services.digest.grouping import joined
from services.digest.headings import lone_heading
from services.digest.merges import Merge, in_order
from services.digest.titles import CHANGE_WORDS, Word, bare, trimmed, words_of
from shared.domain.text import fold

_MARKERS = (
    re.compile(r"[\[(]\s*(?P<part>\d{1,3}|last|final)\s*(?:/|of)\s*(?P<total>\d{1,3}|[nNxX])\s*[\])]", re.IGNORECASE),
    re.compile(r"(?<![\w/])(?P<part>\d{1,3})\s*/\s*(?P<total>\d{1,3}|[nN])(?=\s*[:\-–—\])]|\s*$)"),
    re.compile(
        r"\b(?:part|pt\.?|step|phase)\s*(?P<part>\d{1,3})(?:\s*(?:/|of)\s*(?P<total>\d{1,3}|[nN]))?\b", re.IGNORECASE
    ),
)
_ALIKE = 0.5
_NEIGHBOURS = 30
"""With how many later titles of the same words each is compared, so that a week of nothing but parts stays fast."""


@dataclass(frozen=True)
class Part:
    """One title of a series: which part of how many (None when it does not say, or says n)."""

    number: int
    part: int | None
    total: int | None

    @property
    def label(self) -> str:
        """The part as titles write it: ``3/7``, or ``3/n`` where the number of parts is open."""
        return f"{self.part or 'n'}/{self.total or 'n'}"


@dataclass(frozen=True)
class NumberedSeries:
    """A series with at least two parts in sight, by part."""

    title: str
    key: str
    parts: tuple[Part, ...]

    @property
    def numbers(self) -> tuple[int, ...]:
        """The pull requests, in the order of their parts."""
        return tuple(part.number for part in self.parts)

    @property
    def open_parts(self) -> tuple[int, ...]:
        """Parts that are not in sight, where the titles say how many there are; () when they do not."""
        totals = {part.total for part in self.parts}
        total = totals.pop() if len(totals) == 1 else None
        seen = {part.part for part in self.parts}
        return tuple(n for n in range(1, total + 1) if n not in seen) if total and None not in seen else ()


@dataclass(frozen=True)
class _Marked:
    merge: Merge
    part: str
    total: str
    before: tuple[Word, ...]
    after: tuple[Word, ...]
    title: str

    @property
    def author(self) -> str:
        return self.merge.pull_request.user.shown

    @property
    def scope(self) -> tuple[str, ...]:
        """The words before the marker that do not only say what kind of change it is."""
        return tuple(word.key for word in self.before if not _says_kind(word, self.title))

    @property
    def words(self) -> frozenset[str]:
        return frozenset(word.key for word in (*self.before, *self.after) if not _says_kind(word, self.title))


def find_series(merges: Sequence[Merge]) -> tuple[NumberedSeries, ...]:
    """Return the series among ``merges``, found by their titles alone."""
    marked = {found.merge.number: found for merge in in_order(merges) if (found := _marked(merge)) is not None}
    buckets: dict[str, list[_Marked]] = {}
    for found in marked.values():
        for key in (f"scope:{' '.join(found.scope)}:{found.author}", *(f"word:{word}" for word in found.words)):
            buckets.setdefault(f"{found.total}:{key}", []).append(found)
    pairs = [
        (one.merge.number, other.merge.number)
        for bucket in buckets.values()
        for place, one in enumerate(bucket)
        for other in bucket[place + 1 : place + 1 + _NEIGHBOURS]
        if _same_series(one, other)
    ]
    return tuple(_series([marked[number] for number in group]) for group in joined(pairs))


def _marked(merge: Merge) -> _Marked | None:
    title = bare(merge.pull_request.title)
    for pattern in _MARKERS:
        match = pattern.search(title)
        if match is not None and _plausible(match["part"], match["total"]):
            words = words_of(title)
            return _Marked(
                merge=merge,
                part=fold(match["part"]),
                total=fold(match["total"] or "n"),
                before=tuple(word for word in words if word.end <= match.start()),
                after=tuple(word for word in words if word.start >= match.end()),
                title=title,
            )
    return None


def _plausible(part: str, total: str | None) -> bool:
    return not (part.isdecimal() and total and total.isdecimal()) or 1 <= int(part) <= int(total)


def _same_series(one: _Marked, other: _Marked) -> bool:
    if one.total != other.total:
        return False
    if one.scope and one.scope == other.scope:
        shared = {word.key for word in one.after} & {word.key for word in other.after}
        return one.author == other.author or len(one.scope) > 1 or bool(shared)
    if not one.scope and not other.scope:
        return [word.key for word in one.after[:2]] == [word.key for word in other.after[:2]]
    return len(one.words & other.words) >= _ALIKE * len(one.words | other.words)


def _series(members: Sequence[_Marked]) -> NumberedSeries:
    ordered = sorted(members, key=lambda found: (_part(found) is None, _part(found) or 0, found.merge.number))
    first = ordered[0]
    stem = _common([found.words for found in ordered])
    chosen = max(
        (trimmed(run) for side in (first.before, first.after) for run in _runs(side, stem)),
        key=lambda run: (sum(not word.weak for word in run), len(run)),
        default=[],
    )
    title = _surface(first, chosen)
    return NumberedSeries(
        title=title,
        key="-".join(word.key for word in chosen) or str(first.merge.number),
        parts=tuple(
            Part(
                number=found.merge.number,
                part=_part(found),
                total=int(found.total) if found.total.isdecimal() else None,
            )
            for found in ordered
        ),
    )


def _common(words: Sequence[frozenset[str]]) -> frozenset[str]:
    shared = words[0]
    for other in words[1:]:
        shared &= other
    return shared or words[0]


def _runs(words: Sequence[Word], stem: frozenset[str]) -> list[list[Word]]:
    """The runs of neighbouring words that all titles of the series share."""
    runs: list[list[Word]] = [[]]
    for word in words:
        if word.key in stem:
            runs[-1].append(word)
        elif runs[-1]:
            runs.append([])
    return [run for run in runs if run]


def _surface(found: _Marked, chosen: Sequence[Word]) -> str:
    """The shared words as the first title writes them, without brackets that the cut left open."""
    if not chosen:
        return lone_heading(found.title)
    return " ".join(re.sub(r"[\[\]():]+", " ", found.title[chosen[0].start : chosen[-1].end]).split())


def _part(found: _Marked) -> int | None:
    if found.part.isdecimal():
        return int(found.part)
    return int(found.total) if found.total.isdecimal() else None


def _says_kind(word: Word, title: str) -> bool:
    return fold(title[word.start : word.end]) in CHANGE_WORDS

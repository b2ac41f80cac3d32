"""Marks source files that many merges of one window change, or that keep being fixed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from services.digest.merges import Merge, by_importance
from services.digest.paths import is_source
from shared.domain.analysis import Evidence, Tag
from shared.domain.taxonomy import ChangeType, Namespace, Risk

_MERGES = 3
_FIXES = 2
_BULK = 40
"""A merge of more source files than this (a rename, a reformatting) heats none of them."""
_FILES_AT_LEAST = 3
_ONE_FILE_IN = 40
_HUB_AUTHORS = 5
_HUB_FIXES = 1 / 3
_EVIDENCE = 3
_MARKED_SHARE = 0.1
_MARKED_AT_LEAST = 4
"""A risk that a sixth of the week carries points at nothing."""


@dataclass(frozen=True)
class _HotFile:
    path: str
    window: tuple[Merge, ...]
    fixes: tuple[int, ...]
    """Fixes of this window and the week before."""
    hub: bool
    """Touched by everything, week for week: a registry, a list of settings."""

    @property
    def marked(self) -> tuple[Merge, ...]:
        return by_importance(self.window)[:1] if self.hub else self.window

    @property
    def heat(self) -> tuple[int, str]:
        """The order of the files: many authors and many fixes are hotter than many steps of one author."""
        authors = {merge.pull_request.user.shown for merge in self.window}
        return -(len(authors) + 2 * len(self.fixes)), self.path


class HotFile:
    """``risk:hot-file``: the same source file in three merges of the window, or in two fixes of it and the week before.

    Only the hottest files count (one for every forty merges of the window, at least three), and together they mark a
    tenth of the merges at most, so that a busy week is not flagged as a whole. A file that many authors touch week for
    week, seldom to repair it (a registry, a list of settings), is reported once, with its most important merge.
    """

    name = "hot-file"

    def examine(self, merges: Sequence[Merge], earlier: Sequence[Merge]) -> Iterator[tuple[int, Tag]]:
        """Yield one tag for each merge of a hot file, with the file and the other numbers as evidence."""
        evidence: dict[int, list[Evidence]] = {}
        for hot in _hottest(merges, earlier):
            for merge in hot.marked:
                evidence.setdefault(merge.number, []).append(_evidence(hot, merge))
        for number, found in sorted(evidence.items()):
            yield (
                number,
                Tag(namespace=Namespace.RISK, value=Risk.HOT_FILE, rule=self.name, evidence=tuple(found[:_EVIDENCE])),
            )


def _hottest(merges: Sequence[Merge], earlier: Sequence[Merge]) -> list[_HotFile]:
    window, before = _touches(merges), _touches(earlier)
    hot: list[_HotFile] = []
    for path, touching in window.items():
        known = before.get(path, [])
        fixes = tuple(m.number for m in (*known, *touching) if m.change_type is ChangeType.FIX)
        repaired = len(fixes) >= _FIXES and any(m.change_type is ChangeType.FIX for m in touching)
        if len(touching) >= _MERGES or repaired:
            hot.append(_HotFile(path=path, window=tuple(touching), fixes=fixes, hub=_is_hub(known, touching, fixes)))
    return _few(sorted(hot, key=lambda file: file.heat), len(merges))


def _few(hot: Sequence[_HotFile], merges: int) -> list[_HotFile]:
    """The first files that stay within the limits; one that would mark too many makes room for the next."""
    limit = max(_FILES_AT_LEAST, merges // _ONE_FILE_IN)
    most = max(_MARKED_AT_LEAST, merges * _MARKED_SHARE)
    chosen: list[_HotFile] = []
    marked: set[int] = set()
    for file in hot:
        together = marked | {merge.number for merge in file.marked}
        if len(together) <= most or not chosen:
            chosen.append(file)
            marked = together
    return chosen[:limit]


def _touches(merges: Sequence[Merge]) -> dict[str, list[Merge]]:
    touches: dict[str, list[Merge]] = {}
    for merge in sorted(merges, key=lambda merge: merge.number):
        paths = {file.filename for file in merge.pull_request.files or () if is_source(file.filename)}
        if merge.analysis and not merge.by_bot and len(paths) <= _BULK:
            for path in paths:
                touches.setdefault(path, []).append(merge)
    return touches


def _is_hub(known: Sequence[Merge], touching: Sequence[Merge], fixes: Sequence[int]) -> bool:
    authors = {merge.pull_request.user.shown for merge in (*known, *touching)}
    seldom_fixed = len(fixes) <= (len(known) + len(touching)) * _HUB_FIXES
    return min(len(known), len(touching)) >= _MERGES and len(authors) >= _HUB_AUTHORS and seldom_fixed


def _evidence(hot: _HotFile, merge: Merge) -> Evidence:
    others = sorted(({m.number for m in hot.window} | set(hot.fixes)) - {merge.number})
    return Evidence(why="Also changed by " + ", ".join(f"#{number}" for number in others) + ".", path=hot.path)

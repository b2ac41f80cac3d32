"""The areas of a digest: those of the analyses where they are readable, else cut from the tree of changed folders."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from services.digest.merges import Merge
from services.digest.paths import folder_of, main_files
from services.digest.tree_cut import TreeCut, cut, short_names

OTHER = "other"
"""The area of merges that are in none of those shown; it opens to its list like any other."""
MOST = 20
"""Areas of one digest, with ``other``."""
_LARGEST = 0.25
_SPLIT_ABOVE = 0.1
_REST = 0.35
_JUDGED_FROM = 20
"""Of fewer merges any division is readable."""
_OF_ONE_MERGE = 3


@dataclass(frozen=True)
class AreaMap:
    """Names the areas of merges, for a week and the week before alike."""

    kept: frozenset[str]
    """Areas of the analyses that are shown; empty when the areas are cut from the tree."""
    tree: TreeCut | None = None
    names: Mapping[str, str] | None = None

    @staticmethod
    def of(merges: Sequence[Merge]) -> AreaMap:
        """Return the map for the merges of a week.

        The areas of the analyses are used when twenty of them hold most merges and none holds more than a quarter;
        else whichever leaves less in areas too large and in ``other`` is: they, or the parts of the folder tree.
        """
        counted = Counter(area for merge in merges for area in (merge.analysis.areas if merge.analysis else ()))
        ordered = sorted(counted, key=lambda area: (-counted[area], area))
        kept = ordered if len(ordered) <= MOST else ordered[: MOST - 1]
        given = AreaMap(kept=frozenset(kept))
        if len(merges) < _JUDGED_FROM or given._unreadable(merges) == 0:
            return given
        folders = {merge.number: _folders(merge) for merge in merges if merge.pull_request.files}
        tree = cut(folders, MOST - 1, _SPLIT_ABOVE)
        parts = AreaMap(kept=frozenset(), tree=tree, names=short_names(tree.folders))
        return parts if parts._unreadable(merges) < given._unreadable(merges) else given

    def areas(self, merge: Merge) -> tuple[str, ...]:
        """The areas of ``merge``, at least one."""
        found: Iterable[str]
        if self.tree is None:
            found = [area for area in (merge.analysis.areas if merge.analysis else ()) if area in self.kept]
        else:
            parts = Counter(part for folder in _folders(merge) if (part := self.tree.part_of(folder)))
            names = self.names or {}
            found = [names[part] for part in sorted(parts, key=lambda part: (-parts[part], part))[:_OF_ONE_MERGE]]
        return tuple(dict.fromkeys(found)) or (OTHER,)

    def order(self, name: str, count: int) -> tuple[bool, int, str]:
        """How areas are sorted: the largest first, ``other`` last."""
        return name == OTHER, -count, name

    def _unreadable(self, merges: Sequence[Merge]) -> float:
        """The share of merges that areas too large hold beyond a quarter, and ``other`` beyond a third."""
        counted = Counter(area for merge in merges for area in self.areas(merge))
        rest = counted.pop(OTHER, 0) / len(merges)
        excess = sum(max(count / len(merges) - _LARGEST, 0) for count in counted.values())
        return excess + max(rest - _REST, 0)


def _folders(merge: Merge) -> tuple[str, ...]:
    return tuple(folder_of(path) for path in main_files(merge))

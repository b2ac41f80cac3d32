"""The areas of a digest: those of the analyses where they are readable, else cut from the tree of changed folders."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from services.digest.merges import Merge
from services.digest.paths import folder_of, is_source, main_files
from services.digest.place_names import best_names, comparable, meaningful, short_names, telling_name
from services.digest.tree_cut import TreeCut, cut

OTHER = "other"
"""The area of merges that are in none of those shown; it opens to its list like any other."""
MOST = 20
"""Areas of one digest, with ``other``."""
SUPPORT = frozenset(("tests", "docs", "ci", "build", "examples", "vendored", "generated"))
"""Areas that say what kind of files were changed; one of them may be large, for there is nothing to split."""
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
    """Areas of the analyses that are shown; of a tree only those that no folder gives."""
    repository: str = ""
    """Name of the repository, without its owner; empty when it tells nothing."""
    alike: Mapping[str, str] = field(default_factory=dict)
    """Comparable names to the one under which all that mean the same area are told."""
    tree: TreeCut | None = None
    names: Mapping[str, str] = field(default_factory=dict)

    @staticmethod
    def of(merges: Sequence[Merge]) -> AreaMap:
        """Return the map for the merges of a week.

        The areas of the analyses are used when twenty of them hold most merges and none holds more than a quarter;
        else whichever leaves less in areas too large and in ``other`` is: they, or the parts of the folder tree.
        """
        repository = _repository(merges[0]) if merges else ""
        given = _with_largest(AreaMap(kept=frozenset(), repository=repository), merges)
        if len(merges) < _JUDGED_FROM or given.unreadable(merges) == 0:
            return given
        places = {merge.number: _places(merge) for merge in merges if _has_source(merge)}
        supported = len({area for merge in merges if not _has_source(merge) for area in _own(merge) if area in SUPPORT})
        tree = cut(places, max(MOST - 1 - supported, 1), _SPLIT_ABOVE)
        parts = replace(given, tree=tree, names=short_names(tree.folders))
        parts = _with_largest(parts, merges)
        return parts if parts.unreadable(merges) < given.unreadable(merges) else given

    def areas(self, merge: Merge) -> tuple[str, ...]:
        """The areas of ``merge``, at least one."""
        found = [self.alike.get(comparable(area, self.repository), OTHER) for area in self.found(merge)]
        return tuple(dict.fromkeys(area for area in found if area in self.kept)) or (OTHER,)

    def order(self, name: str, count: int) -> tuple[bool, int, str]:
        """How areas are sorted: the largest first, ``other`` last."""
        return name == OTHER, -count, name

    def found(self, merge: Merge) -> Iterable[str]:
        """The areas of ``merge`` before those of the same meaning are joined: the analysis's, or parts of the tree.

        What changes no source keeps the area that says so: the folders of a lock file or a workflow tell less.
        """
        if self.tree is None:
            return _own(merge)
        if not _has_source(merge):
            return [area for area in _own(merge) if area in SUPPORT]
        parts = Counter(part for place in _places(merge) if (part := self.tree.part_of(place)))
        return [self.names[part] for part in sorted(parts, key=lambda part: (-parts[part], part))[:_OF_ONE_MERGE]]

    def unreadable(self, merges: Sequence[Merge]) -> float:
        """The share of merges that areas too large hold beyond a quarter, and ``other`` beyond a third."""
        counted = Counter(area for merge in merges for area in self.areas(merge))
        rest = counted.pop(OTHER, 0) / len(merges)
        divisible = [count for area, count in counted.items() if area not in SUPPORT]
        return sum(max(count / len(merges) - _LARGEST, 0) for count in divisible) + max(rest - _REST, 0)


def _with_largest(areas: AreaMap, merges: Sequence[Merge]) -> AreaMap:
    """``areas`` with the names that mean the same joined, and the largest kept."""
    found = [tuple(areas.found(merge)) for merge in merges]
    alike = best_names(Counter(area for own in found for area in own), areas.repository)
    told = Counter(name for own in found for name in {alike[comparable(area, areas.repository)] for area in own})
    ordered = sorted(told, key=lambda area: (-told[area], area))
    kept = ordered if len(ordered) <= MOST else ordered[: MOST - 1]
    return replace(areas, kept=frozenset(kept), alike=alike)


def _own(merge: Merge) -> tuple[str, ...]:
    return merge.analysis.areas if merge.analysis else ()


def _has_source(merge: Merge) -> bool:
    return any(is_source(path) for path in main_files(merge))


def _places(merge: Merge) -> tuple[str, ...]:
    """The folders of the main files, each as its meaningful pieces joined by slashes."""
    repository = _repository(merge)
    return tuple("/".join(meaningful(folder_of(path), repository)) for path in main_files(merge))


def _repository(merge: Merge) -> str:
    return telling_name(merge.pull_request.repository.full_name)

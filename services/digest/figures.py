"""Everything that is counted: change types, areas, coverage, the figures of a week."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from services.digest.areas import AreaMap
from services.digest.merges import Merge
from services.digest.people import count_of
from shared.domain.digest import AreaFigure, WeekFigures
from shared.domain.provenance import CoverageAccount
from shared.domain.pull_request import DetailSource
from shared.domain.taxonomy import ChangeType, Origin


def figures_of(merges: Sequence[Merge], week: str, areas: AreaMap | None = None) -> WeekFigures:
    """Return the figures of the merges of one week; ``areas`` names areas as another week does, for comparison."""
    named = areas or AreaMap.of(merges)
    return WeekFigures(
        week=week,
        merged_total=len(merges),
        change_types={kind: len(numbers) for kind, numbers in change_types_of(merges).items()},
        areas=dict(sorted(Counter(area for merge in merges for area in named.areas(merge)).items())),
        risks=dict(sorted(Counter(risk for merge in merges for risk in _risks(merge)).items())),
        people=count_of(merges),
    )


def change_types_of(merges: Iterable[Merge]) -> dict[ChangeType, tuple[int, ...]]:
    """Return the numbers of each change type that occurs; every merge is in exactly one."""
    found: dict[ChangeType, list[int]] = {}
    for merge in merges:
        found.setdefault(merge.change_type, []).append(merge.number)
    ordered = sorted(found, key=lambda kind: (-len(found[kind]), kind))
    return {kind: tuple(sorted(found[kind])) for kind in ordered}


def area_figures(merges: Sequence[Merge], areas: AreaMap, previous: Mapping[str, int] | None) -> tuple[AreaFigure, ...]:
    """Return the areas, the largest first; shares may add up to more than one, for a merge may be in several areas."""
    found: dict[str, list[int]] = {}
    for merge in merges:
        for area in areas.areas(merge):
            found.setdefault(area, []).append(merge.number)
    return tuple(
        AreaFigure(
            name=name,
            pull_requests=tuple(sorted(found[name])),
            previous=None if previous is None else previous.get(name, 0),
            share=round(len(found[name]) / len(merges), 4),
        )
        for name in sorted(found, key=lambda name: areas.order(name, len(found[name])))
    )


def coverage_of(merges: Iterable[Merge]) -> CoverageAccount:
    """Return how much of the changes was seen, added up; merges without an analysis count as they came in."""
    merges = tuple(merges)
    totals: Counter[str] = Counter()
    unread: Counter[str] = Counter()
    without_details: list[int] = []
    partial: list[int] = []
    for merge in merges:
        coverage = merge.analysis.coverage if merge.analysis else None
        if coverage is None:
            totals["changed"] += merge.pull_request.changed_files
            continue
        totals.update(changed=coverage.files_changed, seen=coverage.files_seen, read=coverage.files_read)
        unread.update(coverage.unread)
        totals["patches only"] += coverage.patch_bytes > 0 and not coverage.files_whole
        if coverage.source is DetailSource.PAYLOAD:
            without_details.append(merge.number)
        elif coverage.partial:
            partial.append(merge.number)
    return CoverageAccount(
        files_changed=totals["changed"],
        files_seen=totals["seen"],
        files_read=totals["read"],
        unread=dict(sorted(unread.items())),
        patches_only=totals["patches only"],
        without_details=tuple(sorted(without_details)),
        partial=tuple(sorted(partial)),
        cut=_cut(merges),
    )


def _cut(merges: Iterable[Merge]) -> dict[str, dict[str, int]]:
    counted = Counter((name, str(why)) for merge in merges for name, why in merge.pull_request.cut.items())
    found: dict[str, dict[str, int]] = {}
    for name, why in sorted(counted):
        found.setdefault(name, {})[why] = counted[name, why]
    return found


def _risks(merge: Merge) -> frozenset[str]:
    """Those of the rules: whether a model read the week before is not a change of the week."""
    return frozenset(tag.value for tag in merge.risk_tags() if tag.origin is not Origin.MODEL)

"""What a model says that readers must act on: rows behind those of the rules, where rules have none of that kind."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping

from services.digest.merges import Merge, by_importance
from services.digest.readings import without_stop
from shared.domain.digest import MustAct
from shared.domain.reading import ActionClaim, ActionKind, Claim
from shared.domain.taxonomy import ChangeType, Origin, Trait

ROW_KINDS: Mapping[ActionKind, str] = {
    "breaking-change": "breaking-change",
    "removal": "removal",
    "new-default": "new-default",
    "migration": "migration",
    "environment-variable": "environment-variable",
    "deprecation": "deprecation",
    "dependency": "dependency-change",
}
"""The kind of the row for each kind of claim, the most pressing first."""

_OF_ONE_MERGE = 2
_NOT_FOR_READERS = frozenset((ChangeType.TEST, ChangeType.CI, ChangeType.DOCS))


def judged_rows(
    window: Iterable[Merge],
    undone: Collection[int],
    known: Mapping[int, Collection[str]],
    same: Mapping[str, Collection[str]],
) -> Iterator[MustAct]:
    """Yield the rows, those of the most important merge first.

    ``known`` holds the kinds of rows that rules have for a merge; ``same`` the kinds that say what another kind says.
    """
    for merge in by_importance(window):
        if merge.number in undone or merge.by_bot or merge.change_type in _NOT_FOR_READERS:
            continue
        if merge.has(Trait.DOCS_ONLY, Trait.TESTS_ONLY, Trait.BACKPORT):
            continue
        told = set(known.get(merge.number, ()))
        fresh = [one for one in _actions(merge) if not told & {ROW_KINDS[one.kind], *same.get(ROW_KINDS[one.kind], ())}]
        yield from (_row(merge.number, one) for one in fresh[:_OF_ONE_MERGE])


def _actions(merge: Merge) -> list[ActionClaim]:
    reading = merge.analysis.reading if merge.analysis else None
    rank = {kind: place for place, kind in enumerate(ROW_KINDS)}
    return sorted(reading.actions if reading else (), key=lambda action: rank[action.kind])


def _row(number: int, action: ActionClaim) -> MustAct:
    claim = without_stop(action)
    seen = next((quote for quote in action.quotes if quote.field == "diff" and quote.path), None)
    return MustAct(
        number=number,
        kind=ROW_KINDS[action.kind],
        what=claim.text,
        way_back=action.way_back.rstrip(" .。") or None,
        place=seen.path if seen else None,
        line=seen.line if seen else None,
        origin=Origin.MODEL,
        claim=Claim(text=claim.text, quotes=claim.quotes, announced=claim.announced),
    )

"""Relations between merges with both ends known by number, and what was undone within the week."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from services.digest.membership import Membership
from services.digest.merges import Merge, by_number, in_order
from services.digest.series import find_series
from shared.domain.analysis import Relation
from shared.domain.digest import DigestRelation
from shared.domain.taxonomy import FACT, RelationKind
from shared.domain.text import fold

_QUOTED = re.compile(
    r"^\s*(?:\[[^\]]*\]\s*)*(?:revert|reapply|re-?land)\b[\s:]*[\"“'`](?P<title>.+)[\"”'`]", re.IGNORECASE
)
_NUMBER_AT_END = re.compile(r"\s*\(#\d+\)\s*$")
_SHORTEST_COMMIT = 7
_SURE = 0.8
"""A revert that is less certain than this is told, but what it names still counts as shipped."""

_TRUSTED = frozenset({RelationKind.REVERTS, RelationKind.RELANDS, RelationKind.BACKPORTS})
"""Kinds whose target is named on purpose; of the others a number that is no known merge may be an issue."""

_WEAK_KINDS = frozenset({RelationKind.REPAIRS, RelationKind.FOLLOWS_UP})
"""What is only concluded: where another relation of the pair is known, it says more."""

_CAUSE = 0.9
"""The confidence of words that call a merge the cause: no issue is meant."""


@dataclass(frozen=True)
class _Known:
    """The merges that a relation may point to."""

    merged_at: dict[int, datetime]
    commits: tuple[tuple[str, int], ...]
    titles: dict[str, tuple[Merge, ...]]


def resolve(members: Membership) -> tuple[DigestRelation, ...]:
    """Return the relations of the window's merges to merges of the window, of the week before, or named by number.

    A target known only by its commit is found by ``merge_commit_sha``; a revert without any number by the exact title
    that it quotes. Merges that share one merge commit are related to the first of them (C-16); a series that goes on
    from the week before, to its last part there.
    """
    known = _known(members)
    found: dict[tuple[RelationKind, int, int], DigestRelation] = {}
    for merge in members.window:
        for relation in merge.analysis.relations if merge.analysis else ():
            target = _target(merge, relation, known)
            if target is None or target == merge.number or not _comes_first(relation, target, merge, known):
                continue
            made = DigestRelation(
                kind=relation.kind,
                source=merge.number,
                to=target,
                confidence=relation.confidence,
                evidence=relation.evidence,
                label=_label(merge, relation),
            )
            key = made.kind, made.source, made.to
            if key not in found or found[key].confidence < made.confidence:
                found[key] = made
    for made in _continued_series(members):
        found.setdefault((made.kind, made.source, made.to), made)
    for shared in same_commit(members.window):
        for number in shared[1:]:
            made = DigestRelation(
                kind=RelationKind.SAME_COMMIT,
                source=number,
                to=shared[0],
                confidence=1.0,
                evidence="Both name the same merge commit.",
            )
            found[made.kind, made.source, made.to] = made
    said = {(source, to) for kind, source, to in found if kind not in _WEAK_KINDS}
    return tuple(found[key] for key in sorted(found) if key[0] not in _WEAK_KINDS or key[1:] not in said)


def is_told(relation: DigestRelation) -> bool:
    """Whether a digest tells of ``relation``: what is only guessed is kept for those who read the data."""
    return relation.kind not in _WEAK_KINDS or relation.confidence >= FACT


def repairs(relations: Iterable[DigestRelation]) -> tuple[DigestRelation, ...]:
    """Return the repairs among ``relations`` that are told, the surest first."""
    told = [one for one in relations if one.kind is RelationKind.REPAIRS and is_told(one)]
    return tuple(sorted(told, key=lambda one: (-one.confidence, one.source, one.to)))


def same_commit(merges: Sequence[Merge]) -> tuple[tuple[int, ...], ...]:
    """Return the groups of numbers that share one merge commit, each sorted; a merge on its own is no group."""
    commits: dict[str, list[int]] = {}
    for merge in merges:
        if merge.pull_request.merge_commit_sha:
            commits.setdefault(merge.pull_request.merge_commit_sha.lower(), []).append(merge.number)
    return tuple(sorted(tuple(sorted(numbers)) for numbers in commits.values() if len(numbers) > 1))


def undone(window: Sequence[Merge], relations: Iterable[DigestRelation]) -> tuple[tuple[int, int], ...]:
    """Return (revert, reverted) of the pairs that cancel out within ``window`` (C-19), the newest revert first.

    A revert that was itself reverted undoes nothing. A revert on another branch than its target's, a partial or an
    uncertain one undoes nothing either.
    """
    merges = by_number(window)
    position = {merge.number: place for place, merge in enumerate(in_order(window))}
    known = list(relations)
    taking_back = {relation.source for relation in known if relation.kind is RelationKind.REVERTS}
    reverts = [
        (relation.source, relation.to)
        for relation in known
        if (relation.kind is RelationKind.REVERTS or _reverts_a_revert(relation, taking_back))
        and relation.confidence >= _SURE
        and relation.to in merges
        and position[relation.to] < position[relation.source]
        and merges[relation.to].pull_request.base_ref == merges[relation.source].pull_request.base_ref
        and "partial" not in fold(merges[relation.source].pull_request.title)
    ]
    cancelled: set[int] = set()
    pairs: list[tuple[int, int]] = []
    for source, target in sorted(reverts, key=lambda pair: (-position[pair[0]], pair)):
        if source not in cancelled:
            cancelled.add(target)
            pairs.append((source, target))
    return tuple(pairs)


def _reverts_a_revert(relation: DigestRelation, taking_back: set[int]) -> bool:
    return relation.kind is RelationKind.RELANDS and relation.to in taking_back


def _continued_series(members: Membership) -> Iterator[DigestRelation]:
    window = {merge.number for merge in members.window}
    for series in find_series((*members.background, *members.window)):
        before = [part for part in series.parts if part.number not in window]
        now = [part for part in series.parts if part.number in window]
        if before and now:
            yield DigestRelation(
                kind=RelationKind.CONTINUES,
                source=now[0].number,
                to=before[-1].number,
                confidence=0.9,
                evidence=f"Parts of the series “{series.title}”.",
                label=now[0].label,
            )


def _known(members: Membership) -> _Known:
    everything = in_order((*members.background, *members.window, *members.elsewhere))
    titles: dict[str, list[Merge]] = {}
    for merge in everything:
        titles.setdefault(_comparable(merge.pull_request.title), []).append(merge)
    return _Known(
        merged_at={merge.number: merge.merged_at for merge in everything},
        commits=tuple(
            (merge.pull_request.merge_commit_sha.lower(), merge.number)
            for merge in everything
            if merge.pull_request.merge_commit_sha
        ),
        titles={title: tuple(merges) for title, merges in titles.items()},
    )


def _target(merge: Merge, relation: Relation, known: _Known) -> int | None:
    if relation.target is not None:
        sure = relation.kind in _TRUSTED or _is_merge(relation)
        return relation.target if sure or relation.target in known.merged_at else None
    if relation.target_commit:
        commit = relation.target_commit.lower()
        hits = {number for sha, number in known.commits if sha.startswith(commit)}
        if len(commit) >= _SHORTEST_COMMIT and len(hits) == 1:
            return hits.pop()
    return _by_quoted_title(merge, known)


def _is_merge(relation: Relation) -> bool:
    """Whether the target of a repair is a merge, known or not: lines came with it, or it is called the cause."""
    return relation.kind in _WEAK_KINDS and (relation.target_commit is not None or relation.confidence >= _CAUSE)


def _comes_first(relation: Relation, target: int, merge: Merge, known: _Known) -> bool:
    """Nothing repairs what was merged later."""
    before = known.merged_at.get(target)
    return relation.kind not in _WEAK_KINDS or before is None or before <= merge.merged_at


def _by_quoted_title(merge: Merge, known: _Known) -> int | None:
    quoted = _QUOTED.match(merge.pull_request.title)
    if quoted is None:
        return None
    before = [
        other
        for other in known.titles.get(_comparable(quoted["title"]), ())
        if (other.merged_at, other.number) < (merge.merged_at, merge.number)
    ]
    return before[-1].number if before else None


def _comparable(title: str) -> str:
    return " ".join(fold(_NUMBER_AT_END.sub("", title)).split())


def _label(merge: Merge, relation: Relation) -> str | None:
    """A backport is named by its branch, whether or not the analysis knew it (C-20); a revert by its target alone."""
    if relation.kind is RelationKind.BACKPORTS:
        return relation.label or merge.pull_request.base_ref
    return None if relation.kind in (RelationKind.REVERTS, RelationKind.RELANDS) else relation.label

"""One merge with its analysis, as the parts of the digest read it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from shared.domain.analysis import Analysis, Tag
from shared.domain.pull_request import PullRequest
from shared.domain.taxonomy import ChangeType, Namespace, Risk, Trait


@dataclass(frozen=True)
class Merge:
    """A merged pull request; ``analysis`` is None when it could not be analysed, ``failure`` then says why."""

    pull_request: PullRequest
    analysis: Analysis | None
    failure: str | None = None

    @property
    def number(self) -> int:
        """The number of the pull request."""
        return self.pull_request.number

    @property
    def merged_at(self) -> datetime:
        """When it was merged, in UTC."""
        return self.pull_request.merged_at

    @property
    def score(self) -> int:
        """Its importance; 0 without an analysis."""
        return self.analysis.importance.score if self.analysis else 0

    @property
    def change_type(self) -> ChangeType:
        """Its change type; ``chore`` without an analysis, which claims least."""
        return self.analysis.change_type if self.analysis else ChangeType.CHORE

    @property
    def tags(self) -> tuple[Tag, ...]:
        """Its tags; none without an analysis."""
        return self.analysis.tags if self.analysis else ()

    @property
    def by_bot(self) -> bool:
        """Whether an app or bot account wrote it; who pressed merge does not count (C-17)."""
        return self.pull_request.user.is_bot

    def has(self, *values: Risk | Trait) -> bool:
        """Whether at least one of these risks or traits was found."""
        return self.analysis is not None and any(self.analysis.has(value) for value in values)

    def risk_tags(self) -> tuple[Tag, ...]:
        """Its tags of the risk namespace."""
        return tuple(tag for tag in self.tags if tag.namespace is Namespace.RISK)


def in_order(merges: Iterable[Merge]) -> tuple[Merge, ...]:
    """Return the merges by time, then number."""
    return tuple(sorted(merges, key=lambda merge: (merge.merged_at, merge.number)))


def by_importance(merges: Iterable[Merge]) -> tuple[Merge, ...]:
    """Return the merges, the most important first; equal ones by number."""
    return tuple(sorted(merges, key=lambda merge: (-merge.score, merge.number)))


def tagged(merges: Sequence[Merge], found: Iterable[tuple[int, Tag]]) -> tuple[Merge, ...]:
    """Return ``merges`` with the tags ``found`` for their numbers added; a tag that is there already is not doubled."""
    added: dict[int, list[Tag]] = {}
    for number, tag in found:
        added.setdefault(number, []).append(tag)
    return tuple(_with_tags(merge, added.get(merge.number, [])) for merge in merges)


def by_number(merges: Iterable[Merge]) -> Mapping[int, Merge]:
    """Return the merges by their numbers."""
    return {merge.number: merge for merge in merges}


def _with_tags(merge: Merge, tags: Sequence[Tag]) -> Merge:
    if merge.analysis is None or not tags:
        return merge
    known = {(tag.namespace, tag.value) for tag in merge.analysis.tags}
    fresh: dict[tuple[Namespace, str], Tag] = {}
    for tag in tags:
        if (tag.namespace, tag.value) not in known:
            fresh.setdefault((tag.namespace, tag.value), tag)
    analysis = merge.analysis.model_copy(update={"tags": merge.analysis.tags + tuple(fresh.values())})
    return replace(merge, analysis=analysis)

"""Which merges belong to the window, which to other branches, which came late."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from services.digest.frame import Frame
from services.digest.merges import Merge, in_order


@dataclass(frozen=True)
class Membership:
    """The merges of one digest, sorted out; ``earlier`` is None when the week before is not stored."""

    window: tuple[Merge, ...]
    earlier: tuple[Merge, ...] | None
    elsewhere: tuple[Merge, ...]
    late: tuple[Merge, ...]

    @property
    def background(self) -> tuple[Merge, ...]:
        """The week before, or nothing."""
        return self.earlier or ()


def sort_out(
    merges: Sequence[Merge], frame: Frame, earlier: Sequence[Merge] | None, late: Sequence[Merge]
) -> Membership:
    """Return who belongs where: by ``merged_at`` alone and half-open, by base branch, each number once."""
    known = _once(merges)
    inside = [merge for merge in known if frame.period.contains(merge.merged_at)]
    window = tuple(merge for merge in inside if frame.follows(merge.pull_request.base_ref))
    numbers = {merge.number for merge in inside}
    before = frame.period.previous()
    return Membership(
        window=window,
        earlier=None
        if earlier is None
        else tuple(
            merge
            for merge in _once(earlier)
            if before.contains(merge.merged_at) and frame.follows(merge.pull_request.base_ref)
        ),
        elsewhere=tuple(merge for merge in inside if not frame.follows(merge.pull_request.base_ref)),
        late=tuple(
            merge
            for merge in _once(late)
            if merge.merged_at < frame.period.start
            and merge.number not in numbers
            and frame.follows(merge.pull_request.base_ref)
        ),
    )


def branches_elsewhere(merges: Iterable[Merge]) -> dict[str, tuple[int, ...]]:
    """Return the numbers of ``merges`` by their base branch."""
    found: dict[str, list[int]] = {}
    for merge in merges:
        found.setdefault(merge.pull_request.base_ref, []).append(merge.number)
    return {branch: tuple(sorted(numbers)) for branch, numbers in sorted(found.items())}


def _once(merges: Iterable[Merge]) -> tuple[Merge, ...]:
    """Each number once: the analysed one before the failed one, then the one updated last."""
    best: dict[int, Merge] = {}
    for merge in merges:
        other = best.get(merge.number)
        if other is None or _rank(merge) > _rank(other):
            best[merge.number] = merge
    return in_order(best.values())


def _rank(merge: Merge) -> tuple[bool, str, str]:
    """A total order, so that the order in which duplicates come in decides nothing."""
    updated = merge.pull_request.updated_at
    fingerprint = merge.analysis.fingerprint if merge.analysis else ""
    return merge.analysis is not None, updated.isoformat() if updated else "", fingerprint

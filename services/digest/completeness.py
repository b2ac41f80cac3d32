"""How many merges of the week the host knows and how many of them the digest has, or why that is not known (R-07)."""

from __future__ import annotations

from collections.abc import Collection

from services.digest.frame import Frame
from shared.domain.completeness import Completeness, CompletenessGap
from shared.settings import Settings
from shared.settings.asked import asked_about
from shared.store import known_merges, reconciliations
from shared.store.reconciliations import Reconciliation
from shared.store.session import Session


def with_completeness(
    session: Session, settings: Settings, repository_id: int, frame: Frame, captured: Collection[int]
) -> Frame:
    """Return ``frame`` with the account of what the host knows; ``captured`` are the numbers that the store has.

    Counted are the merges into followed branches. A week that is under way is counted as far as it was compared.
    """
    if asked_about(settings, frame.repository) is None:
        return frame.model_copy(update={"completeness_gap": CompletenessGap(why="not-asked")})
    row = reconciliations.get(session, repository_id)
    if row is None or row.checked_at is None or not _covered(row, frame) or _left_out(row, frame):
        return frame.model_copy(update={"completeness_gap": _gap(row, frame)})
    known = [
        merge.number
        for merge in known_merges.of_period(session, repository_id, frame.period.start, frame.period.end)
        if frame.follows(merge.base_ref)
    ]
    missing = tuple(number for number in known if number not in captured)
    complete = Completeness(
        known_to_host=len(known), captured=len(known) - len(missing), checked_at=row.checked_at, missing=missing
    )
    return frame.model_copy(update={"completeness": complete})


def _covered(row: Reconciliation, frame: Frame) -> bool:
    end = frame.period.start if frame.so_far else frame.period.end
    return row.covers(frame.period.start, end)


def _left_out(row: Reconciliation, frame: Frame) -> bool:
    """Whether a merge of the week may be among what the host lists and nobody can read."""
    return row.left_out_since is not None and row.left_out_since < frame.period.end


def _gap(row: Reconciliation | None, frame: Frame) -> CompletenessGap:
    if row is None:
        return CompletenessGap(why="not-reached")
    if row.blind_since is not None:
        return CompletenessGap(why="blind", since=row.blind_since)
    if _covered(row, frame) and row.checked_at is not None:
        return CompletenessGap(why="left-out", since=row.left_out_since)
    reached = row.watermark is not None and (frame.so_far or row.watermark >= frame.period.end)
    if reached:
        return CompletenessGap(why="not-covered", since=row.covered_since)
    return CompletenessGap(why="not-reached", since=row.checked_at)

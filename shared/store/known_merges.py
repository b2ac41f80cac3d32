"""The merges that a host lists, captured or not: what a digest's completeness is counted against (R-07)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime

from sqlalchemy import func, select
from sqlalchemy.orm import Session
from sqlmodel import col

from shared.domain.value import Value
from shared.store.columns import LARGEST_ID, key_text, name_key
from shared.store.tables import DeliveryRow, KnownMergeRow, PullRequestRow
from shared.store.upserts import insert_or_change

_UNSETTLED = ("new", "claimed", "dead", "parked")
"""States of a delivery that has not become a captured merge: somebody is to work on it, or a person has to."""
_BATCH = 200


class KnownMerge(Value):
    """A merge as its host lists it."""

    number: int
    merged_at: datetime
    base_ref: str


def learn(session: Session, repository_id: int, merges: Iterable[KnownMerge], now: datetime) -> None:
    """Keep what the host lists; the newest telling of a merge is in force."""
    for merge in sorted(merges, key=lambda one: one.number):
        if merge.number > LARGEST_ID:
            continue
        key = {"repository_id": repository_id, "number": merge.number}
        told = {"merged_at": merge.merged_at, "base_ref": key_text(merge.base_ref), "seen_at": now}
        insert_or_change(session, KnownMergeRow, key | told, key=tuple(key), changes=told)


def of_period(session: Session, repository_id: int, start: datetime, end: datetime) -> list[KnownMerge]:
    """Return the known merges with ``start <= merged_at < end``, on any branch, by number."""
    row = KnownMergeRow
    query = select(col(row.number), col(row.merged_at), col(row.base_ref)).where(
        col(row.repository_id) == repository_id, col(row.merged_at) >= start, col(row.merged_at) < end
    )
    found = session.execute(query.order_by(col(row.number))).mappings()
    return [KnownMerge.model_validate(dict(one)) for one in found]


def in_inbox(session: Session, full_name: str, numbers: Sequence[int]) -> set[int]:
    """Return those of ``numbers`` whose merge was delivered and is still to be worked on, by us or by a person."""
    found: set[int] = set()
    for place in range(0, len(numbers), _BATCH):
        query = select(col(DeliveryRow.number)).where(
            col(DeliveryRow.repository) == name_key(full_name),
            col(DeliveryRow.action) == "closed",
            col(DeliveryRow.status).in_(_UNSETTLED),
            col(DeliveryRow.number).in_(numbers[place : place + _BATCH]),
        )
        found.update(number for number in session.scalars(query) if number is not None)
    return found


def edits_in_inbox(session: Session, repository_id: int, full_name: str, start: datetime, end: datetime) -> int:
    """Return how many captured merges of ``[start, end)`` have later edits that are still to be worked on (C-21)."""
    row, edited = PullRequestRow, DeliveryRow
    numbers = select(col(edited.number)).where(
        col(edited.repository) == name_key(full_name),
        col(edited.event) == "pull_request",
        col(edited.action) != "closed",
        col(edited.status).in_(("new", "claimed")),
    )
    of_period = (col(row.repository_id) == repository_id, col(row.merged_at) >= start, col(row.merged_at) < end)
    counted = select(func.count()).select_from(row).where(*of_period, col(row.captured), col(row.number).in_(numbers))
    return session.scalar(counted) or 0


def any_captured(session: Session, repository_id: int, before: datetime) -> bool:
    """Return whether a merge from before that moment was captured."""
    row = PullRequestRow
    found = select(col(row.id)).where(
        col(row.repository_id) == repository_id, col(row.captured), col(row.merged_at) < before
    )
    return session.scalar(found.limit(1)) is not None

"""Deliveries that wait without tries until access is given back: which are freed, and on whose word (C-13)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime

from sqlalchemy import ColumnElement, func, select, true, update
from sqlalchemy.orm import Session
from sqlmodel import col

from shared.store import installations
from shared.store.columns import key_text, name_key
from shared.store.tables import DeliveryRow
from shared.store.upserts import UNSYNCHRONISED

PARKED = "parked"

_AT_ONCE = 1000
"""Repositories in one statement: an installation may cover tens of thousands, and parameters are limited."""


def free(
    session: Session,
    now: datetime,
    *,
    source: str | None = None,
    repositories: Sequence[str] = (),
    owner: str | None = None,
) -> list[int]:
    """Make the parked deliveries of ``source``, of ``repositories`` and of an ``owner`` due now with all their tries.

    With none of them, all. Return their ids. Whoever names what can be read again vouches for the installations
    that the freed deliveries came through, so that nothing is refused any more because of what an event told before.
    """
    narrowed = list(_narrowed(source, repositories, owner))
    if narrowed:
        installations.lock(session)
    freed = [row for which in narrowed or [true()] for row in _free(session, now, which)]
    if narrowed:
        through = (installations.id_of(sent_by) for _, sent_by in freed)
        installations.answered(session, (found for found in through if found is not None), now)
    return sorted(identity for identity, _ in freed)


def count(session: Session) -> int:
    """Return how many deliveries are parked."""
    parked = select(func.count()).select_from(DeliveryRow).where(col(DeliveryRow.status) == PARKED)
    return session.scalar(parked) or 0


def _narrowed(source: str | None, repositories: Sequence[str], owner: str | None) -> Iterator[ColumnElement[bool]]:
    if source is not None:
        yield col(DeliveryRow.source) == key_text(source)
    if owner is not None:
        yield col(DeliveryRow.repository).startswith(name_key(f"{owner}/"), autoescape=True)
    names = sorted({name_key(name) for name in repositories})
    for start in range(0, len(names), _AT_ONCE):
        yield col(DeliveryRow.repository).in_(names[start : start + _AT_ONCE])


def _free(session: Session, now: datetime, narrowed: ColumnElement[bool]) -> list[tuple[int, str]]:
    parked = select(col(DeliveryRow.id)).where(col(DeliveryRow.status) == PARKED, narrowed)
    # Locked in one order: two transactions that free the same ones cannot wait for each other.
    ordered = parked.order_by(col(DeliveryRow.id)).with_for_update()
    due_now = {"status": "new", "tries": 0, "next_attempt_at": now, "last_error": None, "changed_at": now}
    freed = session.execute(
        update(DeliveryRow)
        .where(col(DeliveryRow.id).in_(ordered))
        .values(**due_now)
        .returning(col(DeliveryRow.id), col(DeliveryRow.source)),
        execution_options=UNSYNCHRONISED,
    )
    return [(identity, sent_by) for identity, sent_by in freed]

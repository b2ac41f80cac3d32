"""What arrived follows its repository to its new name, under which everybody looks for it (C-25)."""

from __future__ import annotations

from typing import Protocol

from sqlalchemy import func, or_, select, update
from sqlalchemy.orm import Session
from sqlmodel import col

from shared.store.columns import name_key
from shared.store.tables import DeliveryRow, PingRow
from shared.store.upserts import UNSYNCHRONISED

UNFINISHED = ("new", "claimed", "parked", "dead")
_HOOK = "hook:"


class Delivered(Protocol):
    """A delivery and the name that its repository had when it was sent."""

    @property
    def id(self) -> int:
        """The row."""

    @property
    def repository(self) -> str | None:
        """The full name as it is compared."""


def follow(session: Session, delivery: Delivered, name: str) -> None:
    """Put one delivery under the ``name`` that its repository has by now, if it was sent under another."""
    if delivery.repository != name_key(name):
        session.execute(
            update(DeliveryRow).where(col(DeliveryRow.id) == delivery.id).values(repository=name_key(name)),
            execution_options=UNSYNCHRONISED,
        )


def move_unfinished(session: Session, old_name: str, new_name: str) -> None:
    """Put the unfinished deliveries under ``old_name`` under ``new_name``; whoever works on one keeps it.

    The last delivery of each hook and its ping go along, finished or not: by them it is known whose hook it is.
    """
    before, after = name_key(old_name), name_key(new_name)
    if before == after:
        return
    row = DeliveryRow
    last_of_each_hook = (
        select(func.max(col(row.id)))
        .where(col(row.repository) == before, col(row.source).startswith(_HOOK))
        .group_by(col(row.source))
    )
    found = select(col(row.id)).where(
        col(row.repository) == before, or_(col(row.status).in_(UNFINISHED), col(row.id).in_(last_of_each_hook))
    )
    # Locked in one order, as those that free parked deliveries do.
    ordered = found.order_by(col(row.id)).with_for_update()
    session.execute(
        update(row).where(col(row.id).in_(ordered)).values(repository=after), execution_options=UNSYNCHRONISED
    )
    _move_pings(session, before, new_name)


def _move_pings(session: Session, before: str, new_name: str) -> None:
    pings = session.execute(
        select(col(PingRow.hook), col(PingRow.repository)).where(
            col(PingRow.hook_id).is_not(None), col(PingRow.repository).is_not(None)
        )
    )
    moved = [hook for hook, name in pings if name is not None and name_key(name) == before]
    if moved:
        session.execute(
            update(PingRow).where(col(PingRow.hook).in_(moved)).values(repository=new_name),
            execution_options=UNSYNCHRONISED,
        )

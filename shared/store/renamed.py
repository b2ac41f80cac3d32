"""Unfinished deliveries follow their repository to its new name, under which everybody looks for them (C-25)."""

from __future__ import annotations

from typing import Protocol

from sqlalchemy import select, update
from sqlalchemy.orm import Session
from sqlmodel import col

from shared.store.columns import name_key
from shared.store.tables import DeliveryRow
from shared.store.upserts import UNSYNCHRONISED

UNFINISHED = ("new", "claimed", "parked", "dead")


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
    """Put the unfinished deliveries under ``old_name`` under ``new_name``; whoever works on one keeps it."""
    before, after = name_key(old_name), name_key(new_name)
    if before == after:
        return
    found = select(col(DeliveryRow.id)).where(
        col(DeliveryRow.repository) == before, col(DeliveryRow.status).in_(UNFINISHED)
    )
    # Locked in one order, as those that free parked deliveries do.
    ordered = found.order_by(col(DeliveryRow.id)).with_for_update()
    session.execute(
        update(DeliveryRow).where(col(DeliveryRow.id).in_(ordered)).values(repository=after),
        execution_options=UNSYNCHRONISED,
    )

"""Merges of one repository that were delivered and have no analysis yet, read from the inbox itself (C-55)."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session
from sqlmodel import col

from shared.domain.value import Value
from shared.store.columns import name_key
from shared.store.renamed import UNFINISHED
from shared.store.tables import DeliveryRow


class UnfinishedDelivery(Value):
    """A delivery of a merge that is waiting, being worked on, parked or dead; ``payload`` as received."""

    id: int
    number: int | None
    status: str
    last_error: str | None
    received_at: datetime
    payload: bytes

    @property
    def open(self) -> bool:
        """Whether it may still be analysed without a person's help."""
        return self.status not in ("dead", "parked")


def unfinished_merges(session: Session, repository: str) -> Iterator[UnfinishedDelivery]:
    """Yield the deliveries of merges into ``repository`` that are not done, oldest first, one at a time.

    Payloads may be large, so they are not all held at once.
    """
    names = tuple(UnfinishedDelivery.model_fields)
    query = select(*(getattr(DeliveryRow, name) for name in names)).where(
        col(DeliveryRow.repository) == name_key(repository),
        col(DeliveryRow.status).in_(UNFINISHED),
        col(DeliveryRow.action) == "closed",
        col(DeliveryRow.payload).is_not(None),
    )
    rows = session.execute(query.order_by(col(DeliveryRow.id)), execution_options={"yield_per": 20})
    for row in rows.mappings():
        yield UnfinishedDelivery.model_validate(dict(row))

"""Readings on their way into a batch and out of it, and the calls that were reserved for them (R-61)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import func, select, update
from sqlalchemy.orm import Session
from sqlmodel import col

from shared.domain.value import Value
from shared.store.columns import key_text
from shared.store.readings import left_to_batches
from shared.store.tables import ModelBatchRow, ModelCallRow, ReadingRow
from shared.store.upserts import UNSYNCHRONISED

_OPEN = ("reserved", "unsettled")


class BatchCall(Value):
    """A call of a batch of which nobody has told yet what became of it."""

    id: int
    reading_id: int
    model: str
    mode: str
    reserved_tokens: int


def waiting_for(session: Session, model: str, now: datetime, limit: int) -> list[int]:
    """Return at most ``limit`` readings of ``model`` that a backfill asked for and nobody has been asked about yet."""
    query = select(col(ReadingRow.id)).where(left_to_batches((model,)), col(ReadingRow.next_attempt_at) <= now)
    weightiest = (col(ReadingRow.importance).desc(), col(ReadingRow.created_at), col(ReadingRow.id))
    return list(session.scalars(query.order_by(*weightiest).limit(limit)))


def waiting(session: Session, model: str, now: datetime) -> tuple[int, datetime | None]:
    """Return how many readings ``waiting_for`` would find without a limit, and since when the oldest has waited."""
    query = select(func.count(), func.min(col(ReadingRow.next_attempt_at)))
    count, oldest = session.execute(
        query.where(left_to_batches((model,)), col(ReadingRow.next_attempt_at) <= now)
    ).one()
    return count, oldest


def refused_since(session: Session, server: str, model: str, since: datetime) -> bool:
    """Whether a batch of ``model`` came to nothing at this server at ``since`` or after: it takes none, it seems."""
    failed = select(col(ModelBatchRow.id)).where(
        col(ModelBatchRow.server) == key_text(server),
        col(ModelBatchRow.model) == key_text(model),
        col(ModelBatchRow.status) == "failed",
        col(ModelBatchRow.done_at) >= since,
    )
    return session.scalar(failed.limit(1)) is not None


def open_calls(session: Session, batch_id: int) -> list[BatchCall]:
    """Return the calls of the batch of which nobody has told what became of them, superseded readings included.

    Those of an earlier holder, who was lost before the batch had its id, are among them.
    """
    columns = [getattr(ModelCallRow, name) for name in BatchCall.model_fields]
    rows = session.execute(
        select(*columns)
        .join(ReadingRow, col(ReadingRow.id) == col(ModelCallRow.reading_id))
        .where(
            col(ReadingRow.batch_id) == batch_id,
            col(ModelCallRow.purpose) == "batch",
            col(ModelCallRow.status).in_(_OPEN),
        )
        .order_by(col(ModelCallRow.id))
    )
    return [BatchCall.model_validate(dict(row)) for row in rows.mappings()]


def never_sent(session: Session, calls: Sequence[BatchCall], now: datetime) -> None:
    """Settle calls of a batch that the server surely never began: they count for nothing."""
    session.execute(
        update(ModelCallRow)
        .where(col(ModelCallRow.id).in_([call.id for call in calls]), col(ModelCallRow.status).in_(_OPEN))
        .values(status="unsent", settled_at=now),
        execution_options=UNSYNCHRONISED,
    )


def leave_out(
    session: Session, batch_id: int, reading_ids: Sequence[int], due_at: datetime, now: datetime, *, for_another: bool
) -> None:
    """Take readings out of the batch, due at ``due_at``: ``for_another`` batch, or for single work on each."""
    session.execute(
        update(ReadingRow)
        .where(
            col(ReadingRow.id).in_(reading_ids),
            col(ReadingRow.batch_id) == batch_id,
            col(ReadingRow.status) == "batched",
        )
        .values(status="new" if for_another else "retry", batch_id=None, next_attempt_at=due_at, changed_at=now),
        execution_options=UNSYNCHRONISED,
    )

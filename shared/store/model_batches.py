"""Batches at a server's Batch API: which readings lie in one, and who works on it (R-13, R-61)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from sqlalchemy import ColumnElement, select, update
from sqlalchemy.orm import Session
from sqlmodel import col

from shared.domain.value import Value
from shared.store import leases
from shared.store.columns import error_text, key_text
from shared.store.leases import MAX_TRIES, Failure
from shared.store.reading_tasks import unsettle
from shared.store.readings import WAITING
from shared.store.tables import ModelBatchRow, ReadingRow
from shared.store.upserts import UNSYNCHRONISED

STATUSES = ("new", "retry", "submitted", "working", "done", "failed", "dead")

_KIND = leases.Kind(table=ModelBatchRow, waiting=("new", "retry", "submitted"), held="working", dead="dead")


class BatchClaim(Value):
    """A batch that is held; ``external_id`` is None until the server took it."""

    id: int
    attempt: int
    server: str
    model: str
    external_id: str | None
    size: int
    created_at: datetime
    submitted_at: datetime | None


def make(session: Session, server: str, model: str, reading_ids: Sequence[int], now: datetime) -> int | None:
    """Put those of the readings that still wait into a new batch and return its id; None when none of them does."""
    free = session.scalars(
        select(col(ReadingRow.id))
        .where(col(ReadingRow.id).in_(reading_ids), col(ReadingRow.status).in_(WAITING))
        .order_by(col(ReadingRow.id))
        .with_for_update(skip_locked=True)
    ).all()
    if not free:
        return None
    row = ModelBatchRow(
        status="new",
        next_attempt_at=now,
        changed_at=now,
        created_at=now,
        server=key_text(server),
        model=key_text(model),
        size=len(free),
    )
    session.add(row)
    session.flush()
    session.execute(
        update(ReadingRow)
        .where(col(ReadingRow.id).in_(free))
        .values(status="batched", batch_id=row.id, lease_until=None, changed_at=now),
        execution_options=UNSYNCHRONISED,
    )
    return row.id


def claim(
    session: Session, batch_id: int, now: datetime, lease: timedelta, *, max_tries: int = MAX_TRIES
) -> BatchClaim | None:
    """Hold the batch until ``now + lease``; None when it is not due, not there, or was lost ``max_tries`` times.

    The readings of one that was lost for good wait again, for single calls. The calls of one that may have been sent
    without its id having been kept are unsettled. Commit at once.
    """
    taken = leases.take(session, _KIND, batch_id, now, lease, max_tries)
    row = session.execute(select(ModelBatchRow).where(col(ModelBatchRow.id) == batch_id)).scalar_one_or_none()
    if row is None or taken is None:
        if row is not None and row.status == "dead":
            _release(session, batch_id, now, sent=True)
        return None
    if row.external_id is None:
        unsettle(session, _inside(batch_id), now)
    told = {name: getattr(row, name) for name in BatchClaim.model_fields if name != "attempt"}
    return BatchClaim(**told, attempt=taken.attempt)


def renew(session: Session, claim: BatchClaim, now: datetime, lease: timedelta) -> bool:
    """Hold the batch until ``now + lease``; False when somebody else holds it by now."""
    return leases.renew(session, _KIND, claim, now, lease)


def submitted(session: Session, claim: BatchClaim, external_id: str, look_at: datetime, now: datetime) -> bool:
    """The server took the batch under this id; looked at again at ``look_at``, with all its tries."""
    values = {"external_id": key_text(external_id), "submitted_at": now, "tries": 0, "last_error": None}
    return leases.settle(session, _KIND, claim, "submitted", now, next_attempt_at=look_at, **values)


def postpone(session: Session, claim: BatchClaim, error: str, until: datetime, now: datetime) -> bool:
    """Give the batch back until ``until`` without counting the try: it is not ready, or the server does not serve."""
    return leases.postpone(session, _KIND, claim, error, until, now, _back_to(claim))


def fail(
    session: Session, claim: BatchClaim, error: str, now: datetime, waits: Sequence[timedelta], jitter: float
) -> Failure:
    """Give the batch back after a failed try; after the last it is dead, and its readings wait for single calls."""
    failure = leases.fail(session, _KIND, claim, error, now, waits, jitter, _back_to(claim))
    if failure == "dead":
        _release(session, claim.id, now, sent=True)
    return failure


def finish(session: Session, claim: BatchClaim, now: datetime) -> bool:
    """End the batch once its calls are settled; its readings wait again, those with an answer for its check alone."""
    if not leases.settle(session, _KIND, claim, "done", now, done_at=now, last_error=None):
        return False
    _release(session, claim.id, now, sent=True)
    return True


def give_up(session: Session, claim: BatchClaim, why: str, now: datetime, *, sent: bool) -> bool:
    """End the batch as failed; its readings wait again, for single calls.

    ``sent`` is False when the server surely worked on none of them: then their calls count for nothing.
    """
    if not leases.settle(session, _KIND, claim, "failed", now, done_at=now, last_error=error_text(why)):
        return False
    _release(session, claim.id, now, sent=sent)
    return True


def forgive(session: Session, claim: BatchClaim, now: datetime) -> bool:
    """Take back the try of ``claim``, which an outage of the database ended; False when the batch is settled."""
    return leases.forgive(session, _KIND, claim, now)


def due(session: Session, now: datetime, limit: int) -> list[int]:
    """Return at most ``limit`` batches whose work is due, longest waiting first."""
    return leases.due(session, _KIND, now, limit)


def lost(session: Session, now: datetime, limit: int) -> list[int]:
    """Return at most ``limit`` batches whose worker let the lease run out, longest ago first."""
    return leases.lost(session, _KIND, now, limit)


def counts(session: Session) -> dict[str, int]:
    """Return how many batches are in each status, zeros included."""
    return leases.counts(session, _KIND, STATUSES)


def _release(session: Session, batch_id: int, now: datetime, *, sent: bool) -> None:
    """Let the readings of the batch wait again, due now; whatever was reserved for them is not going to be settled."""
    unsettle(session, col(ReadingRow.batch_id) == batch_id, now, sent=sent)
    session.execute(
        update(ReadingRow)
        .where(_inside(batch_id))
        .values(status="retry", batch_id=None, next_attempt_at=now, changed_at=now),
        execution_options=UNSYNCHRONISED,
    )


def _inside(batch_id: int) -> ColumnElement[bool]:
    return (col(ReadingRow.batch_id) == batch_id) & (col(ReadingRow.status) == "batched")


def _back_to(claim: BatchClaim) -> str:
    return "retry" if claim.external_id is None else "submitted"

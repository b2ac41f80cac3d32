"""The inbox: each delivery stored once by its key, worked on by one holder at a time (R-10 to R-13, C-10, C-11)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Literal

from sqlalchemy import select, update
from sqlalchemy.orm import Session
from sqlmodel import col

from shared.domain.value import Value
from shared.store import leases, parking
from shared.store.columns import LARGEST_ID, error_text, key_text, name_key
from shared.store.leases import MAX_TRIES, Failure
from shared.store.parking import PARKED
from shared.store.tables import DeliveryRow
from shared.store.upserts import UNSYNCHRONISED, insert_all_new

STATUSES = ("new", "claimed", PARKED, "done", "ignored", "dead")

_KIND = leases.Kind(table=DeliveryRow, waiting=("new",), held="claimed", dead="dead")


class IncomingDelivery(Value):
    """A delivery as it arrived; ``source`` is who sends it: ``hook:123``, ``installation:9``, ``synthetic``."""

    source: str
    guid: str
    event: str
    action: str | None = None
    payload: bytes
    repository: str | None = None
    number: int | None = None


class Recorded(Value):
    """The row of a delivery; ``duplicate``: it was there before; ``revived``: dead or parked, and due again."""

    id: int
    duplicate: bool
    revived: bool


class Claim(Value):
    """A delivery that is held: ``attempt`` fences off every earlier holder."""

    id: int
    attempt: int
    source: str
    event: str
    action: str | None
    payload: bytes
    repository: str | None
    number: int | None


class DeliveryView(Value):
    """A delivery as it is listed; ``repository`` is in lower case, ``payload_kept`` is False after pruning."""

    id: int
    source: str
    guid: str
    event: str
    action: str | None
    repository: str | None
    number: int | None
    status: str
    attempt: int
    tries: int
    next_attempt_at: datetime
    lease_until: datetime | None
    last_error: str | None
    note: str | None
    payload_bytes: int
    payload_kept: bool
    received_at: datetime
    processed_at: datetime | None


def record(session: Session, incoming: IncomingDelivery, now: datetime) -> Recorded:
    """Store the delivery unless its ``source`` and ``guid`` are known.

    A known one that is dead or parked becomes due again, with all its tries, once for each redelivery (C-11); any
    other state stays as it is.
    """
    return record_all(session, (incoming,), now)[0]


def record_all(session: Session, incoming: Sequence[IncomingDelivery], now: datetime) -> list[Recorded]:
    """Store several deliveries, which may hold duplicates of each other, and return what became of each, in order."""
    keys = [(key_text(one.source), key_text(one.guid)) for one in incoming]
    rows = {
        key: {"source": key[0], "guid": key[1]} | _columns(one, now) for key, one in zip(keys, incoming, strict=True)
    }
    inserted = insert_all_new(session, DeliveryRow, list(rows.values()), key=("source", "guid"))
    recorded = []
    for key, one in zip(keys, incoming, strict=True):
        identity = inserted.pop(key, None)
        if identity is None:
            recorded.append(_recorded_before(session, key, one, now))
        else:
            recorded.append(Recorded(id=identity, duplicate=False, revived=False))
    return recorded


def claim(
    session: Session, delivery_id: int, now: datetime, lease: timedelta, *, max_tries: int = MAX_TRIES
) -> Claim | None:
    """Hold the delivery until ``now + lease``; None when it is not due, not there, or was lost ``max_tries`` times.

    Due is a new one whose time has come, and a claimed one whose lease has run out (its worker was lost: the try
    counts). Commit at once: the count of tries must outlive this worker.
    """
    taken = leases.take(session, _KIND, delivery_id, now, lease, max_tries)
    if taken is None:
        return None
    source, event, action, payload, repository, number = session.execute(
        select(
            col(DeliveryRow.source),
            col(DeliveryRow.event),
            col(DeliveryRow.action),
            col(DeliveryRow.payload),
            col(DeliveryRow.repository),
            col(DeliveryRow.number),
        ).where(col(DeliveryRow.id) == delivery_id)
    ).one()
    return Claim(
        id=delivery_id,
        attempt=taken.attempt,
        source=source,
        event=event,
        action=action,
        payload=payload or b"",
        repository=repository,
        number=number,
    )


def renew(session: Session, claim: Claim, now: datetime, lease: timedelta) -> bool:
    """Hold the delivery until ``now + lease``; False when somebody else holds it by now: stop working on it."""
    return leases.renew(session, _KIND, claim, now, lease)


def finish(session: Session, claim: Claim, status: Literal["done", "ignored"], note: str | None, now: datetime) -> bool:
    """Mark the delivery processed; False when somebody else holds it by now.

    Call it in the transaction that saves the result, and roll that back on False (R-13).
    """
    kept = None if note is None else error_text(note)
    return leases.settle(session, _KIND, claim, status, now, note=kept, last_error=None, processed_at=now)


def fail(
    session: Session, claim: Claim, error: str, now: datetime, waits: Sequence[timedelta], jitter: float
) -> Failure:
    """Give the delivery back after a failed try: due after ``waits[try]`` times ``jitter``, or dead after the last.

    ``jitter`` is a factor between 0.8 and 1.2. Dead after ``len(waits) + 1`` tries.
    """
    return leases.fail(session, _KIND, claim, error, now, waits, jitter, "new")


def bury(session: Session, claim: Claim, error: str, now: datetime) -> bool:
    """Mark the delivery dead at once: it would fail for ever. False when somebody else holds it by now."""
    return leases.settle(session, _KIND, claim, "dead", now, last_error=error_text(error))


def postpone(session: Session, claim: Claim, error: str, until: datetime, now: datetime) -> bool:
    """Give the delivery back until ``until`` without counting the try; False when somebody else holds it by now."""
    return leases.postpone(session, _KIND, claim, error, until, now, "new")


def park(session: Session, claim: Claim, error: str, now: datetime) -> bool:
    """Set the delivery aside without counting the try, until ``resume``; False when somebody else holds it by now."""
    values = {"last_error": error_text(error), "tries": col(DeliveryRow.tries) - 1}
    return leases.settle(session, _KIND, claim, PARKED, now, **values)


def resume(session: Session, *, repository: str | None = None, source: str | None = None, now: datetime) -> int:
    """Make the parked deliveries of a repository or of a source due now, with all their tries; return how many.

    With neither, all of them. Call it for what can be read again: see ``parking.free``.
    """
    return len(parking.free(session, now, source=source, repositories=() if repository is None else (repository,)))


def forgive(session: Session, claim: Claim, now: datetime) -> bool:
    """Take back the try of ``claim``, which an outage of the database ended; False when the delivery is settled."""
    return leases.forgive(session, _KIND, claim, now)


def due(session: Session, now: datetime, limit: int) -> list[int]:
    """Return at most ``limit`` deliveries whose work is due, longest waiting first (R-12)."""
    return leases.due(session, _KIND, now, limit)


def lost(session: Session, now: datetime, limit: int) -> list[int]:
    """Return at most ``limit`` deliveries whose worker let the lease run out, longest ago first."""
    return leases.lost(session, _KIND, now, limit)


def oldest_due_age(session: Session, now: datetime) -> timedelta | None:
    """Return for how long the longest waiting due delivery has been due; None when none is (R-21: this is health)."""
    return leases.oldest_due_age(session, _KIND, now)


def unattended_for(session: Session, now: datetime) -> timedelta | None:
    """Return for how long due rows have waited while nobody took or held one, else None (R-21)."""
    return leases.unattended_for(session, _KIND, now)


def counts(session: Session) -> dict[str, int]:
    """Return how many deliveries are in each status, zeros included."""
    return leases.counts(session, _KIND, STATUSES)


def listing(
    session: Session, *, status: str | None = None, repository: str | None = None, limit: int = 50
) -> list[DeliveryView]:
    """Return at most ``limit`` deliveries, newest first, without their payloads."""
    names = [name for name in DeliveryView.model_fields if name != "payload_kept"]
    query = select(
        *(getattr(DeliveryRow, name) for name in names), col(DeliveryRow.payload).is_not(None).label("payload_kept")
    )
    if status is not None:
        query = query.where(col(DeliveryRow.status) == status)
    if repository is not None:
        query = query.where(col(DeliveryRow.repository) == name_key(repository))
    rows = session.execute(query.order_by(col(DeliveryRow.id).desc()).limit(limit)).mappings()
    return [DeliveryView.model_validate(dict(row)) for row in rows]


def replay(session: Session, delivery_id: int, now: datetime) -> bool:
    """Make the delivery due now with all its tries, whatever its state: a mark never blocks a repair.

    False when there is none, or its payload was pruned.
    """
    kept = col(DeliveryRow.payload).is_not(None)
    return leases.again(session, _KIND, delivery_id, now, kept, last_error=None, note=None, processed_at=None)


def prune_payloads(session: Session, before: datetime) -> int:
    """Drop the payloads of deliveries processed before ``before``; return how many.

    Dead and parked ones keep theirs: they are work that was not done, and can be replayed.
    """
    stale = select(col(DeliveryRow.id)).where(
        col(DeliveryRow.status).in_(("done", "ignored")),
        col(DeliveryRow.processed_at) < before,
        col(DeliveryRow.payload).is_not(None),
    )
    pruned = session.execute(
        update(DeliveryRow).where(col(DeliveryRow.id).in_(stale)).values(payload=None).returning(col(DeliveryRow.id)),
        execution_options=UNSYNCHRONISED,
    )
    return len(pruned.all())


def _recorded_before(session: Session, key: tuple[str, str], incoming: IncomingDelivery, now: datetime) -> Recorded:
    source, guid = key
    known = session.execute(
        select(col(DeliveryRow.id)).where(col(DeliveryRow.source) == source, col(DeliveryRow.guid) == guid)
    ).scalar_one()
    payload = {"payload": incoming.payload, "payload_bytes": len(incoming.payload)}
    revived = leases.again(session, _KIND, known, now, col(DeliveryRow.status).in_(("dead", PARKED)), **payload)
    return Recorded(id=known, duplicate=True, revived=revived)


def _columns(incoming: IncomingDelivery, now: datetime) -> dict[str, object]:
    return {
        "status": "new",
        "attempt": 0,
        "tries": 0,
        "next_attempt_at": now,
        "changed_at": now,
        "event": key_text(incoming.event),
        "action": None if incoming.action is None else key_text(incoming.action),
        "repository": None if incoming.repository is None else name_key(incoming.repository),
        "number": incoming.number if incoming.number is not None and incoming.number <= LARGEST_ID else None,
        "payload": incoming.payload,
        "payload_bytes": len(incoming.payload),
        "received_at": now,
    }

"""The outbox: each digest once on each target of each channel, sent by one holder at a time (R-13, R-30)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from sqlalchemy import select
from sqlalchemy.orm import Session
from sqlmodel import col

from shared.domain.value import Value
from shared.store import leases
from shared.store.columns import error_text, key_text
from shared.store.leases import MAX_TRIES, Failure
from shared.store.tables import PublicationRow
from shared.store.upserts import insert_new

STATUSES = ("pending", "sending", "sent", "unknown", "failed")

_KIND = leases.Kind(table=PublicationRow, waiting=("pending", "unknown"), held="sending", dead="failed")


class PublicationClaim(Value):
    """A publication that is held; ``uncertain`` when an earlier attempt may have been received: look before sending."""

    id: int
    attempt: int
    digest_id: int
    channel: str
    target: str
    external_id: str | None
    uncertain: bool


class PublicationView(Value):
    """A publication as it is listed."""

    id: int
    digest_id: int
    channel: str
    target: str
    status: str
    attempt: int
    tries: int
    next_attempt_at: datetime
    lease_until: datetime | None
    last_error: str | None
    external_id: str | None
    url: str | None
    created_at: datetime
    sent_at: datetime | None


def ensure(session: Session, digest_id: int, channel: str, target: str, now: datetime) -> int:
    """Return the row of this digest on this target, made pending when it is new; an old one stays as it is."""
    key = {"digest_id": digest_id, "channel": channel, "target": key_text(target)}
    state = {
        "status": "pending",
        "attempt": 0,
        "tries": 0,
        "next_attempt_at": now,
        "created_at": now,
        "changed_at": now,
    }
    inserted = insert_new(session, PublicationRow, key | state, key=tuple(key))
    if inserted is not None:
        return inserted
    same = (getattr(PublicationRow, name) == value for name, value in key.items())
    return session.execute(select(col(PublicationRow.id)).where(*same)).scalar_one()


def claim(
    session: Session, publication_id: int, now: datetime, lease: timedelta, *, max_tries: int = MAX_TRIES
) -> PublicationClaim | None:
    """Hold the publication until ``now + lease``; None when it is not due, not there, or was lost ``max_tries`` times.

    Due is a pending or unknown one whose time has come, and one whose sender's lease has run out. Commit at once.
    """
    taken = leases.take(session, _KIND, publication_id, now, lease, max_tries)
    if taken is None:
        return None
    names = ("digest_id", "channel", "target", "external_id")
    row = session.execute(
        select(*(getattr(PublicationRow, name) for name in names)).where(col(PublicationRow.id) == publication_id)
    )
    held = {"id": publication_id, "attempt": taken.attempt, "uncertain": taken.found != "pending"}
    return PublicationClaim.model_validate(dict(row.mappings().one()) | held)


def renew(session: Session, claim: PublicationClaim, now: datetime, lease: timedelta) -> bool:
    """Hold the publication until ``now + lease``; False when somebody else holds it by now."""
    return leases.renew(session, _KIND, claim, now, lease)


def finish(
    session: Session, claim: PublicationClaim, now: datetime, *, external_id: str | None = None, url: str | None = None
) -> bool:
    """Store the receipt of a publication that was sent; False when somebody else holds it by now."""
    receipt = {"external_id": external_id, "url": url, "sent_at": now, "last_error": None}
    return leases.settle(session, _KIND, claim, "sent", now, **receipt)


def fail(
    session: Session, claim: PublicationClaim, error: str, now: datetime, waits: Sequence[timedelta], jitter: float
) -> Failure:
    """Give the publication back after a try that was surely not received: on the ladder, or failed after the last.

    ``jitter`` is a factor between 0.8 and 1.2. Failed after ``len(waits) + 1`` tries.
    """
    return leases.fail(session, _KIND, claim, error, now, waits, jitter, _back_to(claim))


def doubt(session: Session, claim: PublicationClaim, error: str, until: datetime, now: datetime) -> bool:
    """Give the publication back as unknown: it may have been received. The next claim at ``until`` is uncertain.

    The try counts. False when somebody else holds it by now.
    """
    return leases.settle(session, _KIND, claim, "unknown", now, last_error=error_text(error), next_attempt_at=until)


def bury(session: Session, claim: PublicationClaim, error: str, now: datetime) -> bool:
    """Mark the publication failed at once; False when somebody else holds it by now."""
    return leases.settle(session, _KIND, claim, "failed", now, last_error=error_text(error))


def postpone(session: Session, claim: PublicationClaim, error: str, until: datetime, now: datetime) -> bool:
    """Give the publication back until ``until`` without counting the try: somebody else's outage or limit."""
    return leases.postpone(session, _KIND, claim, error, until, now, _back_to(claim))


def due(session: Session, now: datetime, limit: int) -> list[int]:
    """Return at most ``limit`` publications whose work is due, longest waiting first."""
    return leases.due(session, _KIND, now, limit)


def oldest_due_age(session: Session, now: datetime) -> timedelta | None:
    """Return for how long the longest waiting due publication has been due; None when none is."""
    return leases.oldest_due_age(session, _KIND, now)


def unattended_for(session: Session, now: datetime) -> timedelta | None:
    """Return for how long due rows have waited while nobody took or held one, else None (R-21)."""
    return leases.unattended_for(session, _KIND, now)


def counts(session: Session) -> dict[str, int]:
    """Return how many publications are in each status, zeros included."""
    return leases.counts(session, _KIND, STATUSES)


def listing(
    session: Session, *, digest_id: int | None = None, status: str | None = None, limit: int = 50
) -> list[PublicationView]:
    """Return at most ``limit`` publications, newest first."""
    query = select(*(getattr(PublicationRow, name) for name in PublicationView.model_fields))
    if digest_id is not None:
        query = query.where(col(PublicationRow.digest_id) == digest_id)
    if status is not None:
        query = query.where(col(PublicationRow.status) == status)
    rows = session.execute(query.order_by(col(PublicationRow.id).desc()).limit(limit)).mappings()
    return [PublicationView.model_validate(dict(row)) for row in rows]


def replay(session: Session, publication_id: int, now: datetime) -> bool:
    """Make the publication due now with all its tries, whatever its state; False when there is none.

    Its next claim is uncertain: whatever its state says, it may have been received before.
    """
    return leases.again(session, _KIND, publication_id, now, status="unknown", last_error=None)


def _back_to(claim: PublicationClaim) -> str:
    """A doubt stays until a look has settled it."""
    return "unknown" if claim.uncertain else "pending"

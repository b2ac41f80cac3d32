"""Rows that one worker at a time holds: leased, fenced by the attempt number, retried on a ladder (R-13, R-14)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Literal, Protocol

from sqlalchemy import ColumnElement, and_, func, or_, select, update
from sqlalchemy.orm import Session
from sqlmodel import col

from shared.store.columns import error_text
from shared.store.tables import LeasedRow
from shared.store.upserts import UNSYNCHRONISED

MAX_TRIES = 5
"""Tries before a row is dead: one more than the ladder has waits."""

WORKER_LOST = "worker lost"

Conditions = tuple[ColumnElement[bool], ...]

Failure = Literal["retry", "dead", "fenced"]
"""What became of a failed try: tried again later, given up, or somebody else holds the row by now."""


class Held(Protocol):
    """A claim on a row: which one, and the attempt number that fences others off."""

    @property
    def id(self) -> int:
        """The row."""

    @property
    def attempt(self) -> int:
        """The attempt that this claim is."""


@dataclass(frozen=True)
class Kind:
    """The table of leased rows and its words for the states."""

    table: type[LeasedRow]
    waiting: tuple[str, ...]
    """States in which a row waits for ``next_attempt_at``; the first is where a row begins."""
    held: str
    dead: str


@dataclass(frozen=True)
class Taken:
    """A row that is held now: its new attempt number and the state it was found in."""

    attempt: int
    found: str


def take(session: Session, kind: Kind, row_id: int, now: datetime, lease: timedelta, max_tries: int) -> Taken | None:
    """Hold the row until ``now + lease`` if it is due; None when it is not, or somebody is taking it.

    The try counts from here on, so a worker that dies with its row has used one. A row whose last try was lost that
    way is dead.
    """
    table = kind.table
    found = session.execute(
        select(col(table.status), col(table.attempt), col(table.tries))
        .where(col(table.id) == row_id, _is_due(kind, now))
        .with_for_update(skip_locked=True)
    ).one_or_none()
    if found is None:
        return None
    status, attempt, tries = found
    owned = _at(kind, row_id, attempt, status)
    lost = {"last_error": WORKER_LOST} if status == kind.held else {}
    if lost and tries >= max_tries:
        _change(session, kind, owned, {"status": kind.dead, "lease_until": None, "changed_at": now} | lost)
        return None
    held = {"status": kind.held, "attempt": attempt + 1, "tries": tries + 1, "lease_until": now + lease}
    _change(session, kind, owned, {"changed_at": now} | held | lost)
    return Taken(attempt=attempt + 1, found=status)


def renew(session: Session, kind: Kind, claim: Held, now: datetime, lease: timedelta) -> bool:
    """Hold the row until ``now + lease``; False when somebody else holds it by now."""
    return _change(session, kind, _held_by(kind, claim), {"lease_until": now + lease})


def settle(session: Session, kind: Kind, claim: Held, status: str, now: datetime, **values: Any) -> bool:
    """Put the row into its last state; False when somebody else holds it by now."""
    last = {"status": status, "lease_until": None, "changed_at": now}
    return _change(session, kind, _held_by(kind, claim), last | values)


def fail(
    session: Session,
    kind: Kind,
    claim: Held,
    error: str,
    now: datetime,
    waits: Sequence[timedelta],
    jitter: float,
    back_to: str,
) -> Failure:
    """Give the row back after a failed try: due after the wait of this try times ``jitter``, or dead after the last.

    ``jitter`` is a factor near 1 (0.8 to 1.2): rows that failed together do not come back together.
    """
    table = kind.table
    tries = session.execute(
        select(col(table.tries)).where(*_held_by(kind, claim)).with_for_update()
    ).scalar_one_or_none()
    if tries is None:
        return "fenced"
    if tries > len(waits):
        settle(session, kind, claim, kind.dead, now, last_error=error_text(error))
        return "dead"
    again = now + waits[tries - 1] * jitter
    settle(session, kind, claim, back_to, now, last_error=error_text(error), next_attempt_at=again)
    return "retry"


def postpone(
    session: Session, kind: Kind, claim: Held, error: str, until: datetime, now: datetime, back_to: str
) -> bool:
    """Give the row back until ``until`` without counting the try: somebody else's outage or limit."""
    tries = col(kind.table.tries)
    values = {"last_error": error_text(error), "next_attempt_at": until, "tries": tries - 1}
    return settle(session, kind, claim, back_to, now, **values)


def forgive(session: Session, kind: Kind, claim: Held, now: datetime) -> bool:
    """Take back the try of ``claim``, which an outage of the database ended without a word; False when it is settled.

    Still held by it: the row is due again now. Taken by another since, who counted a lost worker: only the count goes
    back. Dead of that count: the row is due again.
    """
    table = kind.table
    fewer = {"tries": col(table.tries) - 1, "changed_at": now}
    due_now = fewer | {"status": kind.waiting[0], "lease_until": None, "next_attempt_at": now}
    if _change(session, kind, _held_by(kind, claim), due_now):
        return True
    counted = (col(table.id) == claim.id, col(table.tries) > 0)
    taken = (col(table.attempt) > claim.attempt, col(table.status).in_((*kind.waiting, kind.held)))
    if _change(session, kind, (*counted, *taken), fewer):
        return True
    died_of_it = (
        col(table.attempt) >= claim.attempt,
        col(table.status) == kind.dead,
        col(table.last_error) == WORKER_LOST,
    )
    return _change(session, kind, (*counted, *died_of_it), due_now)


def due(session: Session, kind: Kind, now: datetime, limit: int) -> list[int]:
    """Return at most ``limit`` rows whose work is due, longest waiting first."""
    identity = col(kind.table.id)
    query = select(identity).where(_is_due(kind, now)).order_by(_due_since(kind), identity)
    return list(session.scalars(query.limit(limit)))


def lost(session: Session, kind: Kind, now: datetime, limit: int) -> list[int]:
    """Return at most ``limit`` rows whose holder let the lease run out, longest ago first."""
    table = kind.table
    query = select(col(table.id)).where(col(table.status) == kind.held, col(table.lease_until) <= now)
    return list(session.scalars(query.order_by(col(table.lease_until), col(table.id)).limit(limit)))


def oldest_due_age(session: Session, kind: Kind, now: datetime, *conditions: ColumnElement[bool]) -> timedelta | None:
    """Return for how long the longest waiting due row has been due; None when nothing is due."""
    oldest = session.scalar(select(func.min(_due_since(kind))).where(_is_due(kind, now), *conditions))
    return None if oldest is None else max(now - oldest, timedelta(0))


def unattended_for(session: Session, kind: Kind, now: datetime, *conditions: ColumnElement[bool]) -> timedelta | None:
    """Return for how long due rows have waited while nobody took one or held one; None when there is no such wait.

    Only waits of rows with these ``conditions`` count.

    Everything that a worker does to a row it has taken changes ``changed_at``, so a busy one is never unattended.
    """
    waited = oldest_due_age(session, kind, now, *conditions)
    if waited is None:
        return None
    table = kind.table
    held = select(col(table.id)).where(col(table.status) == kind.held, col(table.lease_until) > now).limit(1)
    if session.scalar(held) is not None:
        return None
    worked_on = (col(table.attempt) > 0, col(table.changed_at) > now - waited)
    last = session.scalar(select(func.max(col(table.changed_at))).where(*worked_on))
    return waited if last is None else min(waited, max(now - last, timedelta(0)))


def counts(session: Session, kind: Kind, statuses: Sequence[str]) -> dict[str, int]:
    """Return how many rows are in each of ``statuses``, zeros included."""
    status = col(kind.table.status)
    found = dict(session.execute(select(status, func.count()).group_by(status)).all())
    return {name: found.get(name, 0) for name in statuses}


def again(
    session: Session, kind: Kind, row_id: int, now: datetime, *conditions: ColumnElement[bool], **values: Any
) -> bool:
    """Make the row due now with all its tries before it, whatever its state; False when there is none such.

    The attempt number stays: whoever holds the row has lost it by its state, and the next claim gets a higher number.
    """
    fresh = {"status": kind.waiting[0], "tries": 0, "next_attempt_at": now, "lease_until": None, "changed_at": now}
    return _change(session, kind, (col(kind.table.id) == row_id, *conditions), fresh | values)


def _is_due(kind: Kind, now: datetime) -> ColumnElement[bool]:
    table = kind.table
    waits = and_(col(table.status).in_(kind.waiting), col(table.next_attempt_at) <= now)
    return or_(waits, and_(col(table.status) == kind.held, col(table.lease_until) <= now))


def _due_since(kind: Kind) -> ColumnElement[datetime]:
    """When a due row became due; only a held one has a lease."""
    return func.coalesce(col(kind.table.lease_until), col(kind.table.next_attempt_at))


def _held_by(kind: Kind, claim: Held) -> Conditions:
    """True only while this attempt holds the row (R-13)."""
    return _at(kind, claim.id, claim.attempt, kind.held)


def _at(kind: Kind, row_id: int, attempt: int, status: str) -> Conditions:
    table = kind.table
    return col(table.id) == row_id, col(table.attempt) == attempt, col(table.status) == status


def _change(session: Session, kind: Kind, where: Conditions, values: Mapping[str, Any]) -> bool:
    table = kind.table
    changed = session.execute(
        update(table).where(*where).values(**values).returning(col(table.id)), execution_options=UNSYNCHRONISED
    )
    return changed.scalar_one_or_none() is not None

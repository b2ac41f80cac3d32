"""Backfills: stretches of the past that are taken in, each by one process at a time, from where the last stopped."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import and_, func, or_, select, update
from sqlalchemy.orm import Session
from sqlmodel import col

from shared.domain.value import Value
from shared.store import leases
from shared.store.columns import LARGEST_ID, name_key
from shared.store.tables import AnalysisRow, BackfillRow, DeliveryRow, PullRequestRow
from shared.store.upserts import UNSYNCHRONISED, insert_new

_KIND = leases.Kind(table=BackfillRow, waiting=("waiting",), held="working", dead="dead")
_WITHOUT_END = 2**31
"""Tries of a backfill are not counted: each process that takes it up goes on where the last one stopped."""
_OPEN = ("new", "claimed")

SOURCE = "backfill:"
"""What the source of a backfill's deliveries begins with, in the inbox."""
_BATCH = 200
"""Statements have a limit of parameters."""


class Backfill(Value):
    """One stretch ``[since, until)`` of a repository: how far its listing has come."""

    id: int
    repository_id: int
    since: datetime
    until: datetime
    cursor: str | None
    listed: int
    found: int
    listed_at: datetime | None
    created_at: datetime

    @property
    def source(self) -> str:
        """Who its deliveries come from, in the inbox."""
        return f"{SOURCE}{self.id}"


class BackfillClaim(Value):
    """A backfill that is held; ``attempt`` fences off every earlier holder."""

    id: int
    attempt: int


class Account(Value):
    """What became of a backfill's deliveries: how many are still to be worked on, how many have ended, and how."""

    open: int = 0
    held: int = 0
    """Open ones that somebody works on."""
    done: int = 0
    dead: int = 0
    parked: int = 0
    waits_until: datetime | None = None
    """When the first of the open ones is due that nobody works on; None when there is none."""
    waits_to_retry: bool = False
    """Whether that one has failed; else it was postponed, by a limit or an outage, or never tried."""


def begin(session: Session, repository_id: int, since: datetime, until: datetime, now: datetime) -> Backfill:
    """Return the backfill of this stretch, made if there was none; one that was listed to its end begins anew."""
    key = {"repository_id": repository_id, "since": since, "until": until}
    fresh = {"status": "waiting", "attempt": 0, "tries": 0, "next_attempt_at": now, "changed_at": now}
    insert_new(session, BackfillRow, key | fresh | {"created_at": now, "listed": 0, "found": 0}, key=tuple(key))
    found = _of(session, *(getattr(BackfillRow, name) == value for name, value in key.items()))
    if found.listed_at is None or _account(session, found).open:
        return found
    again = {"cursor": None, "listed": 0, "found": 0, "listed_at": None, "created_at": now, "changed_at": now}
    session.execute(
        update(BackfillRow).where(col(BackfillRow.id) == found.id).values(**again), execution_options=UNSYNCHRONISED
    )
    return get(session, found.id)


def unfinished(session: Session, repository_id: int, since: datetime) -> Backfill | None:
    """Return the newest backfill from ``since`` on that was not brought to its end; None when there is none."""
    row = BackfillRow
    query = select(*_columns()).where(col(row.repository_id) == repository_id, col(row.since) == since)
    for found in session.execute(query.order_by(col(row.until).desc())).mappings():
        backfill = Backfill.model_validate(dict(found))
        if backfill.listed_at is None or _account(session, backfill).open:
            return backfill
    return None


def get(session: Session, backfill_id: int) -> Backfill:
    """Return the backfill of a row; sqlalchemy's NoResultFound when there is none."""
    return _of(session, col(BackfillRow.id) == backfill_id)


def claim(session: Session, backfill_id: int, now: datetime, lease: timedelta) -> BackfillClaim | None:
    """Hold the backfill until ``now + lease``; None while another process holds it."""
    taken = leases.take(session, _KIND, backfill_id, now, lease, _WITHOUT_END)
    return None if taken is None else BackfillClaim(id=backfill_id, attempt=taken.attempt)


def renew(session: Session, held: BackfillClaim, now: datetime, lease: timedelta) -> bool:
    """Hold it until ``now + lease``; False when another process holds it by now."""
    return leases.renew(session, _KIND, held, now, lease)


def advance(
    session: Session, held: BackfillClaim, now: datetime, *, cursor: str | None, listed: int, found: int, ended: bool
) -> bool:
    """Remember how far the listing has come, in the transaction that records what it found.

    ``listed`` and ``found`` are added. False when another process holds the backfill by now: roll back.
    """
    row = BackfillRow
    values = {
        "cursor": cursor,
        "listed": col(row.listed) + listed,
        "found": col(row.found) + found,
        "listed_at": now if ended else None,
        "changed_at": now,
    }
    changed = session.execute(
        update(row)
        .where(col(row.id) == held.id, col(row.attempt) == held.attempt, col(row.status) == _KIND.held)
        .values(**values)
        .returning(col(row.id)),
        execution_options=UNSYNCHRONISED,
    )
    return changed.scalar_one_or_none() is not None


def release(session: Session, held: BackfillClaim, now: datetime) -> bool:
    """Give the backfill back, so that the next process need not wait for the lease; False when it was lost."""
    return leases.settle(session, _KIND, held, "waiting", now, next_attempt_at=now)


def account(session: Session, backfill_id: int, since: datetime | None = None) -> Account:
    """Return what became of the deliveries that this backfill recorded; of the ended ones, of those since then."""
    return _account(session, get(session, backfill_id), since)


def due(session: Session, backfill: Backfill, now: datetime, limit: int) -> list[int]:
    """Return at most ``limit`` deliveries of this backfill whose work is due, longest waiting first."""
    row = DeliveryRow
    waits = (col(row.status) == "new", col(row.next_attempt_at) <= now)
    lost = (col(row.status) == "claimed", col(row.lease_until) <= now)
    found: list[int] = []
    for conditions in (lost, waits):
        query = select(col(row.id)).where(col(row.source) == backfill.source, *conditions)
        found += session.scalars(query.order_by(col(row.next_attempt_at), col(row.id)).limit(limit))
    return found[:limit]


def settled(
    session: Session, backfill: Backfill, full_name: str, numbers: Collection[int], *, or_captured: bool
) -> set[int]:
    """Return those of ``numbers`` that need not be recorded: they have an analysis, or another delivery brings one.

    With ``or_captured`` also those that were captured and have no analysis.
    """
    pull, waiting = PullRequestRow, DeliveryRow
    analysed = select(col(AnalysisRow.id)).where(col(AnalysisRow.pull_request_id) == col(pull.id)).exists()
    done = (col(pull.repository_id) == backfill.repository_id, col(pull.captured))
    brought = (col(waiting.repository) == name_key(full_name), col(waiting.action) == "closed")
    found: set[int] = set()
    wanted = sorted(number for number in numbers if number <= LARGEST_ID)
    for place in range(0, len(wanted), _BATCH):
        some = wanted[place : place + _BATCH]
        ended = select(col(pull.number)).where(*done, col(pull.number).in_(some))
        found.update(session.scalars(ended if or_captured else ended.where(analysed)))
        opened = select(col(waiting.number)).where(*brought, col(waiting.status).in_(_OPEN))
        found.update(int(number or 0) for number in session.scalars(opened.where(col(waiting.number).in_(some))))
    return found


def _account(session: Session, backfill: Backfill, since: datetime | None = None) -> Account:
    row = DeliveryRow
    status, of_it = col(row.status), col(row.source) == backfill.source
    wanted = of_it if since is None else and_(of_it, or_(status.in_(_OPEN), col(row.changed_at) >= since))
    counted = dict(session.execute(select(status, func.count()).where(wanted).group_by(status)).all())
    first = select(col(row.next_attempt_at), col(row.tries)).where(of_it, status == "new")
    waits_until, tries = session.execute(first.order_by(col(row.next_attempt_at)).limit(1)).one_or_none() or (None, 0)
    return Account(
        open=sum(counted.get(name, 0) for name in _OPEN),
        held=counted.get("claimed", 0),
        done=counted.get("done", 0),
        dead=counted.get("dead", 0),
        parked=counted.get("parked", 0),
        waits_until=waits_until,
        waits_to_retry=tries > 0,
    )


def _of(session: Session, *conditions: object) -> Backfill:
    query = select(*_columns()).where(*conditions)  # type: ignore[arg-type]
    return Backfill.model_validate(dict(session.execute(query).mappings().one()))


def _columns() -> list[Any]:
    return [getattr(BackfillRow, name) for name in Backfill.model_fields]

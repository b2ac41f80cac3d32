"""The budgets of requests to the code host: one row for each credential and resource, for every process (R-50)."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from sqlalchemy import select
from sqlalchemy.orm import Session

from shared.domain.errors import Postponed
from shared.domain.protocols import Allowance, Clock
from shared.store.columns import key_text
from shared.store.session import Database
from shared.store.tables import RequestBudgetRow
from shared.store.upserts import insert_new

ANONYMOUS_LIMIT = 60
"""Requests an hour without a credential (docs.github.com, "Rate limits for the REST API")."""

A_MINUTE = 600
"""Requests a minute of one credential: 900 points provoke the secondary limit, and a read is one point."""

RESOURCES = ("core", "graphql")
"""What the host counts apart; its secondary limit is one for all of them."""

_ANONYMOUS = "anonymous"
_WINDOW = timedelta(hours=1)
_LONGEST_WAIT = timedelta(hours=24)
_MINUTE = timedelta(minutes=1)
_FIRST_BACKOFF = timedelta(minutes=1)
_MOST_DOUBLINGS = 6


class StoredLimiter:
    """The budget that every process draws on; each step is one short transaction of its own."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database, self._clock = database, clock

    def spend(self, credential: str, resource: str, keep: int = 0) -> None:
        """Take one request; Postponed when it must wait, or when no more than ``keep`` are left.

        Of a small budget ``keep`` is at most the half, or what leaves some for others would never be asked at all.
        DatabaseUnavailable when it cannot be counted; RuntimeError inside an open transaction.
        """
        now = self._clock()
        with self._database.transaction() as session:
            row = _locked(session, credential, resource, now)
            _begin_windows(row, now)
            _refuse(row, now, keep)
            row.minute_count += 1
            if row.remaining is not None:
                row.remaining -= 1
            row.changed_at = now

    def note(self, credential: str, resource: str, allowance: Allowance) -> datetime | None:
        """Remember what an answer said, and return until when nothing may be asked now; None when it may.

        What the host says wins over our own count, but no wait is longer than a day. ``wait_until`` only moves forward;
        an answer without a refusal ends a row of refusals once their wait is over. A refusal that is not for a used-up
        budget (the secondary limit) holds for every resource of the credential. DatabaseUnavailable.
        """
        now = self._clock()
        refused = allowance.backoff or allowance.wait_until is not None
        shared = set(RESOURCES) if refused and allowance.remaining != 0 else set()
        with self._database.transaction() as session:
            # In one order: two processes that lock both rows cannot wait for each other.
            rows = {name: _locked(session, credential, name, now) for name in sorted(shared | {resource})}
            row = rows[resource]
            _take_over(row, allowance, now)
            _take_wait(row, allowance, now)
            row.changed_at = now
            for other in shared - {resource}:
                _wait_as_long(rows[other], row, now)
            return _closed_until(row, now)


def _locked(session: Session, credential: str, resource: str, now: datetime) -> RequestBudgetRow:
    """The row, held until the transaction ends; a credential that is new here gets one."""
    names = {"credential": key_text(credential), "resource": key_text(resource)}
    found = select(RequestBudgetRow).filter_by(**names).with_for_update()
    row = session.execute(found).scalar_one_or_none()
    if row is not None:
        return row
    counts = {"request_limit": ANONYMOUS_LIMIT, "remaining": ANONYMOUS_LIMIT, "reset_at": now + _WINDOW}
    fresh = names | {"backoffs": 0, "minute_count": 0, "changed_at": now}
    fresh |= counts if credential == _ANONYMOUS else {}
    insert_new(session, RequestBudgetRow, fresh, key=("credential", "resource"), returning="credential")
    return session.execute(found).scalar_one()


def _begin_windows(row: RequestBudgetRow, now: datetime) -> None:
    """An hour that is over gives its whole budget back, a minute its count."""
    if row.remaining is not None and (row.reset_at is None or row.reset_at <= now):
        row.remaining, row.reset_at = row.request_limit, now + _WINDOW
    if row.minute_at is None or not row.minute_at <= now < row.minute_at + _MINUTE:
        row.minute_at, row.minute_count = now, 0


def _refuse(row: RequestBudgetRow, now: datetime, keep: int) -> None:
    """Postponed when nothing may be taken now."""
    if row.wait_until is not None and row.wait_until > now:
        raise _postponed(f"GitHub asked to wait ({row.credential})", row.wait_until)
    if row.remaining is not None and row.reset_at is not None:
        kept = keep if row.request_limit is None else min(keep, row.request_limit // 2)
        if row.remaining <= kept:
            left = f"{row.remaining} of {row.request_limit} requests are left of {row.credential}"
            raise _postponed(left if kept == 0 else f"{left}, and {kept} are kept for other work", row.reset_at)
    if row.minute_at is not None and row.minute_count >= A_MINUTE:
        raise _postponed(f"{A_MINUTE} requests were made within a minute ({row.credential})", row.minute_at + _MINUTE)


def _take_over(row: RequestBudgetRow, allowance: Allowance, now: datetime) -> None:
    row.request_limit = row.request_limit if allowance.limit is None else allowance.limit
    row.remaining = row.remaining if allowance.remaining is None else allowance.remaining
    row.reset_at = row.reset_at if allowance.reset_at is None else min(allowance.reset_at, now + _LONGEST_WAIT)


def _take_wait(row: RequestBudgetRow, allowance: Allowance, now: datetime) -> None:
    waiting = row.wait_until is not None and row.wait_until > now
    if not allowance.backoff and allowance.wait_until is None:
        # One that was under way when a refusal came says nothing about it.
        row.backoffs = row.backoffs if waiting else 0
        return
    until = min(allowance.wait_until, now + _LONGEST_WAIT) if allowance.wait_until else None
    if allowance.backoff:
        # Refusals side by side are one: only what was asked after a wait is refused again.
        row.backoffs = row.backoffs if waiting and row.backoffs else row.backoffs + 1
        until = now + _FIRST_BACKOFF * 2 ** min(row.backoffs - 1, _MOST_DOUBLINGS)
    if until is not None and (row.wait_until is None or until > row.wait_until):
        row.wait_until = until


def _wait_as_long(other: RequestBudgetRow, row: RequestBudgetRow, now: datetime) -> None:
    if row.wait_until is not None and (other.wait_until is None or row.wait_until > other.wait_until):
        other.wait_until, other.changed_at = row.wait_until, now


def _closed_until(row: RequestBudgetRow, now: datetime) -> datetime | None:
    waits = [row.wait_until, row.reset_at if row.remaining == 0 else None]
    return max((wait for wait in waits if wait is not None and wait > now), default=None)


def _postponed(why: str, until: datetime) -> Postponed:
    return Postponed(f"{why}.", until, f"It goes on at {until.astimezone(UTC):%Y-%m-%d %H:%M:%S} UTC.")

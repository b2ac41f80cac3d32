"""Reconciliations: how far each repository was compared with its host, held by one worker at a time (R-07, R-13)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import func, or_, select, update
from sqlalchemy.orm import Session
from sqlmodel import col

from shared.domain.value import Value
from shared.store import leases
from shared.store.columns import error_text, name_key
from shared.store.leases import MAX_TRIES
from shared.store.tables import DeliveryRow, PingRow, ReconciliationRow
from shared.store.upserts import UNSYNCHRONISED, insert_new

_KIND = leases.Kind(table=ReconciliationRow, waiting=("waiting",), held="claimed", dead="dead")
_HOOK = "hook:"

SOURCE = "reconciler"
"""Who the deliveries of merges that no delivery told of come from, in the inbox."""


class Reconciliation(Value):
    """How far one repository was compared with its host.

    Every merge that the host updated between ``covered_since`` and ``watermark`` is known. ``blind_since`` is set
    while the host refuses to show the repository, for ``blind_reason``. ``left_out_since`` is set while the list has
    entries that cannot be read. ``tried_at`` is the last end of a comparison, a failed one's too.
    """

    repository_id: int
    status: str
    next_attempt_at: datetime
    last_error: str | None
    covered_since: datetime | None
    watermark: datetime | None
    checked_at: datetime | None
    tried_at: datetime | None
    awaited_since: datetime | None
    left_out_since: datetime | None
    blind_since: datetime | None
    blind_reason: str | None
    progress: str | None

    def covers(self, start: datetime, end: datetime) -> bool:
        """Whether every merge of ``[start, end)`` that the host has is known."""
        if self.covered_since is None or self.watermark is None:
            return False
        return self.covered_since <= start and end <= self.watermark


class ReconciliationClaim(Value):
    """A reconciliation that is held; ``attempt`` fences off every earlier holder."""

    id: int
    attempt: int
    tries: int
    known: Reconciliation
    """What the row said when it was taken."""


def ensure(session: Session, repository_id: int, now: datetime) -> bool:
    """Make the row of a repository, due now; False when there is one."""
    fresh = {"status": "waiting", "attempt": 0, "tries": 0, "next_attempt_at": now, "changed_at": now}
    values = {"repository_id": repository_id} | fresh
    return insert_new(session, ReconciliationRow, values, key=("repository_id",)) is not None


def get(session: Session, repository_id: int) -> Reconciliation | None:
    """Return how far a repository was compared; None when its host was never to be asked."""
    query = select(*_columns()).where(col(ReconciliationRow.repository_id) == repository_id)
    row = session.execute(query).mappings().one_or_none()
    return None if row is None else Reconciliation.model_validate(dict(row))


def listing(session: Session) -> list[Reconciliation]:
    """Return every reconciliation, by repository row."""
    rows = session.execute(select(*_columns()).order_by(col(ReconciliationRow.repository_id))).mappings()
    return [Reconciliation.model_validate(dict(row)) for row in rows]


def claim(
    session: Session, repository_id: int, now: datetime, lease: timedelta, *, max_tries: int = MAX_TRIES
) -> ReconciliationClaim | None:
    """Hold the reconciliation of a repository until ``now + lease``; None when it is not due or not there."""
    row_id = session.scalar(
        select(col(ReconciliationRow.id)).where(col(ReconciliationRow.repository_id) == repository_id)
    )
    taken = None if row_id is None else leases.take(session, _KIND, row_id, now, lease, max_tries)
    if row_id is None or taken is None:
        return None
    tries = session.execute(select(col(ReconciliationRow.tries)).where(col(ReconciliationRow.id) == row_id))
    known = get(session, repository_id)
    assert known is not None
    return ReconciliationClaim(id=row_id, attempt=taken.attempt, tries=tries.scalar_one(), known=known)


def renew(session: Session, claim: ReconciliationClaim, now: datetime, lease: timedelta) -> bool:
    """Hold the reconciliation until ``now + lease``; False when somebody else holds it by now: stop."""
    return leases.renew(session, _KIND, claim, now, lease)


def advance(session: Session, claim: ReconciliationClaim, progress: str, now: datetime, lease: timedelta) -> bool:
    """Remember how far it has come, and hold it until ``now + lease``.

    Call it in the transaction that saves what was found; roll that back on False: somebody else holds it by now.
    """
    held = {"progress": progress, "lease_until": now + lease}
    return leases.settle(session, _KIND, claim, _KIND.held, now, **held)


def finish(
    session: Session,
    claim: ReconciliationClaim,
    now: datetime,
    *,
    covered_since: datetime,
    watermark: datetime,
    progress: str,
    again_at: datetime,
    left_out_since: datetime | None = None,
) -> bool:
    """Move the watermark after a whole walk, and wait until ``again_at``; False when somebody else holds it by now."""
    seen = {"covered_since": covered_since, "watermark": watermark, "checked_at": now, "progress": progress}
    seen |= {"tried_at": now, "left_out_since": left_out_since}
    sighted = {"blind_since": None, "blind_reason": None, "last_error": None, "tries": 0}
    return leases.settle(session, _KIND, claim, "waiting", now, next_attempt_at=again_at, **seen, **sighted)


def blind(session: Session, claim: ReconciliationClaim, reason: str, again_at: datetime, now: datetime) -> bool:
    """Remember that the host does not show the repository, since when and why, and wait until ``again_at``.

    What was begun is forgotten: whoever may read again begins again. False when somebody else holds it by now.
    """
    told = error_text(reason)
    since = func.coalesce(col(ReconciliationRow.blind_since), now)
    values: dict[str, Any] = {"blind_since": since, "blind_reason": told, "last_error": told, "tries": 0}
    values["tried_at"] = now
    return leases.settle(session, _KIND, claim, "waiting", now, next_attempt_at=again_at, progress=None, **values)


def postpone(session: Session, claim: ReconciliationClaim, error: str | None, until: datetime, now: datetime) -> bool:
    """Give it back until ``until`` without counting the try; what was begun goes on then.

    Without an ``error`` it is only interrupted, and has not come to an end.
    """
    values: dict[str, Any] = {"tries": 0, "last_error": None if error is None else error_text(error)}
    if error is not None:
        values["tried_at"] = now
    return leases.settle(session, _KIND, claim, "waiting", now, next_attempt_at=until, **values)


def fail(session: Session, claim: ReconciliationClaim, error: str, until: datetime, now: datetime) -> bool:
    """Give it back until ``until`` after a fault of ours; what was begun is forgotten, it may be what is wrong."""
    values = {"progress": None, "last_error": error_text(error), "tried_at": now}
    return leases.settle(session, _KIND, claim, "waiting", now, next_attempt_at=until, **values)


def due(session: Session, now: datetime, limit: int) -> list[int]:
    """Return the repository rows of at most ``limit`` reconciliations that are due, longest waiting first."""
    rows = leases.due(session, _KIND, now, limit)
    found = session.execute(
        select(col(ReconciliationRow.id), col(ReconciliationRow.repository_id)).where(
            col(ReconciliationRow.id).in_(rows)
        )
    )
    repository_of = dict(found.all())
    return [repository_of[row] for row in rows]


def look_again(session: Session, now: datetime) -> int:
    """Make those due now that the host refused to show; return how many: somebody has given access somewhere."""
    refused = (col(ReconciliationRow.status) == "waiting", col(ReconciliationRow.blind_since).is_not(None))
    changed = session.execute(
        update(ReconciliationRow)
        .where(*refused, col(ReconciliationRow.next_attempt_at) > now)
        .values(next_attempt_at=now, changed_at=now)
        .returning(col(ReconciliationRow.id)),
        execution_options=UNSYNCHRONISED,
    )
    return len(changed.all())


def revive(session: Session, before: datetime, now: datetime) -> int:
    """Make those due again that lost all their workers and are dead since before ``before``; return how many."""
    dead = (col(ReconciliationRow.status) == _KIND.dead, col(ReconciliationRow.changed_at) <= before)
    values = {"status": "waiting", "tries": 0, "next_attempt_at": now, "progress": None, "changed_at": now}
    revived = session.execute(
        update(ReconciliationRow).where(*dead).values(**values).returning(col(ReconciliationRow.id)),
        execution_options=UNSYNCHRONISED,
    )
    return len(revived.all())


def await_try(session: Session, repository_id: int, since: datetime, now: datetime) -> None:
    """Remember that a digest has waited from now on for a comparison after ``since``, unless one has waited already."""
    ensure(session, repository_id, now)
    row = ReconciliationRow
    waits_for_earlier = or_(col(row.awaited_since).is_(None), col(row.awaited_since) < since)
    session.execute(
        update(row).where(col(row.repository_id) == repository_id, waits_for_earlier).values(awaited_since=now),
        execution_options=UNSYNCHRONISED,
    )


def hooks_of(session: Session, full_name: str) -> list[int]:
    """Return the ids of the repository's own webhooks, as pings and deliveries told them."""
    sources = select(col(DeliveryRow.source)).where(
        col(DeliveryRow.repository) == name_key(full_name), col(DeliveryRow.source).startswith(_HOOK)
    )
    found = {source.removeprefix(_HOOK) for source in session.scalars(sources.distinct())}
    pings = session.execute(
        select(col(PingRow.hook_id), col(PingRow.repository)).where(col(PingRow.hook_id).is_not(None))
    )
    found |= {str(hook) for hook, name in pings if name is not None and name_key(name) == name_key(full_name)}
    return sorted(int(hook) for hook in found if hook.isascii() and hook.isdigit())


def arrived(session: Session, sources: Sequence[str], guids: Sequence[str]) -> set[str]:
    """Return those of ``guids`` that the inbox has from one of ``sources``."""
    known: set[str] = set()
    for place in range(0, len(guids), 200):
        some = guids[place : place + 200]
        query = select(col(DeliveryRow.guid)).where(
            col(DeliveryRow.source).in_(sources), col(DeliveryRow.guid).in_(some)
        )
        known.update(session.scalars(query))
    return known


def _columns() -> list[Any]:
    return [getattr(ReconciliationRow, name) for name in Reconciliation.model_fields]

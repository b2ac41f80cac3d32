"""Readings: each analysis by rules that a model is to read, held by one worker at a time (R-13, R-60)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Literal

from sqlalchemy import ColumnElement, and_, or_, select, update
from sqlalchemy.orm import Session
from sqlmodel import col

from shared.domain.value import Value
from shared.store import leases
from shared.store.columns import error_text, key_text
from shared.store.leases import MAX_TRIES, Failure
from shared.store.reading_tasks import ReadingClaim, calls_sent, task, unsettle
from shared.store.tables import ModelCallRow, ReadingRow
from shared.store.upserts import UNSYNCHRONISED, insert_new

WAITING = ("new", "retry")
STATUSES = (*WAITING, "reading", "batched", "done", "rules", "superseded", "dead")

AskedBy = Literal["capture", "backfill", "reanalyze"]

_OPEN = (*WAITING, "reading", "batched")
_CAME_TO_NOTHING = ("rules", "dead")
_KIND = leases.Kind(table=ReadingRow, waiting=WAITING, held="reading", dead="dead")


class Ensured(Value):
    """What became of asking for a reading.

    ``id`` is the row that is going to be read; None when none is. ``made``: it is because of this call. ``fingerprint``
    is of the analysis with a reading that is there already: put that in force again.
    """

    id: int | None = None
    made: bool = False
    fingerprint: str | None = None


def ensure(  # noqa: PLR0913 - the four parts of its key, who asks, and when
    session: Session,
    pull_request_id: int,
    base_fingerprint: str,
    model: str,
    prompt_version: str,
    importance: int,
    asked_by: AskedBy,
    now: datetime,
    *,
    carried_on: bool = False,
) -> Ensured:
    """Ask for a reading of the analysis by rules; call it in the transaction that stores that.

    Older analyses of the merge that still wait to be read are superseded. One that was read, by whichever model, is not
    read again, nor is one that is going to be, nor one whose reading came to nothing, by whichever model or prompt.
    ``reanalyze`` asks even so, for a model and prompt that have not read it yet, and gives what came to nothing two
    calls more. ``carried_on``: nobody asks now, a reading that waited goes on as another; it gets no used calls back.
    """
    base = key_text(base_fingerprint)
    of_base = {"pull_request_id": pull_request_id, "base_fingerprint": base}
    key = of_base | {"model": key_text(model), "prompt_version": key_text(prompt_version)}
    _supersede_others(session, pull_request_id, base, now)
    anew = asked_by == "reanalyze"
    alike = key if anew else of_base
    done = _found(session, alike, ("done",))
    if done is not None:
        return Ensured(fingerprint=done.fingerprint)
    waiting = _found(session, alike, _OPEN)
    if waiting is not None:
        return Ensured(id=waiting.id)
    if not (anew or carried_on) and _found(session, alike, _CAME_TO_NOTHING) is not None:
        return Ensured()
    asked = {"importance": importance, "asked_by": asked_by, "earlier_calls": 0}
    made = insert_new(session, ReadingRow, key | _fresh(now) | asked, key=tuple(key))
    if made is not None:
        return Ensured(id=made, made=True)
    revived = _revive(session, key, asked_by, now, by_person=anew and not carried_on)
    return Ensured(id=revived, made=revived is not None)


def _fresh(now: datetime) -> dict[str, object]:
    """What a reading begins with."""
    return {"status": "new", "attempt": 0, "tries": 0, "next_attempt_at": now, "changed_at": now, "created_at": now}


def claim(
    session: Session, reading_id: int, now: datetime, lease: timedelta, *, max_tries: int = MAX_TRIES
) -> ReadingClaim | None:
    """Hold the reading until ``now + lease``; None when it is not due, not there, or was lost ``max_tries`` times.

    Calls that an earlier holder reserved and never settled are unsettled from now on: they may have been sent, and
    count. Commit at once: the count of tries must outlive this worker.
    """
    taken = leases.take(session, _KIND, reading_id, now, lease, max_tries)
    unsettled = taken is not None or _is_dead(session, reading_id)
    if unsettled:
        unsettle(session, col(ReadingRow.id) == reading_id, now)
    if taken is None:
        return None
    found = task(session, reading_id)
    return None if found is None else ReadingClaim(**found.model_dump(), attempt=taken.attempt)


def renew(session: Session, claim: ReadingClaim, now: datetime, lease: timedelta) -> bool:
    """Hold the reading until ``now + lease``; False when somebody else holds it by now: stop working on it."""
    return leases.renew(session, _KIND, claim, now, lease)


def finish(
    session: Session,
    claim: ReadingClaim,
    status: Literal["done", "rules"],
    now: datetime,
    *,
    fingerprint: str | None = None,
    why: str | None = None,
) -> bool:
    """End the reading; False when somebody else holds it by now.

    ``done`` with the fingerprint of the stored analysis, in the transaction that stores it, which is rolled back on
    False (R-13); ``rules`` with ``why`` no reading will come.
    """
    told = None if why is None else error_text(why)
    result = None if fingerprint is None else key_text(fingerprint)
    return leases.settle(session, _KIND, claim, status, now, fingerprint=result, last_error=told, done_at=now)


def supersede(session: Session, claim: ReadingClaim, now: datetime) -> bool:
    """End the reading because the facts changed before it was read; False when somebody else holds it by now."""
    return leases.settle(session, _KIND, claim, "superseded", now)


def fail(
    session: Session, claim: ReadingClaim, error: str, now: datetime, waits: Sequence[timedelta], jitter: float
) -> Failure:
    """Give the reading back after a failed try: due after ``waits[try]`` times ``jitter``, or dead after the last."""
    return leases.fail(session, _KIND, claim, error, now, waits, jitter, "retry")


def postpone(session: Session, claim: ReadingClaim, error: str, until: datetime, now: datetime) -> bool:
    """Give the reading back until ``until`` without counting the try; False when somebody else holds it by now."""
    return leases.postpone(session, _KIND, claim, error, until, now, "retry")


def forgive(session: Session, claim: ReadingClaim, now: datetime) -> bool:
    """Take back the try of ``claim``, which an outage of the database ended; False when the reading is settled."""
    return leases.forgive(session, _KIND, claim, now)


def due(session: Session, now: datetime, limit: int, *, for_batches: Sequence[str] = ()) -> list[int]:
    """Return at most ``limit`` readings whose work is due, the weightiest first, then the oldest.

    ``for_batches``: models whose readings of a backfill go through batches: see ``left_to_batches``.
    """
    waits = and_(col(ReadingRow.status).in_(WAITING), col(ReadingRow.next_attempt_at) <= now)
    was_lost = and_(col(ReadingRow.status) == "reading", col(ReadingRow.lease_until) <= now)
    weightiest = (col(ReadingRow.importance).desc(), col(ReadingRow.created_at), col(ReadingRow.id))
    query = select(col(ReadingRow.id)).where(or_(waits, was_lost)).order_by(*weightiest)
    if for_batches:
        query = query.where(~left_to_batches(for_batches))
    return list(session.scalars(query.limit(limit)))


def left_to_batches(models: Sequence[str]) -> ColumnElement[bool]:
    """True for a reading by one of ``models`` that a backfill asked for and that was never asked about."""
    of_it = (col(ModelCallRow.reading_id) == col(ReadingRow.id), col(ModelCallRow.status) != "unsent")
    return and_(
        col(ReadingRow.status) == "new",
        col(ReadingRow.asked_by) == "backfill",
        col(ReadingRow.model).in_([key_text(model) for model in models]),
        ~select(col(ModelCallRow.id)).where(*of_it).exists(),
    )


def lost(session: Session, now: datetime, limit: int) -> list[int]:
    """Return at most ``limit`` readings whose worker let the lease run out, longest ago first."""
    return leases.lost(session, _KIND, now, limit)


def counts(session: Session) -> dict[str, int]:
    """Return how many readings are in each status, zeros included."""
    return leases.counts(session, _KIND, STATUSES)


def _supersede_others(session: Session, pull_request_id: int, base: str, now: datetime) -> None:
    """One that is being read is left alone: whoever holds it finds out when it is saved."""
    session.execute(
        update(ReadingRow)
        .where(
            col(ReadingRow.pull_request_id) == pull_request_id,
            col(ReadingRow.base_fingerprint) != base,
            col(ReadingRow.status).in_((*WAITING, "batched")),
        )
        .values(status="superseded", changed_at=now),
        execution_options=UNSYNCHRONISED,
    )


def _found(session: Session, key: dict[str, object], statuses: Sequence[str]) -> ReadingRow | None:
    query = select(ReadingRow).filter_by(**key).where(col(ReadingRow.status).in_(statuses))
    return session.scalars(query.order_by(col(ReadingRow.done_at).desc(), col(ReadingRow.id).desc()).limit(1)).first()


def _revive(
    session: Session, key: dict[str, object], asked_by: AskedBy, now: datetime, *, by_person: bool
) -> int | None:
    """Make the row with this key due again where it may be; what was superseded is wanted again as it was."""
    ended = ("superseded", *_CAME_TO_NOTHING) if by_person else ("superseded",)
    row = session.execute(select(col(ReadingRow.id)).filter_by(**key)).scalar_one()
    values: dict[str, object] = {"batch_id": None, "done_at": None, "last_error": None}
    if asked_by == "reanalyze":
        values["asked_by"] = asked_by
    if by_person:
        # What it used before must not keep it from being asked, nor an answer that was of no use be read once more.
        unsettle(session, col(ReadingRow.id) == row, now)
        values |= {"created_at": now, "earlier_calls": calls_sent(), "answer": None, "input_hash": None}
    return row if leases.again(session, _KIND, row, now, col(ReadingRow.status).in_(ended), **values) else None


def _is_dead(session: Session, reading_id: int) -> bool:
    return session.scalar(select(col(ReadingRow.status)).where(col(ReadingRow.id) == reading_id)) == "dead"

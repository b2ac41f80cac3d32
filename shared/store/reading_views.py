"""How readings stand: that of one merge for people, all of them for the watchdog of their worker."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from sqlalchemy import case, select
from sqlalchemy.orm import Session
from sqlmodel import col

from shared.domain.value import Value
from shared.store import leases
from shared.store.reading_tasks import calls_sent
from shared.store.readings import WAITING, left_to_batches
from shared.store.tables import ReadingRow

_KIND = leases.Kind(table=ReadingRow, waiting=WAITING, held="reading", dead="dead")


class ReadingView(Value):
    """The newest reading of a merge: its state, why it stands so, when it goes on, and how many requests were sent."""

    id: int
    status: str
    why: str | None
    """The last error: why it waits, or why no reading came."""
    next_attempt_at: datetime | None
    """When it is tried again; None when it is not going to be."""
    model: str
    prompt_version: str
    asked_by: str
    created_at: datetime
    done_at: datetime | None
    requests: int


def view(session: Session, pull_request_id: int) -> ReadingView | None:
    """Return the reading of this merge that was asked for last; None when none ever was."""
    row = ReadingRow
    waits = col(row.status).in_(WAITING)
    found = session.execute(
        select(
            col(row.id),
            col(row.status),
            col(row.last_error).label("why"),
            case((waits, col(row.next_attempt_at)), else_=None).label("next_attempt_at"),
            col(row.model),
            col(row.prompt_version),
            col(row.asked_by),
            col(row.created_at),
            col(row.done_at),
            calls_sent().label("requests"),
        )
        .where(col(row.pull_request_id) == pull_request_id)
        .order_by((col(row.status) == "superseded"), col(row.created_at).desc(), col(row.id).desc())
        .limit(1)
    )
    told = found.mappings().one_or_none()
    return None if told is None else ReadingView.model_validate(dict(told))


def unattended_for(session: Session, now: datetime, for_batches: Sequence[str] = ()) -> timedelta | None:
    """Return for how long due readings have waited while nobody took or held one, else None (R-21).

    Those that ``readings.left_to_batches`` by these models wait for company, and do not count.
    """
    return leases.unattended_for(session, _KIND, now, ~left_to_batches(for_batches))

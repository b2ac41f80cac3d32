"""How often a model answers in time; for people who set its deadline."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import case, func, select
from sqlalchemy.orm import Session
from sqlmodel import col

from shared.domain.value import Value
from shared.store.columns import key_text
from shared.store.tables import ModelCallRow


class Pace(Value):
    """Calls for single merges that were settled: how many, how many of them too late, and how long an answer takes."""

    calls: int = 0
    late: int = 0
    seconds: float | None = None
    """Of an answer, on average; None when none came."""


def pace(session: Session, model: str, since: datetime) -> Pace:
    """Return the pace of ``model`` in calls that were reserved at ``since`` or later."""
    status = col(ModelCallRow.status)
    late = func.count(case((status == "timeout", 1)))
    seconds = func.avg(case((status.in_(("answered", "cut")), col(ModelCallRow.seconds))))
    calls, timeouts, average = session.execute(
        select(func.count(), late, seconds).where(
            col(ModelCallRow.model) == key_text(model),
            col(ModelCallRow.purpose).in_(("read", "repair")),
            status.in_(("answered", "cut", "timeout")),
            col(ModelCallRow.reserved_at) >= since,
        )
    ).one()
    return Pace(calls=calls, late=timeouts, seconds=average)

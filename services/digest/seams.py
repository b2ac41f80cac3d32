"""Joins the first week of a new time zone to the last one of the old: no merge falls between them, or into both."""

from __future__ import annotations

from shared.domain.period import Period
from shared.store import digests
from shared.store.session import Session


def joined(session: Session, repository_id: int, period: Period) -> Period:
    """Return ``period`` as it begins after the sealed digest of the week before, in whatever zone that was made."""
    before = period.previous().week
    ends = [week.end for week in digests.weeks(session, repository_id) if week.week == before and week.sealed_at]
    return period.model_copy(update={"start": ends[0]}) if ends else period

"""Which stretch of the past a reconciliation has to look at, and when the next one is due."""

from __future__ import annotations

from datetime import datetime, timedelta

from shared.domain.period import Period, week_of
from shared.settings import Settings
from shared.settings.repository import RepositorySettings
from shared.store import digests
from shared.store.known_merges import any_captured
from shared.store.reconciliations import Reconciliation
from shared.store.session import Session

AFTER_THE_WEEK = timedelta(minutes=2)
"""So long after the end of a week its merges are looked for: the host's clock and ours may differ."""
LOOKED_AT_AGAIN = timedelta(days=14)
"""So long what could not be read is looked at again: until the week that it may be of is sealed."""


def floor_of(
    session: Session, settings: Settings, listed: RepositorySettings, known: Reconciliation, now: datetime
) -> datetime:
    """Return how far back, by time of update, a walk that begins now has to go.

    To the watermark less ``github.overlap``; to the beginning of the week that is to be sealed next, unless it is
    covered already; to what could not be read before, for two weeks: it may be readable again. A repository that
    nothing is known of begins with the week that is under way.
    """
    week = week_of(now, listed.timezone or settings.digest.timezone)
    wanted = week.start
    if _to_be_sealed(session, known.repository_id, week.previous()):
        wanted = week.previous().start
    if known.watermark is None or known.covered_since is None:
        return wanted
    floor = known.watermark - settings.github.overlap
    if known.left_out_since is not None:
        floor = min(floor, max(known.left_out_since, now - LOOKED_AT_AGAIN))
    return floor if known.covered_since <= wanted else min(floor, wanted)


def due_after(settings: Settings, listed: RepositorySettings, now: datetime) -> datetime:
    """Return when the next reconciliation is due: after the interval, or right after the week if that is sooner."""
    end = week_of(now, listed.timezone or settings.digest.timezone).end
    return min(now + settings.github.reconcile_every, end + AFTER_THE_WEEK)


def _to_be_sealed(session: Session, repository_id: int, period: Period) -> bool:
    """Whether a digest of the week is yet to come: it is not sealed, and the repository was watched by its end."""
    sealed = {week.week for week in digests.weeks(session, repository_id) if week.sealed_at is not None}
    if period.week in sealed:
        return False
    begun = any(week < period.week for week in sealed)
    return begun or any_captured(session, repository_id, period.end)

"""Which digests are due: the database decides, whatever ticks arrive, are missed or come twice (R-30, C-52 to C-55)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

import structlog

from services.digest.stored_merges import open_merges
from shared.domain.period import Period, last_finished
from shared.domain.pull_request import RepositoryRef
from shared.settings import Settings
from shared.settings.asked import asked_about
from shared.sources.landed import landed_of
from shared.store import digests, pull_requests, reconciliations, repositories, week_readings
from shared.store.convention_files import settings_in_force
from shared.store.known_merges import edits_in_inbox
from shared.store.reconciliations import Reconciliation
from shared.store.session import Database, Session

CATCH_UP = 8
"""At most so many missed weeks are made up for; older ones only on demand."""

_A_TRY = "a reconciliation that is tried after its end"

_log = structlog.get_logger(__name__)


@dataclass(frozen=True)
class Due:
    """A digest that is to be built now."""

    repository_id: int
    period: Period


def due_periods(database: Database, settings: Settings, now: datetime) -> list[Due]:
    """Return the finished weeks without a sealed digest, for each watched repository, oldest first.

    ``now`` is the database's time, so that a host whose clock runs ahead makes no digest of the future (D-07). A week
    with deliveries that are not analysed yet, whose merges were not compared with the host's after its end, or are just
    being read by a model that serves, waits for ``digest.grace``, and the weeks after it wait with it. Where no
    comparison was so much as tried in that time, the service itself was away: the week waits for one, at most for as
    long again as somebody looks here. A repository's first digest is that of the first week with a captured merge; what
    only a backfill brought is history.
    """
    found: list[Due] = []
    untried: list[Due] = []
    with database.reading() as session:
        for repository_id, ref in repositories.all_repositories(session):
            if not settings.watches(ref.full_name):
                continue
            listed = settings_in_force(session, settings, repository_id, ref.full_name)
            timezone = listed.timezone or settings.digest.timezone
            for period in _unsealed(session, repository_id, last_finished(now, timezone)):
                waits_for = _waits_for(session, settings, repository_id, ref, period, now)
                if waits_for:
                    _log.info("digest.waiting", repository=ref.full_name, week=period.week, waits_for=waits_for)
                    if waits_for == _A_TRY:
                        untried.append(Due(repository_id, period))
                    break
                found.append(Due(repository_id, period))
    if untried:
        with database.transaction() as session:
            for due in untried:
                reconciliations.await_try(session, due.repository_id, due.period.end, now)
    return found


def _waits_for(
    session: Session, settings: Settings, repository_id: int, ref: RepositoryRef, period: Period, now: datetime
) -> str | None:
    """What the digest of a finished week has to wait for: the host, an analysis, a reading; None for nothing."""
    asked = asked_about(settings, ref) is not None
    row = reconciliations.get(session, repository_id) if asked else None
    ended = period.end + settings.digest.grace
    if now >= ended:
        if not asked:
            return None
        if not _tried(row, period) and not _awaited_enough(row, period, settings, now):
            return _A_TRY
        # What a comparison after the grace has found has not had its time to be analysed.
        since = max(ended, now - settings.digest.grace)
        waiting = open_merges(session, ref, period, landed_of(settings), since)
        return f"{waiting} deliveries" if waiting else None
    if asked and (row is None or not row.covers(period.start, period.end)):
        return "the reconciliation after its end"
    waiting = open_merges(session, ref, period, landed_of(settings))
    waiting += edits_in_inbox(session, repository_id, ref.full_name, period.start, period.end)
    if waiting or not settings.model.enabled:
        return f"{waiting} deliveries" if waiting else None
    unread = week_readings.open_in(session, repository_id, period.start, period.end, now, settings.model.base_url)
    return f"{unread} readings" if unread else None


def _tried(row: Reconciliation | None, period: Period) -> bool:
    """Whether a comparison came to an end after the week, a postponed, blind or failed one too."""
    return row is not None and row.tried_at is not None and row.tried_at >= period.end


def _awaited_enough(row: Reconciliation | None, period: Period, settings: Settings, now: datetime) -> bool:
    since = None if row is None else row.awaited_since
    return since is not None and since >= period.end and now >= since + settings.digest.grace


def _unsealed(session: Session, repository_id: int, newest: Period) -> Iterator[Period]:
    """Yield the weeks up to ``newest`` that have no sealed digest in any zone, oldest first.

    Weeks are compared by name: when the operator changes the zone, the same week is not published twice.
    """
    candidates = [newest]
    sealed = {week.week for week in digests.weeks(session, repository_id) if week.sealed_at is not None}
    while len(candidates) < CATCH_UP and candidates[-1].week not in sealed:
        candidates.append(candidates[-1].previous())
    weeks = [period for period in reversed(candidates) if period.week not in sealed]
    begun = bool(sealed and min(sealed) < weeks[0].week) if weeks else False
    for period in weeks:
        begun = begun or pull_requests.any_news(session, repository_id, period.start, period.end)
        if begun:
            yield period

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
from shared.store import backfills, digests, pull_requests, reconciliations, repositories
from shared.store.convention_files import settings_in_force
from shared.store.known_merges import edits_in_inbox
from shared.store.session import Database, Session

CATCH_UP = 8
"""At most so many missed weeks are made up for; older ones only on demand."""

_log = structlog.get_logger(__name__)


@dataclass(frozen=True)
class Due:
    """A digest that is to be built now."""

    repository_id: int
    period: Period


def due_periods(database: Database, settings: Settings, now: datetime) -> list[Due]:
    """Return the finished weeks without a sealed digest, for each watched repository, oldest first.

    ``now`` is the database's time, so that a host whose clock runs ahead makes no digest of the future (D-07). A week
    with deliveries that are not analysed yet, or whose merges were not compared with the host's after its end, waits
    for ``digest.grace``, and the weeks after it wait with it. A repository's first digest is that of the first week
    with a captured merge; what only a backfill brought is history, not news.
    """
    found: list[Due] = []
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
                    break
                found.append(Due(repository_id, period))
    return found


def _waits_for(
    session: Session, settings: Settings, repository_id: int, ref: RepositoryRef, period: Period, now: datetime
) -> str | None:
    """What the digest of a finished week has to wait for: the host, or the analysis of merges; None for nothing."""
    if now >= period.end + settings.digest.grace:
        return None
    if asked_about(settings, ref) is not None:
        row = reconciliations.get(session, repository_id)
        if row is None or not row.covers(period.start, period.end):
            return "the reconciliation after its end"
    waiting = open_merges(session, ref, period, landed_of(settings))
    waiting += edits_in_inbox(session, repository_id, ref.full_name, period.start, period.end)
    return f"{waiting} deliveries" if waiting else None


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
        begun = begun or _has_news(session, repository_id, period)
        if begun:
            yield period


def _has_news(session: Session, repository_id: int, period: Period) -> bool:
    """Whether a merge of the week was captured other than by a backfill."""
    merges = pull_requests.of_period(session, repository_id, period.start, period.end, details=False)
    numbers = {merge.pull_request.number for merge in merges}
    full_name = repositories.ref_of(session, repository_id).full_name
    return bool(numbers - backfills.taken_in(session, full_name, numbers))

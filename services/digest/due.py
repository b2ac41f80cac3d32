"""Which digests are due: the database decides, whatever ticks arrive, are missed or come twice (R-30, C-52 to C-55)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

import structlog

from services.digest.stored_merges import open_merges
from shared.domain.period import Period, last_finished
from shared.settings import Settings
from shared.store import digests, pull_requests, repositories
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
    with deliveries that are not analysed yet waits for ``digest.grace``, and the weeks after it wait with it. A
    repository's first digest is that of the first week with a captured merge.
    """
    found: list[Due] = []
    with database.reading() as session:
        for repository_id, ref in repositories.all_repositories(session):
            if not settings.watches(ref.full_name):
                continue
            listed = settings.repository(ref.full_name)
            timezone = listed.timezone or settings.digest.timezone
            for period in _unsealed(session, repository_id, last_finished(now, timezone)):
                waiting = open_merges(session, ref, period) if now < period.end + settings.digest.grace else 0
                if waiting:
                    _log.info("digest.waiting", repository=ref.full_name, week=period.week, merges=waiting)
                    break
                found.append(Due(repository_id, period))
    return found


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
        begun = begun or bool(pull_requests.of_period(session, repository_id, period.start, period.end, details=False))
        if begun:
            yield period

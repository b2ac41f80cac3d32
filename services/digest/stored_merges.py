"""Reads from the store what one digest is made of: its week, the week before, late arrivals, the digest before."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from services.digest.gate import readings_of
from services.digest.merges import Merge
from shared.domain.analysis import Analysis
from shared.domain.digest import Digest
from shared.domain.errors import Ignored, InvalidInput
from shared.domain.landed import LandedOf, nothing_landed
from shared.domain.period import Period
from shared.domain.provenance import Usage
from shared.domain.pull_request import PullRequest, RepositoryRef
from shared.sources.github_events import parse_stored
from shared.store import analyses, digests, model_usage, pull_requests, repositories, week_readings
from shared.store.backlog import UnfinishedDelivery, unfinished_merges
from shared.store.default_branches import default_branches_of
from shared.store.pull_requests import StoredPullRequest
from shared.store.session import Session
from shared.store.week_readings import WeekReadings

NOT_YET = "not analysed when this digest was made"


@dataclass(frozen=True)
class StoredWeek:
    """Everything that the store knows for one digest; ``earlier`` is None when the week before is not stored."""

    repository: RepositoryRef
    branch: str
    """The default branch, by its newest name."""
    former: tuple[str, ...]
    """Branches that were the default when merges of this week were told of."""
    merges: tuple[Merge, ...]
    earlier: tuple[Merge, ...] | None
    late: tuple[Merge, ...]
    previous: Digest | None
    readings: WeekReadings
    """Why merges of the week have no reading."""
    usage: Usage | None
    """What models were asked for them; None when nothing was."""


def load_week(
    session: Session,
    repository_id: int,
    period: Period,
    landed: LandedOf = nothing_landed,
    server: str | None = None,
) -> StoredWeek:
    """Return what there is for the digest of ``period``; KeyError when there is no such repository row.

    ``server`` is that of the language model, to tell whether it serves; None: any.
    """
    repository = repositories.ref_of(session, repository_id)
    failures = _failures(session, repository, landed)
    merges = _with_backlog(_of_period(session, repository_id, period, failures), failures, period)
    earlier = _of_period(session, repository_id, period.previous(), failures)
    previous = _digest(session, repository_id, period.previous())
    branch = repository.default_branch or _most_used_base(merges + earlier)
    defaults = default_branches_of(session, repository_id, period.previous().start, period.end)
    return StoredWeek(
        repository=repository,
        branch=branch,
        former=tuple(name for name in defaults if name != branch),
        merges=merges,
        earlier=earlier if earlier or previous is not None else None,
        late=_late(session, repository_id, period, failures),
        previous=previous,
        readings=week_readings.of_period(session, repository_id, period.start, period.end, server),
        usage=_usage(session, repository_id, period, merges),
    )


def _usage(session: Session, repository_id: int, period: Period, merges: Iterable[Merge]) -> Usage | None:
    """What all calls took, also those that brought nothing; the cost is not known when that of one reading is not."""
    taken = model_usage.usage_between(session, repository_id, period.start, period.end)
    if not taken.requests:
        return None
    priced = all(reading.usage.cost_usd is not None for reading in readings_of(merges))
    return Usage(
        requests=taken.requests,
        input_tokens=taken.input_tokens,
        cached_tokens=taken.cached_tokens,
        output_tokens=taken.output_tokens,
        cost_usd=taken.cost_usd if priced else None,
    )


def open_merges(
    session: Session,
    repository: RepositoryRef,
    period: Period,
    landed: LandedOf = nothing_landed,
    since: datetime | None = None,
) -> int:
    """Return how many delivered merges of ``period`` are still to be analysed (dead ones need a person).

    With ``since`` only those that arrived from then on.
    """
    found = _failures(session, repository, landed).values()
    arrived = [one for one in found if since is None or one.received_at >= since]
    return sum(failure.open for failure in arrived if failure.within(period))


@dataclass(frozen=True)
class _Failure:
    """A delivered merge without an analysis: why, and what its own payload says of it (None: unreadable)."""

    number: int
    why: str
    open: bool
    received_at: datetime
    pull_request: PullRequest | None

    def within(self, period: Period) -> bool:
        return self.pull_request is not None and period.contains(self.pull_request.merged_at)


def _failures(session: Session, repository: RepositoryRef, landed: LandedOf) -> dict[int, _Failure]:
    found = (_failure(delivery, landed) for delivery in unfinished_merges(session, repository.full_name))
    return {failure.number: failure for failure in found if failure is not None}


def _failure(delivery: UnfinishedDelivery, landed: LandedOf) -> _Failure | None:
    try:
        pull_request = parse_stored(delivery.payload, landed).pull_request
    except (InvalidInput, Ignored):
        pull_request = None
    number = pull_request.number if pull_request else delivery.number
    if number is None:
        return None
    return _Failure(number, delivery.last_error or NOT_YET, delivery.open, delivery.received_at, pull_request)


def _of_period(
    session: Session, repository_id: int, period: Period, failures: dict[int, _Failure]
) -> tuple[Merge, ...]:
    return _merges(session, pull_requests.of_period(session, repository_id, period.start, period.end), failures)


def _merges(session: Session, stored: Sequence[StoredPullRequest], failures: dict[int, _Failure]) -> tuple[Merge, ...]:
    found = analyses.latest_of(session, [row.id for row in stored])
    return tuple(_merge(row.pull_request, found.get(row.id), failures) for row in stored)


def _merge(pull_request: PullRequest, analysis: Analysis | None, failures: dict[int, _Failure]) -> Merge:
    if analysis is not None:
        return Merge(pull_request, analysis)
    failure = failures.get(pull_request.number)
    return Merge(pull_request, None, failure.why if failure else NOT_YET)


def _with_backlog(merges: tuple[Merge, ...], failures: dict[int, _Failure], period: Period) -> tuple[Merge, ...]:
    """Add the merges that no worker has touched yet: delivered and committed, so they belong to their week."""
    known = {merge.number for merge in merges}
    untouched = [
        Merge(failure.pull_request, None, failure.why)
        for failure in failures.values()
        if failure.pull_request is not None and failure.within(period) and failure.number not in known
    ]
    return (*merges, *untouched)


def _late(session: Session, repository_id: int, period: Period, failures: dict[int, _Failure]) -> tuple[Merge, ...]:
    """The merges of earlier, sealed weeks that no sealed digest has told of (R-32)."""
    numbers = digests.late_numbers(session, repository_id, period)
    stored = pull_requests.of_numbers(session, repository_id, numbers, details=False)
    return _merges(session, stored, failures)


def _digest(session: Session, repository_id: int, period: Period) -> Digest | None:
    """The sealed digest of that week, in whatever zone it was made."""
    stored = digests.get(session, repository_id, period.week)
    if stored is None or stored.sealed_at is None:
        return None
    return Digest.model_validate_json(stored.document)


def _most_used_base(merges: Iterable[Merge]) -> str:
    """For a source that does not know the default branch."""
    counted = Counter(merge.pull_request.base_ref for merge in merges).most_common(1)
    return counted[0][0] if counted else "main"

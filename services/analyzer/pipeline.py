"""One delivery from claim to stored analysis: load | examine | save, fenced by the attempt number."""

from __future__ import annotations

import random
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

import structlog

from services.analyzer.access import refused
from services.analyzer.details import DetailSources
from services.analyzer.examine import examine
from services.analyzer.kill_points import reach
from services.analyzer.lease_keeping import renewed
from services.analyzer.readings.wishes import save_by_rules
from shared.broker.task_names import TaskName
from shared.domain.analysis import Analysis
from shared.domain.errors import (
    Ignored,
    InvalidInput,
    MergecastError,
    Parked,
    Permanent,
    Postponed,
    Transient,
    described,
)
from shared.domain.protocols import Clock
from shared.domain.pull_request import PullRequest
from shared.redaction import redact_pull_request, redact_texts
from shared.settings import Settings
from shared.sources.github_events import MergeEvent, parse_stored
from shared.sources.landed import landed_of
from shared.store import backfills, deliveries, pull_requests, reconciliations, renamed, repositories
from shared.store.deliveries import Claim
from shared.store.outages import OutageNotes, patiently
from shared.store.pull_requests import CapturedBy
from shared.store.readings import AskedBy
from shared.store.session import Database, DatabaseUnavailable, Session
from shared.telemetry import scrubber_of

Outcome = Literal["done", "ignored", "retry", "dead", "parked", "postponed", "fenced", "not-due"]
"""What became of one run of the task; ``fenced``: somebody else holds the row by now."""

_LOOKS = 5
"""How often a merge is examined again because its facts changed meanwhile, before the try counts as failed."""

_log = structlog.get_logger(__name__)


@dataclass(frozen=True)
class AnalyzerRuntime:
    """What the tasks of the analyzer work with; ``clock`` is the database's unless a test gives another."""

    settings: Settings
    database: Database
    ring: Callable[[TaskName, int | str], None]
    sources: DetailSources
    clock: Clock
    jitter: Callable[[], float] = field(default=lambda: random.uniform(0.8, 1.2))  # noqa: S311 - spreads retries only
    pause: Callable[[float], None] = time.sleep
    outages: OutageNotes[Claim] = field(default_factory=OutageNotes)


@dataclass(frozen=True)
class _Loaded:
    """A merge as it is to be examined; ``seen`` is what the store said of it when it was loaded."""

    repository_id: int
    seen: PullRequest
    pull_request: PullRequest
    fetched: bool
    note: str | None


class _Fenced(Exception):
    """Somebody else holds the row by now; raised to roll the transaction back (R-13)."""


class _FactsMovedOn(Exception):
    """A newer event changed the facts while they were examined; raised to roll the transaction back (R-08)."""


def analyze_delivery(runtime: AnalyzerRuntime, delivery_id: int) -> Outcome:
    """Work on one stored delivery and say what became of it.

    Trigger: the doorbell or the sweeper. Reads the delivery and the repository's detail source; writes the facts, the
    details, the analysis and the delivery's state. Asks for nothing next: digests read what is stored. Running it
    twice, or in two places at once, changes nothing. Raises only when the database itself does not serve.
    """
    claim = patiently(lambda: _claim(runtime, delivery_id), runtime.pause)
    if claim is None:
        return "not-due"
    reach("after-claim", claim.number)
    worker, row = runtime.settings.worker, f"delivery-{claim.id}"
    with (
        structlog.contextvars.bound_contextvars(delivery=claim.id, attempt=claim.attempt),
        renewed(runtime.database, runtime.clock, worker.renew_every, row, lambda *at: _renew(runtime, claim, *at)),
    ):
        try:
            outcome = _work_on(runtime, claim)
        except DatabaseUnavailable:
            runtime.outages.add(claim)
            raise
        _log.info("delivery.worked_on", outcome=outcome, repository=claim.repository, number=claim.number)
    return outcome


def _claim(runtime: AnalyzerRuntime, delivery_id: int) -> Claim | None:
    """Committed before anything else happens, so that a try that kills its worker is counted (R-20)."""
    worker = runtime.settings.worker
    now = runtime.clock()
    runtime.outages.tell(runtime.database, lambda session, claim: deliveries.forgive(session, claim, now))
    with runtime.database.transaction() as session:
        return deliveries.claim(session, delivery_id, now, worker.lease, max_tries=len(worker.retry_waits) + 1)


def _renew(runtime: AnalyzerRuntime, claim: Claim, session: Session, now: datetime) -> bool:
    return deliveries.renew(session, claim, now, runtime.settings.worker.lease)


def _work_on(runtime: AnalyzerRuntime, claim: Claim) -> Outcome:
    try:
        return _process(runtime, claim)
    except _Fenced:
        return "fenced"
    except Ignored as error:
        return _finish_ignored(runtime, claim, error.reason)
    except (Postponed, DatabaseUnavailable) as error:
        return _postpone(runtime, claim, error)
    except (Parked, Permanent, InvalidInput) as error:
        return _set_aside(runtime, claim, error)
    except Exception as error:  # noqa: BLE001 - any fault of ours is tried again, then dead and visible
        return _fail(runtime, claim, error)


def _process(runtime: AnalyzerRuntime, claim: Claim) -> Outcome:
    event = parse_stored(claim.payload, landed_of(runtime.settings))
    for _ in range(_LOOKS):
        loaded = _load(runtime, claim, event)
        if loaded is None:
            # The facts are kept: should the merge itself arrive later, the newest of both count.
            return _finish_ignored(runtime, claim, "never-captured")
        reach("after-load", claim.number)
        context = runtime.sources.context(loaded.pull_request.repository.full_name)
        texts = redact_texts(runtime.sources.texts(loaded.pull_request))
        analysis = examine(loaded.pull_request, context, texts)
        reach("after-examine", claim.number)
        try:
            _save(runtime, claim, loaded, analysis)
        except _FactsMovedOn:
            continue
        reach("after-commit", claim.number)
        return "done"
    raise Transient("The facts of this merge kept changing while it was examined.")


def _load(runtime: AnalyzerRuntime, claim: Claim, event: MergeEvent) -> _Loaded | None:
    """Store the facts, newest first, then fetch the details outside of any transaction; None for no merge of ours.

    Parked when the installation that sent the delivery gives no access: nothing is asked of the host then.
    """
    now = runtime.clock()
    facts = event.pull_request
    told_at = min(facts.updated_at or facts.merged_at, now)
    with runtime.database.transaction() as session:
        repository_id = repositories.ensure(session, facts.repository, told_at)
        pull_requests.save_facts(
            session, repository_id, facts, captured=event.starts_work, now=now, by=_captured_by(claim.source)
        )
        stored = pull_requests.get(session, repository_id, facts.number)
        current_name = repositories.ref_of(session, repository_id).full_name
        renamed.follow(session, claim, current_name)
        refusal = refused(session, runtime.settings, claim, current_name)
    if stored is None or not stored.captured:
        return None
    if refusal is not None:
        raise refusal
    seen = stored.pull_request
    if seen.files is not None and not event.starts_work:
        return _Loaded(repository_id, seen, seen, fetched=False, note=None)
    details = runtime.sources.details(seen)
    if details.pull_request is None:
        return _Loaded(repository_id, seen, seen, fetched=False, note=details.note)
    whole = seen.with_details(redact_pull_request(details.pull_request))
    return _Loaded(repository_id, seen, whole, fetched=True, note=details.note)


def _captured_by(source: str) -> CapturedBy:
    if source.startswith(backfills.SOURCE):
        return "backfill"
    return "reconciliation" if source == reconciliations.SOURCE else "delivery"


def _save(runtime: AnalyzerRuntime, claim: Claim, loaded: _Loaded, analysis: Analysis) -> None:
    """Details, analysis, what a model is asked of it, and the delivery's end in one transaction, or nothing of it."""
    now = runtime.clock()
    with runtime.database.transaction() as session:
        if not deliveries.finish(session, claim, "done", loaded.note, now):
            raise _Fenced
        stored = pull_requests.get(session, loaded.repository_id, loaded.seen.number, details=False)
        if stored is None or _facts(stored.pull_request) != _facts(loaded.seen):
            raise _FactsMovedOn
        if loaded.fetched:
            pull_requests.save_details(session, stored.id, loaded.pull_request, now)
        asked_by: AskedBy = "backfill" if _captured_by(claim.source) == "backfill" else "capture"
        pull_request = stored.id, loaded.repository_id
        _, reading = save_by_rules(session, runtime.settings, pull_request, analysis, asked_by, now)
        reach("before-commit", claim.number)
    if reading is not None and not (asked_by == "backfill" and runtime.settings.model.batch):
        runtime.ring(TaskName.READ_MERGE, reading)


def _facts(pull_request: PullRequest) -> PullRequest:
    """The part that events change: two deliveries of one merge may fetch its details at the same time."""
    totals = {"additions": 0, "deletions": 0, "changed_files": 0}
    return pull_request.without_details().model_copy(update={"co_authors": (), **totals})


def _finish_ignored(runtime: AnalyzerRuntime, claim: Claim, reason: str) -> Outcome:
    now = runtime.clock()
    with runtime.database.transaction() as session:
        held = deliveries.finish(session, claim, "ignored", reason, now)
    return "ignored" if held else "fenced"


def _postpone(runtime: AnalyzerRuntime, claim: Claim, error: Postponed | DatabaseUnavailable) -> Outcome:
    """An outage or limit of somebody else, the database's too, is not counted as a try (design law 6)."""
    now = runtime.clock()
    until = error.until if isinstance(error, Postponed) else now + runtime.settings.worker.lease
    with runtime.database.transaction() as session:
        held = deliveries.postpone(session, claim, _told(runtime, error), until, now)
    return "postponed" if held else "fenced"


def _set_aside(runtime: AnalyzerRuntime, claim: Claim, error: MergecastError) -> Outcome:
    """No try will do any good: none ever (dead), or none until a person gives back the access (parked)."""
    parked = isinstance(error, Parked)
    _log.error("delivery.parked" if parked else "delivery.dead", error=str(error))
    now = runtime.clock()
    end = deliveries.park if parked else deliveries.bury
    with runtime.database.transaction() as session:
        held = end(session, claim, _told(runtime, error), now)
    if not held:
        return "fenced"
    return "parked" if parked else "dead"


def _fail(runtime: AnalyzerRuntime, claim: Claim, error: Exception) -> Outcome:
    # What the failed work held would be kept with its traceback: writing this down needs memory too (C-67).
    traceback.clear_frames(error.__traceback__)
    _log.warning("delivery.failed", exc_info=error)
    now = runtime.clock()
    waits = runtime.settings.worker.retry_waits
    with runtime.database.transaction() as session:
        return deliveries.fail(session, claim, _told(runtime, error), now, waits, runtime.jitter())


def _told(runtime: AnalyzerRuntime, error: Exception) -> str:
    """The text that is kept and shown, without secrets."""
    return scrubber_of(runtime.settings).scrub(described(error))

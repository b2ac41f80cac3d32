"""Reconciliations as work: who is due, one of them from claim to its end, and what each end means for the row."""

from __future__ import annotations

import traceback
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Literal

import structlog

from services.reconciler.comparison import Comparison
from services.reconciler.runtime import Fenced, OutOfTime, ReconciliationRuntime
from shared.broker.task_names import TaskName
from shared.domain.errors import Absent, Parked, Postponed, described
from shared.domain.pull_request import RepositoryRef
from shared.settings import Settings
from shared.settings.asked import asked_about
from shared.settings.repository import RepositorySettings
from shared.store import reconciliations, repositories
from shared.store.convention_files import settings_in_force
from shared.store.reconciliations import ReconciliationClaim
from shared.store.session import DatabaseUnavailable, Session
from shared.telemetry import scrubber_of

Outcome = Literal["done", "asked", "cut", "blind", "postponed", "retry", "fenced", "not-due", "not-asked"]
"""What became of one run; ``asked``: the walk waits for repeated deliveries; ``cut``: another task goes on."""

ARRIVAL = timedelta(minutes=1)
"""How long a walk waits for deliveries that were asked for: what arrives need not be recorded by us."""
SWEEP_LIMIT = 500

_log = structlog.get_logger(__name__)


def sweep(runtime: ReconciliationRuntime) -> int:
    """Make the row of every repository that its host is asked about, ring for what is due, and return for how many.

    Trigger: beat, every minute. A repository of the list is asked about before its first delivery: that one may be
    lost too.
    """
    settings, now = runtime.settings, runtime.clock()
    with runtime.database.transaction() as session:
        for listed in settings.repositories:
            if settings.asks_host(listed) and repositories.find(session, listed.full_name, listed.host) is None:
                repositories.ensure(session, RepositoryRef(full_name=listed.full_name, host=listed.host), now)
        begun = {known.repository_id for known in reconciliations.listing(session)}
        for row, ref in repositories.all_repositories(session):
            if row not in begun and asked_about(settings, ref) is not None:
                reconciliations.ensure(session, row, now)
        reconciliations.revive(session, now - settings.github.reconcile_every, now)
        due = reconciliations.due(session, now, SWEEP_LIMIT)
    for repository_id in due:
        runtime.ring(TaskName.RECONCILE, repository_id)
    return len(due)


def reconcile(runtime: ReconciliationRuntime, repository_id: int) -> Outcome:
    """Compare one repository with its host and say what became of it.

    Trigger: the sweep, or the task before when that was cut. Reads the host; writes known merges, deliveries and how
    far it has come; rings for each delivery. Running it twice, or in two places at once, changes nothing. Raises only
    when the database itself does not serve.
    """
    worker, now = runtime.settings.worker, runtime.clock()
    with runtime.database.transaction() as session:
        claim = reconciliations.claim(session, repository_id, now, worker.lease, max_tries=len(worker.retry_waits) + 1)
        if claim is None:
            return "not-due"
        repository = repositories.ref_of(session, repository_id)
        listed = _listed(session, runtime.settings, repository_id, repository)
    with structlog.contextvars.bound_contextvars(repository=repository.full_name, attempt=claim.attempt):
        outcome = _work_on(runtime, claim, repository, listed)
        _log.info("repository.reconciled", outcome=outcome)
    return outcome


def _listed(
    session: Session, settings: Settings, repository_id: int, repository: RepositoryRef
) -> RepositorySettings | None:
    """The settings of the repository, its week in the zone that is in force; None when it is not to be asked about."""
    listed = asked_about(settings, repository)
    if listed is None or repositories.find(session, repository.full_name, repository.host) != repository_id:
        return None
    in_force = settings_in_force(session, settings, repository_id, repository.full_name)
    return listed.model_copy(update={"timezone": in_force.timezone})


def _work_on(
    runtime: ReconciliationRuntime,
    claim: ReconciliationClaim,
    repository: RepositoryRef,
    listed: RepositorySettings | None,
) -> Outcome:
    if listed is None:
        return _wait(runtime, claim, "not-asked", runtime.settings.github.reconcile_every)
    try:
        outcome = Comparison(runtime, claim, listed).go(repository)
        return outcome if outcome == "done" else _wait(runtime, claim, outcome, ARRIVAL)
    except OutOfTime:
        return _cut(runtime, claim)
    except (Fenced, Parked, Absent, Postponed) as error:
        return _stopped(runtime, claim, error)
    except DatabaseUnavailable:
        raise
    except Exception as error:  # noqa: BLE001 - any fault of ours is tried again, and shown
        return _fail(runtime, claim, error)


def _stopped(
    runtime: ReconciliationRuntime, claim: ReconciliationClaim, error: Fenced | Parked | Absent | Postponed
) -> Outcome:
    """What the host's refusals mean: a limit or an outage waits, missing access makes the repository blind."""
    if isinstance(error, Fenced):
        return "fenced"
    told = _told(runtime, error)
    if isinstance(error, Postponed):
        until = error.until
        return _settled(
            runtime, "postponed", lambda session, now: reconciliations.postpone(session, claim, told, until, now)
        )
    _log.warning("repository.blind", error=told)
    every = runtime.settings.github.reconcile_every
    return _settled(
        runtime, "blind", lambda session, now: reconciliations.blind(session, claim, told, now + every, now)
    )


def _cut(runtime: ReconciliationRuntime, claim: ReconciliationClaim) -> Outcome:
    """It is due at once, and rung for: another task goes on where this one stops."""
    outcome = _wait(runtime, claim, "cut", timedelta(0))
    runtime.ring(TaskName.RECONCILE, claim.known.repository_id)
    return outcome


def _wait(runtime: ReconciliationRuntime, claim: ReconciliationClaim, outcome: Outcome, wait: timedelta) -> Outcome:
    return _settled(
        runtime, outcome, lambda session, now: reconciliations.postpone(session, claim, None, now + wait, now)
    )


def _fail(runtime: ReconciliationRuntime, claim: ReconciliationClaim, error: Exception) -> Outcome:
    """Tried again on the ladder; its last wait is repeated, since a repository is never given up."""
    traceback.clear_frames(error.__traceback__)
    _log.warning("repository.not_reconciled", exc_info=error)
    told, waits = _told(runtime, error), runtime.settings.worker.retry_waits
    wait = waits[min(claim.tries, len(waits)) - 1] * runtime.jitter()
    return _settled(runtime, "retry", lambda session, now: reconciliations.fail(session, claim, told, now + wait, now))


def _settled(runtime: ReconciliationRuntime, outcome: Outcome, settle: Callable[[Session, datetime], bool]) -> Outcome:
    now = runtime.clock()
    with runtime.database.transaction() as session:
        held = settle(session, now)
    return outcome if held else "fenced"


def _told(runtime: ReconciliationRuntime, error: Exception) -> str:
    """The text that is kept and shown, without secrets."""
    return scrubber_of(runtime.settings).scrub(described(error))

"""Failed deliveries of the last days: the host is asked for each again, since it repeats none by itself (R-07)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta

import structlog

from services.reconciler.runtime import Holding, ReconciliationRuntime
from shared.code_host import CodeHost
from shared.domain.errors import Absent, Parked
from shared.domain.pull_request import RepositoryRef
from shared.sources.github_api.hook_deliveries import (
    APP_LOG,
    HookDelivery,
    HookLog,
    ask_again,
    failed_deliveries,
    hook_log,
    kept_for,
)
from shared.store import reconciliations
from shared.store.session import Session

LOOK = 60.0
"""Seconds that one look may list for: an App's log has the deliveries of all its repositories. The walk needs none."""
OVERLAP = timedelta(hours=1)
"""A look begins so long before the last one: what was on its way then may have failed since."""
UNKNOWN_HOOK = "hook:unknown"
"""What the receiver calls a sender that does not name its hook."""

_log = structlog.get_logger(__name__)


@dataclass
class Asked:
    """What a look at the failed deliveries came to."""

    deliveries: list[HookDelivery] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    """Why some deliveries could not be looked at: the listing of merges does not need them."""


class _Look:
    """How long one look may list, over all logs."""

    def __init__(self, runtime: ReconciliationRuntime, holding: Holding) -> None:
        self._runtime = runtime
        self._holding = holding
        self._ends = runtime.monotonic() + LOOK

    def goes_on(self) -> bool:
        """Whether another page may be read; the row is still held then, else Fenced."""
        self._holding.keep()
        return self._runtime.monotonic() < self._ends


def ask_for_failed(
    runtime: ReconciliationRuntime,
    holding: Holding,
    host: CodeHost,
    repository: RepositoryRef,
    last_look: datetime | None,
) -> Asked:
    """Ask the host once for each delivery whose last attempt failed and that the inbox does not have.

    A credential that may not look, or not ask, is a note. Postponed passes, Fenced when the row was lost. When its
    time is over it lists no further, asks for what was listed while the task has time, and returns: the walk finds the
    merges of the rest.
    """
    oldest = runtime.clock() - kept_for(host.host)
    since = oldest if last_look is None else max(oldest, last_look - OVERLAP)
    asked, look = Asked(), _Look(runtime, holding)
    for log in _logs(runtime, repository):
        try:
            for delivery in _failed(runtime, look, host, log, repository, since):
                if holding.out_of_time:
                    asked.notes.append(f"{log.path}: no time was left to ask for everything.")
                    break
                holding.keep()
                with suppress(Absent):
                    ask_again(host, log, delivery, repository)
                    asked.deliveries.append(delivery)
        except (Absent, Parked) as error:
            asked.notes.append(f"{log.path}: {error.message}")
    if asked.deliveries or asked.notes:
        _log.info(
            "deliveries.asked_for", repository=repository.full_name, asked=len(asked.deliveries), notes=asked.notes
        )
    return asked


def all_arrived(runtime: ReconciliationRuntime, asked: Asked) -> bool:
    """Whether everything that was asked for is in the inbox by now."""
    with runtime.database.reading() as session:
        return not _missing(asked.deliveries, session)


def _logs(runtime: ReconciliationRuntime, repository: RepositoryRef) -> Iterator[HookLog]:
    if runtime.settings.github.app_id:
        yield APP_LOG
    with runtime.database.reading() as session:
        hooks = reconciliations.hooks_of(session, repository.full_name)
    for hook in hooks:
        yield hook_log(repository, hook)


def _failed(
    runtime: ReconciliationRuntime,
    look: _Look,
    host: CodeHost,
    log: HookLog,
    repository: RepositoryRef,
    since: datetime,
) -> list[HookDelivery]:
    failed = failed_deliveries(host, log, repository, since, look.goes_on)
    with runtime.database.reading() as session:
        return _missing(failed, session)


def _missing(wanted: list[HookDelivery], session: Session) -> list[HookDelivery]:
    sources = sorted({delivery.source for delivery in wanted} | {UNKNOWN_HOOK})
    known = reconciliations.arrived(session, sources, [delivery.guid for delivery in wanted])
    return [delivery for delivery in wanted if delivery.guid not in known]

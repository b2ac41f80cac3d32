"""Stores what a delivery tells of access, and frees the parked deliveries that can go on (C-13, C-25)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

import structlog

from services.webhook.runtime import WebhookRuntime
from shared.broker.task_names import TaskName
from shared.sources.installation_events import InstallationEvent, RepositoryEvent
from shared.store import events, installations, parking, reconciliations, renamed, repositories
from shared.store.session import Session

PROCESSED: Literal["processed"] = "processed"

_WITHIN_ITS_SECOND = timedelta(microseconds=999_999)

_log = structlog.get_logger(__name__)


@dataclass(frozen=True)
class Effect:
    """What an event has changed: how many parked deliveries go on, and what a person must do about it."""

    resumed: int = 0
    problems: tuple[str, ...] = ()


def process(runtime: WebhookRuntime, event: str, told: InstallationEvent | RepositoryEvent) -> Effect:
    """Store what ``told`` says in one transaction, ring for the deliveries that it frees, and return the effect.

    Committed when this returns (law 1); DatabaseUnavailable when nothing was stored. A second time changes nothing.
    """
    now = runtime.clock()
    with runtime.database.transaction() as session:
        if isinstance(told, InstallationEvent):
            freed = _installation(session, told, now)
        else:
            freed = []
            _repository(session, told, now)
        events.count_event(session, event, told.action, PROCESSED, now)
    for delivery in freed:
        runtime.doorbell.ring(TaskName.ANALYZE_DELIVERY, delivery)
    problems = _problems(runtime, told)
    _log.info("delivery.processed", event_name=event, action=told.action, resumed=len(freed), problems=problems)
    return Effect(len(freed), problems)


def _installation(session: Session, told: InstallationEvent, now: datetime) -> list[int]:
    """Return the deliveries that are due again; none when a newer event took the access away."""
    state = told.state
    if state is not None:
        state = installations.note(session, told.installation_id, told.account, state, told.told_at or now)
    if not told.gives_access or state not in (None, "active"):
        return []
    reconciliations.look_again(session, now)
    # An unsuspended one names no repositories: those of its account they are, whoever sent their deliveries.
    owner = None if told.repositories else told.account
    source = f"installation:{told.installation_id}"
    return parking.free(session, now, source=source, repositories=told.repositories, owner=owner)


def _repository(session: Session, told: RepositoryEvent, now: datetime) -> None:
    """Bring the row up to date, if there is one: an event alone makes no repository.

    A late event overrules nothing newer; what waits under the former name goes to the name that is in force. Of what
    GitHub dates to one second (its times are whole seconds), the event is the later: a merge names what it was called.
    """
    told_at = now if told.told_at is None else min(told.told_at + _WITHIN_ITS_SECOND, now)
    there = repositories.known(session, told.repository)
    if not there and told.former_name is not None:
        before = told.repository.model_copy(update={"full_name": told.former_name})
        if repositories.known(session, before):  # by its name alone: now its id is learned
            there = True
            repositories.ensure(session, before, told_at)
    current = told.repository.full_name
    if there:
        current = repositories.ref_of(session, repositories.ensure(session, told.repository, told_at)).full_name
    if told.former_name is not None and repositories.find(session, told.former_name, told.repository.host) is None:
        renamed.move_unfinished(session, told.former_name, current)


def _problems(runtime: WebhookRuntime, told: InstallationEvent | RepositoryEvent) -> tuple[str, ...]:
    if isinstance(told, InstallationEvent) or told.former_name is None:
        return ()
    now_called = told.repository.full_name
    if runtime.settings.watches(now_called):
        return ()
    return (f"{told.former_name} is now called {now_called}: change its name in mergecast.toml, or it is not watched.",)

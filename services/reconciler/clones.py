"""The upkeep of clones: each is made, and fetched when its time has come."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import structlog

from shared.domain.errors import InvalidInput, Postponed
from shared.domain.protocols import Clock
from shared.settings import Settings
from shared.sources.git_history.clone_state import told_age
from shared.sources.git_history.upkeep import CloneInUse, KeptClone
from shared.sources.kept_clones import kept_clone

RETRY_AFTER = timedelta(minutes=5)
"""A clone that could not be fetched or read is tried again after this, or ``clones.fetch_every`` if shorter."""
_LOCK_WAIT = 5.0
_NEVER = datetime.min.replace(tzinfo=UTC)

_log = structlog.get_logger(__name__)


@dataclass(frozen=True)
class ReconcilerRuntime:
    """What the upkeep of clones works with; ``clock`` is the database's unless a test gives another."""

    settings: Settings
    clock: Clock
    monotonic: Callable[[], float] = time.monotonic


def upkeep(runtime: ReconcilerRuntime) -> int:
    """Make or fetch every kept clone that is due, and return how many were.

    Trigger: beat, every minute. Reads the settings and what is remembered beside each clone; writes the clones. Asks
    for nothing next: deliveries that wait for a clone are due by themselves. Begins no further clone when
    ``clones.deadline`` is over: the next tick does, the one that waits longest first. Two of it at once share the work.
    """
    ends = runtime.monotonic() + runtime.settings.clones.deadline.total_seconds()
    done = 0
    for name, clone in _due(runtime):
        if runtime.monotonic() >= ends:
            break
        done += _keep(runtime, name, clone)
    return done


def _due(runtime: ReconcilerRuntime) -> list[tuple[str, KeptClone]]:
    """The clones whose time has come, the one that was kept longest ago first."""
    due: list[tuple[datetime, str, KeptClone]] = []
    now = runtime.clock() if runtime.settings.kept else _NEVER
    every = runtime.settings.clones.fetch_every
    for repository in runtime.settings.kept:
        try:
            clone = kept_clone(runtime.settings, repository, runtime.clock)
        except InvalidInput as error:
            _log.error("clone.impossible", repository=repository.full_name, error=str(error))
            continue
        state = clone.state()
        well = state.failure is None and not clone.suspected
        wait = every if well else min(every, RETRY_AFTER)
        gone = not clone.made and state.failure is None
        if state.kept_at is None or gone or now >= state.kept_at + wait:
            due.append((state.kept_at or _NEVER, repository.full_name, clone))
    return [(name, clone) for _, name, clone in sorted(due, key=lambda one: one[:2])]


def _keep(runtime: ReconcilerRuntime, name: str, clone: KeptClone) -> bool:
    """Work on one clone; what goes wrong with it is logged and leaves the others alone."""
    deadline = runtime.settings.clones.deadline.total_seconds()
    began = runtime.monotonic()
    try:
        clone.keep(deadline, _LOCK_WAIT)
        clone.tidy(deadline)
    except CloneInUse:
        return False
    except (Postponed, InvalidInput, OSError) as error:
        _log.warning("clone.not_kept", repository=name, age=_age(runtime, clone), error=str(error))
        return False
    seconds = round(runtime.monotonic() - began, 1)
    _log.info("clone.kept", repository=name, seconds=seconds, bytes=clone.size())
    return True


def _age(runtime: ReconcilerRuntime, clone: KeptClone) -> str:
    age = clone.state().age(runtime.clock())
    return told_age(age) if age is not None else "never fetched"

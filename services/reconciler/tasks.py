"""The tasks of the reconciler: which function runs under which name."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass

from services.reconciler.clones import ReconcilerRuntime, upkeep
from services.reconciler.reconcile import reconcile, sweep
from services.reconciler.runtime import ReconciliationRuntime
from shared.broker.task_names import TaskName
from shared.code_host import CodeHost, open_code_host
from shared.settings import Settings
from shared.store.cached_answers import StoredAnswers
from shared.store.request_budgets import StoredLimiter
from shared.store.session import Database

__all__ = ["ReconcilerRuntime", "Runtimes", "handlers", "make_runtime", "upkeep"]


@dataclass(frozen=True)
class Runtimes:
    """What the two kinds of work of this service work with."""

    clones: ReconcilerRuntime
    hosts: ReconciliationRuntime


def make_runtime(settings: Settings, database: Database, ring: Callable[[TaskName, int | str], None]) -> Runtimes:
    """Return what the tasks work with; no connection is made yet."""
    hosts = ReconciliationRuntime(settings, database, ring, database.now, HostDoor(settings, database).open)
    return Runtimes(ReconcilerRuntime(settings, database.now), hosts)


def handlers(runtimes: Runtimes) -> dict[TaskName, Callable[..., None]]:
    """Return the tasks of this service by name."""

    def keep() -> None:
        upkeep(runtimes.clones)

    def sweep_all() -> None:
        sweep(runtimes.hosts)

    def reconcile_one(repository_id: int) -> None:
        reconcile(runtimes.hosts, repository_id)

    return {
        TaskName.KEEP_CLONES: keep,
        TaskName.SWEEP_RECONCILIATIONS: sweep_all,
        TaskName.RECONCILE: reconcile_one,
    }


class HostDoor:
    """The door to the code host, made once in each process, on first use."""

    def __init__(self, settings: Settings, database: Database) -> None:
        self._settings = settings
        self._database = database
        self._guard = threading.Lock()
        self._opened: CodeHost | None = None

    def open(self) -> CodeHost:
        """Return the door."""
        with self._guard:
            if self._opened is None:
                limiter = StoredLimiter(self._database, self._database.now)
                answers = StoredAnswers(self._database, self._database.now)
                self._opened = open_code_host(self._settings.github, limiter, answers, self._database.now)
            return self._opened

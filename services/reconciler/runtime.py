"""What a reconciliation works with, and the hold that it has on its row."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from shared.broker.task_names import TaskName
from shared.code_host import CodeHost
from shared.domain.protocols import Clock
from shared.settings import Settings
from shared.store import reconciliations
from shared.store.reconciliations import ReconciliationClaim
from shared.store.session import Database

PIECE = 180.0
"""Seconds after which a long reconciliation is cut: the rest is another task, which goes on from here."""


class Fenced(Exception):
    """Somebody else holds the row by now; raised to roll the transaction back (R-13)."""


class OutOfTime(Exception):
    """The task has worked for long enough; another one goes on."""


@dataclass(frozen=True)
class ReconciliationRuntime:
    """What a reconciliation works with; ``clock`` is the database's unless a test gives another."""

    settings: Settings
    database: Database
    ring: Callable[[TaskName, int | str], None]
    clock: Clock
    open_host: Callable[[], CodeHost]
    """Makes the door to the code host on first use, and returns the same one from then on."""
    monotonic: Callable[[], float] = time.monotonic
    jitter: Callable[[], float] = field(default=lambda: random.uniform(0.8, 1.2))  # noqa: S311 - spreads retries only


class Holding:
    """One task's hold on the reconciliation of one repository: renewed now and then, given up when time is over."""

    def __init__(self, runtime: ReconciliationRuntime, claim: ReconciliationClaim) -> None:
        self.claim = claim
        self._runtime = runtime
        self._began = self._renewed = runtime.monotonic()

    @property
    def out_of_time(self) -> bool:
        """Whether this task has worked for long enough."""
        return self._runtime.monotonic() - self._began >= PIECE

    def keep(self) -> None:
        """Renew the lease when it is time to; Fenced when somebody else holds the row by now.

        Called before each request: an answer takes less long than a lease lasts.
        """
        worker, present = self._runtime.settings.worker, self._runtime.monotonic()
        if present - self._renewed < worker.renew_every.total_seconds():
            return
        now = self._runtime.clock()
        with self._runtime.database.transaction() as session:
            if not reconciliations.renew(session, self.claim, now, worker.lease):
                raise Fenced
        self._renewed = present

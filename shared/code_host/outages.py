"""How long to leave a host alone that does not serve: longer with each round, and the same for everybody here."""

from __future__ import annotations

import random
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta

FIRST_WAIT = timedelta(seconds=30)
LONGEST_WAIT = timedelta(minutes=5)
CLOSED_AFTER = 3
"""Failures in a row after which nothing is asked at all: a single one may be the fault of one heavy question."""


def _spread() -> float:
    return random.uniform(1.0, 1.2)  # noqa: S311 - spreads retries only


@dataclass
class _Outage:
    failures: int = 0
    rounds: int = 0
    until: datetime | None = None


@dataclass
class Outages:
    """The failures in a row of each resource, of this process; a good answer ends them."""

    jitter: Callable[[], float] = _spread
    _guard: threading.Lock = field(default_factory=threading.Lock, init=False, repr=False)
    _of: dict[str, _Outage] = field(default_factory=dict, init=False)

    def failed(self, resource: str, now: datetime) -> tuple[datetime, bool]:
        """Count a failure; return when to ask again, and whether nothing of the resource may be asked until then.

        The wait grows by rounds, not by failures: requests that fail side by side belong to one round.
        """
        with self._guard:
            outage = self._of.setdefault(resource, _Outage())
            outage.failures += 1
            if outage.until is None or now >= outage.until:
                outage.rounds += 1
                wait = min(FIRST_WAIT * 2 ** min(outage.rounds - 1, 10), LONGEST_WAIT)
                outage.until = now + wait * self.jitter()
            until = max(outage.until, now + FIRST_WAIT * self.jitter())
            return until, outage.failures >= CLOSED_AFTER

    def served(self, resource: str) -> None:
        """A request was answered."""
        with self._guard:
            self._of.pop(resource, None)

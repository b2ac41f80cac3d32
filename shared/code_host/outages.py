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
"""So many different requests have to fail in a row before nothing is asked at all: one that is too heavy for the host
fails however often it is asked, and is no outage. A host that cannot be connected to fails at all of them alike."""
RECENT = timedelta(minutes=15)
"""Failures that are older say nothing about the present."""


def _spread() -> float:
    return random.uniform(1.0, 1.2)  # noqa: S311 - spreads retries only


@dataclass
class _Outage:
    rounds: int = 0
    until: datetime | None = None
    failed: dict[str, datetime] = field(default_factory=dict)
    """When each request failed last."""
    unconnected: list[datetime] = field(default_factory=list)


@dataclass
class Outages:
    """The failures in a row of each resource, of this process; a good answer ends them."""

    jitter: Callable[[], float] = _spread
    _guard: threading.Lock = field(default_factory=threading.Lock, init=False, repr=False)
    _of: dict[str, _Outage] = field(default_factory=dict, init=False)

    def failed(self, resource: str, request: str, now: datetime, *, connected: bool = True) -> tuple[datetime, bool]:
        """Count a failure; return when to ask again, and whether nothing of the resource may be asked until then.

        ``request`` is the same text for the same request. ``connected``: the host took it and failed at it. The wait
        grows by rounds, not by failures: requests that fail side by side belong to one round.
        """
        with self._guard:
            outage = self._of.setdefault(resource, _Outage())
            _count(outage, request, now, connected=connected)
            if outage.until is None or now >= outage.until:
                outage.rounds += 1
                wait = min(FIRST_WAIT * 2 ** min(outage.rounds - 1, 10), LONGEST_WAIT)
                outage.until = now + wait * self.jitter()
            until = max(outage.until, now + FIRST_WAIT * self.jitter())
            return until, max(len(outage.failed), len(outage.unconnected)) >= CLOSED_AFTER

    def served(self, resource: str) -> None:
        """A request was answered."""
        with self._guard:
            self._of.pop(resource, None)


def _count(outage: _Outage, request: str, now: datetime, *, connected: bool) -> None:
    outage.failed = {name: at for name, at in outage.failed.items() if now - at < RECENT} | {request: now}
    outage.unconnected = [at for at in outage.unconnected if now - at < RECENT] + ([] if connected else [now])

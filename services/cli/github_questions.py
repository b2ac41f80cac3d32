"""What ``doctor`` asks GitHub with: briefly, and nothing more once it has asked for too long."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from typing import Any

from services.cli.console import plain
from shared.code_host import Answer, CodeHost
from shared.domain.errors import Postponed
from shared.domain.protocols import Allowance, CachedAnswer, Clock
from shared.domain.pull_request import RepositoryRef

LONGEST_ANSWER = timedelta(seconds=5)
ALTOGETHER = 20.0
"""Seconds after which no further question is asked: a host that hangs must not hang doctor."""
_MOST_SHOWN = 200

Monotonic = Callable[[], float]


class Questions:
    """Reads from a host until the time is over."""

    def __init__(self, host: CodeHost, clock: Clock, monotonic: Monotonic = time.monotonic) -> None:
        self._host = host
        self._clock = clock
        self._monotonic = monotonic
        self._end = monotonic() + ALTOGETHER

    @property
    def now(self) -> datetime:
        """The present."""
        return self._clock()

    def read(
        self,
        path: str,
        parameters: Mapping[str, str] | None = None,
        *,
        about: RepositoryRef | None = None,
        as_app: bool = False,
    ) -> Answer:
        """Return the answer of the host; its errors pass, and Postponed when the time is over."""
        if self._monotonic() > self._end:
            raise Postponed(
                f"GitHub answers slowly: after {ALTOGETHER:.0f} s the rest is not looked at.",
                self._clock(),
                "Run `mergecast doctor` again later.",
            )
        return self._host.read(path, parameters or {}, about=about, as_app=as_app)

    def close(self) -> None:
        """Close the connections to the host."""
        self._host.close()


class UncountedLimiter:
    """The limiter of a machine that has no database yet: nobody shares the budget, and the host counts by itself."""

    def spend(self, credential: str, resource: str, keep: int = 0) -> None:
        """Let every request pass."""

    def note(self, credential: str, resource: str, allowance: Allowance) -> datetime | None:
        """Return until when the host wishes to be left alone, and remember nothing."""
        del credential, resource
        return allowance.wait_until


class NoAnswers:
    """Keeps no answer: doctor wants to know what holds now."""

    def get(self, key: str) -> CachedAnswer | None:
        """Return none."""
        del key
        return None

    def put(self, key: str, answer: CachedAnswer) -> None:
        """Forget it."""


def tree(value: object) -> dict[str, Any]:
    """Return a JSON object, or an empty one where the host gave something else."""
    return value if isinstance(value, dict) else {}


def bounded(value: object) -> str:
    """Return words of the host as one short line; empty where it gave none."""
    return plain(value)[:_MOST_SHOWN] if isinstance(value, str) else ""

"""Which merges the host's GraphQL fails at each time: a query that is too heavy for it is no outage that will end."""

from __future__ import annotations

import threading
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

FAILURES = 3
PATIENCE = timedelta(minutes=10)
"""So often, and for so long, a query has to fail before it is given up: no short outage costs a merge its threads."""
_MOST = 1_000


@dataclass(frozen=True)
class _Failing:
    since: datetime
    times: int
    given_up: bool = False


class FailingQueries:
    """The merges of one repository whose query failed, in memory: of a thousand at most, the newest."""

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._of: dict[int, _Failing] = {}

    def failed(self, number: int, now: datetime) -> None:
        """The query about this merge failed."""
        with self._guard:
            known = self._of.pop(number, _Failing(now, 0))
            self._of[number] = replace(known, times=known.times + 1)
            if len(self._of) > _MOST:
                del self._of[next(iter(self._of))]

    def over(self, number: int) -> None:
        """The merge was read, by whatever way: what fails later begins anew."""
        with self._guard:
            self._of.pop(number, None)

    def give_up(self, number: int, now: datetime) -> bool:
        """Return whether the query about this merge has failed often and long enough; from then on it is given up."""
        with self._guard:
            known = self._of.get(number)
            if known is None or known.times < FAILURES or now - known.since < PATIENCE:
                return False
            self._of[number] = replace(known, given_up=True)
            return True

    def is_given_up(self, number: int) -> bool:
        """Return whether the query about this merge was given up, and the merge not read by another way since."""
        with self._guard:
            known = self._of.get(number)
        return known is not None and known.given_up

"""What a worker does while the database is away: it waits a little, and remembers tries that were not its fault."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Generic, TypeVar

import structlog

from shared.store.session import Database, DatabaseUnavailable, Session

Answer = TypeVar("Answer")
Claimed = TypeVar("Claimed")

_ROUNDS = 5
_log = structlog.get_logger(__name__)


def patiently(do: Callable[[], Answer], pause: Callable[[float], None] = time.sleep) -> Answer:
    """Return what ``do`` returns; while the database is away, try again each second, five times in all.

    For the first step of a task: without it every message that waits in the broker would be taken and dropped within
    moments of an outage. DatabaseUnavailable when it is still away then; the sweeper rings again.
    """
    for _ in range(_ROUNDS - 1):
        try:
            return do()
        except DatabaseUnavailable:
            pause(1.0)
    return do()


class OutageNotes(Generic[Claimed]):
    """Claims that ended by an outage of the database, of which the database could not be told.

    Kept in the memory of this process and told before its next claim, so that such a try is not counted: whoever takes
    the row meanwhile has to think that its worker was lost. A process that dies before that loses its notes, and
    then the try counts.
    """

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._claims: list[Claimed] = []

    def add(self, claim: Claimed) -> None:
        """Remember that the try of ``claim`` ended by an outage."""
        with self._guard:
            self._claims.append(claim)

    def tell(self, database: Database, forgive: Callable[[Session, Claimed], bool]) -> None:
        """Take the noted tries back with ``forgive``, all in one transaction.

        DatabaseUnavailable when the database is still away: the notes are kept then.
        """
        with self._guard:
            noted, self._claims = self._claims, []
        if not noted:
            return
        try:
            with database.transaction() as session:
                forgiven = sum(forgive(session, claim) for claim in noted)
        except BaseException:
            with self._guard:
                self._claims = noted + self._claims
            raise
        _log.info("outage.forgiven", tries=forgiven)

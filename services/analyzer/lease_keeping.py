"""Keeps the lease of a row while its work goes on (R-13)."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta

import structlog

from shared.domain.errors import MergecastError
from shared.domain.protocols import Clock
from shared.store.session import Database, Session

_log = structlog.get_logger(__name__)

Renew = Callable[[Session, datetime], bool]
"""Holds the row for longer; False when somebody else holds it by now."""


@contextmanager
def renewed(database: Database, clock: Clock, every: timedelta, row: str, renew: Renew) -> Iterator[None]:
    """Call ``renew`` again and again while the block runs, until it says that the row is somebody else's.

    A renewal that fails is made up for by the next one, or by the fence. ``row`` names it in the log.
    """
    over = threading.Event()

    def keep() -> None:
        while not over.wait(every.total_seconds()):
            try:
                now = clock()
                with database.transaction() as session:
                    held = renew(session, now)
            except MergecastError as error:
                _log.warning("lease.not_renewed", row=row, error=str(error))
                continue
            if not held:
                return

    keeper = threading.Thread(target=keep, name=f"lease-{row}", daemon=True)
    keeper.start()
    try:
        yield
    finally:
        over.set()
        keeper.join(1.0)

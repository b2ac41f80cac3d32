"""Looks at the database from outside and waits for it, for tests that break things."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from shared.store import deliveries
from shared.store.session import Database


def counted(database: Database) -> dict[str, int]:
    """Deliveries by status."""
    with database.reading() as session:
        return deliveries.counts(session)


def seconds_until(holds: Callable[[], object], folder: Path, limit: float = 60.0) -> float:
    """Wait until it holds and return how long that took; the logs are shown when it does not."""
    begun = time.monotonic()
    while not holds():
        if time.monotonic() - begun > limit:
            raise AssertionError("".join(log.read_text()[-3000:] for log in folder.glob("*.log")))
        time.sleep(0.1)
    return time.monotonic() - begun

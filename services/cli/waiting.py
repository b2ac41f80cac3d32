"""Waits, for a bounded time, until a running embedded service has done its work."""

from __future__ import annotations

import time
from datetime import timedelta

from services.cli.console import progress
from shared.broker.app import sender
from shared.broker.task_names import TaskName
from shared.domain.digest import Digest
from shared.domain.errors import MergecastError
from shared.settings import Settings
from shared.store import deliveries, digests, publications, repositories
from shared.store.session import Database

ANALYSED_WITHIN = timedelta(minutes=3)
PUBLISHED_WITHIN = timedelta(minutes=1)
LOOK_EVERY = 0.1
"""Seconds between two looks at the database."""
RING_EVERY = 10.0
"""Seconds between two rings for the same digest."""


class Waiter:
    """Looks at the database of the service, and rings it through the broker of this process."""

    def __init__(self, settings: Settings) -> None:
        self._database = Database(settings.database_url)
        self._ring = sender(settings)

    def close(self) -> None:
        """Close the connections."""
        self._database.dispose()

    def until_analysed(self) -> None:
        """Return when no delivery is waiting or being worked on.

        MergecastError when that takes too long, or when one was given up: the line says what its last error was.
        """
        deadline = time.monotonic() + ANALYSED_WITHIN.total_seconds()
        with progress("Analysing merges") as report:
            while True:
                with self._database.reading() as session:
                    counted = deliveries.counts(session)
                    dead = deliveries.listing(session, status="dead", limit=1)
                if dead:
                    raise MergecastError(f"Delivery {dead[0].id} was given up: {dead[0].last_error}")
                open_ones = counted["new"] + counted["claimed"]
                total = sum(counted.values())
                report(total - open_ones, total)
                if not open_ones:
                    return
                if time.monotonic() > deadline:
                    raise MergecastError(
                        f"{open_ones} of {total} deliveries are not analysed after "
                        f"{ANALYSED_WITHIN.total_seconds():.0f} s."
                    )
                time.sleep(LOOK_EVERY)

    def published(self, full_name: str, week: str) -> Digest:
        """Ask for the digest of ``week``, wait until it is built and published, and return it.

        MergecastError when that takes too long or the publication failed.
        """
        with self._database.reading() as session:
            repository_id = repositories.find(session, full_name)
        if repository_id is None:
            raise MergecastError(f"No merge of {full_name} has arrived.")
        started = rung = time.monotonic()
        self._ring(TaskName.BUILD_DIGEST, f"{repository_id}:{week}")
        with progress(f"Building and publishing {week}"):
            while time.monotonic() < started + PUBLISHED_WITHIN.total_seconds():
                digest = self._sent(repository_id, week)
                if digest is not None:
                    return digest
                if time.monotonic() > rung + RING_EVERY:
                    # No sweeper makes up for a lost ring here: a digest on demand is nobody's duty. Twice does no harm.
                    rung = time.monotonic()
                    self._ring(TaskName.BUILD_DIGEST, f"{repository_id}:{week}")
                time.sleep(LOOK_EVERY)
        raise MergecastError(f"{week} was not published within {PUBLISHED_WITHIN.total_seconds():.0f} s.")

    def _sent(self, repository_id: int, week: str) -> Digest | None:
        with self._database.reading() as session:
            stored = digests.get(session, repository_id, week)
            if stored is None or stored.sealed_at is None:
                return None
            outbox = publications.listing(session, digest_id=stored.id)
        for publication in outbox:
            if publication.status == "failed":
                raise MergecastError(f"{week} could not be published: {publication.last_error}")
        if outbox and all(publication.status == "sent" for publication in outbox):
            return Digest.model_validate_json(stored.document)
        return None

"""The tasks of the publisher: which function runs under which name, and the sweep."""

from __future__ import annotations

from collections.abc import Callable

import structlog

from services.publisher.deliver import PublisherRuntime, publish
from shared.broker.task_names import TaskName
from shared.settings import Settings
from shared.store import publications
from shared.store.session import Database

_log = structlog.get_logger(__name__)


def make_runtime(
    settings: Settings, database: Database, ring: Callable[[TaskName, int | str], None]
) -> PublisherRuntime:
    """Return what the tasks work with; no connection is made yet."""
    return PublisherRuntime(settings, database, ring, database.now)


def handlers(runtime: PublisherRuntime) -> dict[TaskName, Callable[..., None]]:
    """Return the tasks of this service by name."""

    def publish_one(publication_id: int) -> None:
        publish(runtime, publication_id)

    def sweep() -> None:
        sweep_publications(runtime)

    return {TaskName.PUBLISH: publish_one, TaskName.SWEEP_PUBLICATIONS: sweep}


def sweep_publications(runtime: PublisherRuntime) -> int:
    """Ring again for every publication whose work is due, and return for how many (R-12, R-80).

    Trigger: beat, every 30 s. Reads the outbox, writes nothing.
    """
    now = runtime.clock()
    with runtime.database.reading() as session:
        due = publications.due(session, now, runtime.settings.worker.sweep_limit)
    for publication_id in due:
        runtime.ring(TaskName.PUBLISH, publication_id)
    if due:
        _log.info("publications.swept", due=len(due))
    return len(due)

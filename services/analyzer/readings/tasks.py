"""The tasks of readings, apart from those of deliveries: which function runs under which name."""

from __future__ import annotations

from collections.abc import Callable

from services.analyzer.readings.batching import work_on_batch
from services.analyzer.readings.batching_runtime import BatchRuntime
from services.analyzer.readings.read import read_merge
from services.analyzer.readings.runtime import ReadingRuntime
from shared.broker.task_names import TaskName
from shared.settings import Settings
from shared.store.session import Database


def make_runtime(settings: Settings, database: Database, ring: Callable[[TaskName, int | str], None]) -> ReadingRuntime:
    """Return what the tasks work with; no connection is made, and no model is opened yet."""
    return ReadingRuntime(settings, database, ring, database.now)


def handlers(runtime: ReadingRuntime) -> dict[TaskName, Callable[..., None]]:
    """Return the tasks of the reader by name."""
    batches = BatchRuntime(runtime)

    def read(reading_id: int) -> None:
        read_merge(runtime, reading_id)

    def work(batch_id: int) -> None:
        work_on_batch(batches, batch_id)

    return {TaskName.READ_MERGE: read, TaskName.WORK_BATCH: work}

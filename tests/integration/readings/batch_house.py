"""A service in one thread whose backfills are read through the scripted server's Batch API."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from services.analyzer.readings import batching, read
from services.analyzer.readings.batching_gather import LONGEST_WAIT, sweep_batches
from services.analyzer.readings.batching_runtime import BatchRuntime
from shared.broker.task_names import TaskName
from shared.store import model_batches
from shared.store.session import Database
from tests.integration.readings.house import House
from tests.servers.model.server import ModelServer

_MOST_TICKS = 240


class BatchHouse(House):
    """A house with ``model.batch``; its bell takes the tasks of batches too.

    Unless it is ``new``, its model has served before.
    """

    def __init__(self, database: Database, server: ModelServer, *, new: bool = False, **model: Any) -> None:
        super().__init__(database, server, batch=True, **model)
        self.batches = BatchRuntime(self.reader)
        if not new:
            for name in self.settings.model.names:
                self.reader.memory.served(name)

    def backfill(self, *numbers: int) -> None:
        """Store merges that a backfill brought, long enough ago that nobody waits for more of them."""
        self.store(numbers, asked_by="backfill")
        self.clock.move(LONGEST_WAIT)

    def tick(self, after: timedelta = timedelta(0)) -> list[str]:
        """Let time pass, sweep once, and work on all that is rung for; return what became of what was due."""
        self.clock.move(after)
        self.sweep()
        sweep_batches(self.reader)
        outcomes: list[str] = []
        while self.bell.rung:
            task, argument = self.bell.rung.pop(0)
            if task is TaskName.WORK_BATCH:
                outcomes.append(batching.work_on_batch(self.batches, int(argument)))
            else:
                outcomes.append(read.read_merge(self.reader, int(argument)))
        return [outcome for outcome in outcomes if outcome != "not-due"]

    def until_read(self, every: timedelta = timedelta(minutes=5)) -> None:
        """Tick until no reading waits any more."""
        for _ in range(_MOST_TICKS):
            if set(self.counts()) <= {"done", "rules", "superseded"}:
                return
            self.tick(every)
        raise AssertionError(f"not all were read: {self.counts()}")

    def batch_counts(self) -> dict[str, int]:
        """Batches by status, without zeros."""
        with self.database.reading() as session:
            return {status: count for status, count in model_batches.counts(session).items() if count}

    @property
    def merge_calls(self) -> list[tuple[str, str]]:
        """Purpose and status of every call in the ledger that tells of a merge, oldest first."""
        return [call for call in self.calls() if call[0] != "probe"]

    @property
    def asked_alone(self) -> int:
        """How many single questions about merges the server was sent."""
        return sum(bool(asked.document) for asked in self.server.asked)

    @property
    def lines(self) -> int:
        """How many questions the server was sent in files of batches that it began."""
        held = self.server.batches
        return sum(len(held.files[batch["input_file_id"]].splitlines()) for batch in held.batches.values())

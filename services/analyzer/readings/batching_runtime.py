"""What the task of batches works with."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import timedelta
from functools import cached_property
from typing import TYPE_CHECKING

from services.analyzer.readings.runtime import ReadingRuntime
from shared.llm import open_batches
from shared.store import batch_readings, model_batches
from shared.store.batch_readings import BatchCall
from shared.store.model_batches import BatchClaim
from shared.store.model_calls import StoredMeter
from shared.store.outages import OutageNotes
from shared.store.reading_tasks import ReadingTask
from shared.store.session import Database

if TYPE_CHECKING:
    from shared.llm.batches import ModelBatches
    from shared.settings import ModelSettings


class BatchNotHeld(Exception):
    """Somebody else holds the batch by now (R-13)."""


@dataclass(frozen=True)
class BatchRuntime:
    """The parts of the reader, and those that only batches need; made once for a process."""

    reader: ReadingRuntime
    outages: OutageNotes[BatchClaim] = field(default_factory=OutageNotes)

    @property
    def model(self) -> ModelSettings:
        """The settings of the language model."""
        return self.reader.settings.model

    @property
    def database(self) -> Database:
        """The store."""
        return self.reader.database

    @property
    def lease(self) -> timedelta:
        """For how long a batch is held without a renewal."""
        return self.reader.settings.worker.lease

    @cached_property
    def server(self) -> ModelBatches:
        """The door to the Batch API; InvalidInput when no model is set, or its key cannot be sent."""
        return open_batches(self.model, self.reader.memory, self.reader.clock)

    def meter(self, task: ReadingTask | None = None) -> StoredMeter:
        """The ledger and the budgets, for a reading of a batch; without one it can only settle."""
        known = (None, None) if task is None else (task.id, task.pull_request_id)
        return StoredMeter(self.database, self.reader.clock, self.model, self.model.base_url, *known)

    def check_held(self, claim: BatchClaim) -> None:
        """Hold the batch for longer; BatchNotHeld when somebody else holds it."""
        now = self.reader.clock()
        with self.database.transaction() as session:
            if not model_batches.renew(session, claim, now, self.lease):
                raise BatchNotHeld

    def never_sent(self, claim: BatchClaim, calls: list[BatchCall]) -> None:
        """Write down that nothing of these calls was ever begun; BatchNotHeld."""
        now = self.reader.clock()
        with self.database.transaction() as session:
            if not model_batches.renew(session, claim, now, self.lease):
                raise BatchNotHeld
            batch_readings.never_sent(session, calls, now)

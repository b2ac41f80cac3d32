"""What the tasks of readings work with."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property

from services.analyzer.readings.steps import Steps
from shared.broker.task_names import TaskName
from shared.domain.protocols import Clock
from shared.llm import LanguageModel, open_language_model
from shared.settings import Settings
from shared.store.model_calls import StoredMeter
from shared.store.model_states import StoredModelMemory
from shared.store.outages import OutageNotes
from shared.store.reading_tasks import ReadingClaim
from shared.store.session import Database


@dataclass(frozen=True)
class ReadingRuntime:
    """The parts, made once for a process; ``clock`` is the database's unless a test gives another.

    The model is opened when it is asked for the first time, after any fork.
    """

    settings: Settings
    database: Database
    ring: Callable[[TaskName, int | str], None]
    clock: Clock
    jitter: Callable[[], float] = field(default=lambda: random.uniform(0.8, 1.2))  # noqa: S311 - spreads retries only
    pause: Callable[[float], None] = time.sleep
    outages: OutageNotes[ReadingClaim] = field(default_factory=OutageNotes)

    @cached_property
    def memory(self) -> StoredModelMemory:
        """What every process knows of the models on this server."""
        return StoredModelMemory(self.database, self.clock, self.settings.model.base_url)

    @cached_property
    def model(self) -> LanguageModel:
        """The door to the model; InvalidInput when none is set, or its key cannot be sent."""
        return open_language_model(self.settings.model, self.memory, self.clock)

    def meter(self, claim: ReadingClaim) -> Steps:
        """The ledger and the budgets, for the reading that is held."""
        model = self.settings.model
        stored = StoredMeter(
            self.database,
            self.clock,
            model,
            model.base_url,
            claim.id,
            claim.pull_request_id,
            attempt=claim.attempt,
        )
        return Steps(stored, claim.number)

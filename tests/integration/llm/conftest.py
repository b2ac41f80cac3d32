"""A scripted server, and the real door to it with a meter and a memory that can be looked at."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

import pytest
from pydantic import SecretStr

from shared.llm import Completion, LanguageModel, open_language_model
from shared.settings.language_model import ModelSettings
from tests.integration.llm.merge_question import question
from tests.model_ledger import LedgerMeter, RememberingMemory, fixed_clock
from tests.servers.model.server import ModelServer

CANARY = "sk-canary-3f9c1e77"


@dataclass
class Door:
    """The door to a server, what was counted on our side and what was remembered."""

    server: ModelServer
    model: LanguageModel
    meter: LedgerMeter = field(default_factory=LedgerMeter)
    memory: RememberingMemory = field(default_factory=RememberingMemory)

    def ask(self, **changed: Any) -> Completion:
        """Ask the usual question."""
        return self.model.ask(question(**changed), self.meter)


Opened = Callable[..., Door]


@pytest.fixture
def server() -> Iterator[ModelServer]:
    """A scripted server of this test's own."""
    with ModelServer() as started:
        yield started


@pytest.fixture
def opened(server: ModelServer) -> Opened:
    """Opens the door to the server by settings that differ from the usual ones as a test says."""

    def open_door(**changed: Any) -> Door:
        settings = ModelSettings.model_validate(
            {
                "name": "scripted",
                "base_url": server.url,
                "api_key": SecretStr(CANARY),
                "deadline": timedelta(seconds=20),
                **changed,
            }
        )
        memory = RememberingMemory()
        return Door(server, open_language_model(settings, memory, fixed_clock), memory=memory)

    return open_door

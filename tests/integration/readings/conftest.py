"""The scripted model of each test of this folder."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from shared.store.session import Database
from tests.integration.readings.house import House
from tests.servers.model.server import ModelServer


@pytest.fixture
def server() -> Iterator[ModelServer]:
    """A model that answers well until the test says otherwise."""
    with ModelServer() as started:
        yield started


@pytest.fixture
def house(database: Database, server: ModelServer) -> House:
    """Analyzer and reader with that model, on both engines."""
    return House(database, server)

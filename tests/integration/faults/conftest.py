"""A fleet of real processes for each test of this folder."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from shared.store.session import Database
from tests.faults.fleet import SHORTEST_TIMES, Fleet, running_fleet
from tests.faults.servers import Servers, running_servers


@pytest.fixture
def servers() -> Iterator[Servers]:
    """PostgreSQL and Valkey that this test may break."""
    with running_servers() as started:
        yield started


@pytest.fixture
def fleet(servers: Servers, tmp_path: Path) -> Iterator[Fleet]:
    """A supervisor without processes yet."""
    with running_fleet(servers, tmp_path, SHORTEST_TIMES) as made:
        yield made


@pytest.fixture
def fleet_database(servers: Servers) -> Iterator[Database]:
    """The database of the fleet, looked at from outside."""
    opened = Database(servers.database_url)
    yield opened
    opened.dispose()

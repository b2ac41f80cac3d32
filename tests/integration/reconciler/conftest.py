"""Fixtures of the tests of reconciliations: a host and a house beside it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from shared.store.session import Database
from tests.integration.reconciler.house import House
from tests.servers.github import GitHubServer


@pytest.fixture
def github() -> Iterator[GitHubServer]:
    """A stand-in for GitHub; its answers have been GitHub's when the test ends."""
    with GitHubServer() as server:
        yield server


@pytest.fixture
def house(github: GitHubServer, database: Database) -> Iterator[House]:
    """A house with a token, on both engines."""
    made = House(github, database)
    yield made
    made.receiver.off()

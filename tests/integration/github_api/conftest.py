"""A stand-in for GitHub with one repository."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.integration.github_api.asked import NAME
from tests.servers.github import GitHubServer, World
from tests.servers.github.repositories import Repository


@pytest.fixture
def github() -> Iterator[GitHubServer]:
    with GitHubServer(World(html_host="https://github.com")) as server:
        yield server


@pytest.fixture
def repository(github: GitHubServer) -> Repository:
    return github.world.add_repository(NAME, id=5_000_000_001)

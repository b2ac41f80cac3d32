"""A stand-in for GitHub, a database, a clock that tests set, and the code host between them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from shared.code_host import CodeHost, open_code_host
from shared.domain.pull_request import RepositoryRef
from shared.settings.code_host import GitHubSettings
from shared.store.cached_answers import StoredAnswers
from shared.store.request_budgets import StoredLimiter
from shared.store.session import Database
from tests.servers.github import GitHubServer


class Clock:
    """The time of the product and of the stand-in alike; tests move it."""

    def __init__(self) -> None:
        self.now = datetime.now(UTC).replace(microsecond=0)

    def __call__(self) -> datetime:
        return self.now

    def forward(self, **by: float) -> None:
        self.now += timedelta(**by)


@dataclass
class Stage:
    """Everything that a test of the code host needs; ``acme/engine`` has one merge."""

    github: GitHubServer
    database: Database
    clock: Clock
    opened: list[CodeHost] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.github.world.now = self.clock
        self.repository = self.github.world.add_repository("acme/engine", id=5_000_000_001)
        self.repository.open_pull("Keep the queue in order").merge()
        self.about = RepositoryRef(full_name="acme/engine", id=5_000_000_001)

    def host(self, *, writing: bool = False, **settings: Any) -> CodeHost:
        """Open the host as a process of its own would; with the token ``reader`` unless something else is given."""
        if not {"token", "app_id", "anonymous", "write_token"} & settings.keys():
            self.github.world.token("reader")
            settings["token"] = "ghp_reader"
        chosen = GitHubSettings(**{"api_url": self.github.api_url} | settings)
        limiter, answers = StoredLimiter(self.database, self.clock), StoredAnswers(self.database, self.clock)
        self.opened.append(open_code_host(chosen, limiter, answers, self.clock, writing=writing))
        return self.opened[-1]

    def app(self) -> CodeHost:
        """Open the host with the stand-in's App."""
        app = self.github.world.app
        return self.host(app_id=str(app.id), private_key=app.private_key_pem)

    def asked(self, path: str = "") -> int:
        """How many requests came in whose path holds ``path``."""
        return sum(path in one.path for one in self.github.log)


@pytest.fixture
def stage(sqlite_url: str) -> Iterator[Stage]:
    database = Database(sqlite_url)
    with GitHubServer() as github:
        made = Stage(github, database, Clock())
        yield made
        for host in made.opened:
            host.close()
    database.dispose()

"""Deliveries whose merge cannot be read for now: a query that is too heavy, a right that is missing; on both engines."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from services.analyzer import tasks
from services.analyzer.details import DetailSources
from services.analyzer.pipeline import AnalyzerRuntime, analyze_delivery
from shared.code_host import open_code_host
from shared.domain.pull_request import Cut, PullRequest
from shared.settings import RepositorySettings, Settings
from shared.store import deliveries, pull_requests, repositories
from shared.store.cached_answers import StoredAnswers
from shared.store.request_budgets import StoredLimiter
from shared.store.session import Database
from tests.integration.github_api.asked import MERGED_AT, NAME, TOKEN, github_settings
from tests.integration.github_api.test_analyzer import delivered
from tests.integration.workers.inbox import Bell, Clock, row
from tests.servers.github import Fault, GitHubServer
from tests.servers.github.repositories import Repository

LATER = MERGED_AT + timedelta(days=100)


@pytest.fixture
def clock(github: GitHubServer) -> Clock:
    made = Clock(LATER)
    github.world.now = made
    return made


def runtime_of(database: Database, github: GitHubServer, clock: Clock) -> AnalyzerRuntime:
    """The runtime of a worker that asks the host about ``acme/engine``, with a clock that tests move."""
    settings = Settings(github=github_settings(github), repositories=(RepositorySettings(full_name=NAME),))
    host = open_code_host(settings.github, StoredLimiter(database, clock), StoredAnswers(database, clock), clock)
    made = tasks.make_runtime(settings, database, Bell())
    return replace(made, clock=clock, sources=DetailSources(settings, clock=clock, host=host), jitter=lambda: 1.0)


def read(database: Database, number: int) -> PullRequest:
    with database.reading() as session:
        repository_id = repositories.find(session, NAME, "github.com")
        assert repository_id is not None
        found = pull_requests.get(session, repository_id, number)
    assert found is not None
    return found.pull_request


def test_the_row_of_a_merge_that_is_too_heavy_for_the_query_gets_done(
    database: Database, github: GitHubServer, repository: Repository, clock: Clock
) -> None:
    heavy = repository.open_pull("Heavy").merge(at=MERGED_AT)
    ordinary = repository.open_pull("Ordinary").merge(at=MERGED_AT)
    github.faults.add(Fault(path="/graphql$", kind="server-error", times=None, body=r'"number": 1\D'))
    runtime, delivery = runtime_of(database, github, clock), delivered(database, heavy, clock)

    outcomes = [analyze_delivery(runtime, delivery)]
    assert analyze_delivery(runtime, delivered(database, ordinary, clock)) == "done"
    while outcomes[-1] != "done" and clock.now < LATER + timedelta(minutes=30):
        clock.move(timedelta(minutes=1))
        outcomes.append(analyze_delivery(runtime, delivery))

    assert outcomes[-1] == "done"
    assert set(outcomes) <= {"postponed", "not-due", "done"}
    assert read(database, heavy.number).cut["checks"] is Cut.FAILED
    assert read(database, ordinary.number).cut == {}


def test_c13_without_the_right_to_read_pull_requests_the_row_is_parked_until_it_is_back(
    database: Database, github: GitHubServer, repository: Repository, clock: Clock
) -> None:
    repository.private = True
    pull = repository.open_pull("Kept").merge(at=MERGED_AT)
    runtime, delivery = runtime_of(database, github, clock), delivered(database, pull, clock)
    rights = github.world.tokens[TOKEN].permissions
    taken = rights.pop("pull_requests")

    assert analyze_delivery(runtime, delivery) == "parked"
    assert "right that is missing" in (row(database, delivery).last_error or "")
    asked_before = len(github.log)
    clock.move(timedelta(days=1))
    assert analyze_delivery(runtime, delivery) == "not-due"
    assert len(github.log) == asked_before

    rights["pull_requests"] = taken
    with database.transaction() as session:
        assert deliveries.resume(session, repository=NAME, now=clock()) == 1
    assert analyze_delivery(runtime, delivery) == "done"
    assert [file.filename for file in read(database, pull.number).files or ()] == ["src/engine.py"]

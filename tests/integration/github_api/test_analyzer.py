"""From a delivery to an analysis with the host's API as the detail source, on both engines."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from services.analyzer import tasks
from services.analyzer.details import DetailSources
from services.analyzer.pipeline import AnalyzerRuntime, analyze_delivery
from services.digest.merges import Merge
from services.digest.relations import same_commit
from shared.code_host import open_code_host
from shared.domain.analysis import Analysis
from shared.domain.pull_request import DetailSource, PullRequest
from shared.settings import RepositorySettings, Settings
from shared.sources.merge_records import dump
from shared.store import analyses, pull_requests, repositories
from shared.store.cached_answers import StoredAnswers
from shared.store.request_budgets import StoredLimiter
from shared.store.session import Database
from tests.builders import make_file
from tests.integration.github_api.asked import MERGED_AT, NAME, asked, facts_of, github_settings
from tests.integration.workers.inbox import Bell, Clock, put, row
from tests.servers.github import Fault, GitHubServer
from tests.servers.github.conversation import FileSpec
from tests.servers.github.pull_requests import PullRequest as HostedPull
from tests.servers.github.repositories import Repository
from tests.servers.github.shapes import payloads

SOON = MERGED_AT + timedelta(seconds=5)


def settings_of(github: GitHubServer, **listed: Any) -> Settings:
    return Settings(
        github=github_settings(github), repositories=(RepositorySettings(full_name=NAME, **listed),) if listed else ()
    )


def runtime_of(database: Database, settings: Settings, clock: Clock) -> AnalyzerRuntime:
    """The runtime as a worker makes it, with a clock that stands still."""
    made = tasks.make_runtime(settings, database, Bell())
    host = open_code_host(settings.github, StoredLimiter(database, clock), StoredAnswers(database, clock), clock)
    return replace(made, clock=clock, sources=DetailSources(settings, clock=clock, host=host), jitter=lambda: 1.0)


def delivered(database: Database, pull: HostedPull, clock: Clock) -> int:
    payload = json.dumps(payloads.pull_request(pull, "closed")).encode()
    return put(database, payload, now=clock()).id


def stored(database: Database, number: int = 1) -> tuple[PullRequest, Analysis]:
    with database.reading() as session:
        repository_id = repositories.find(session, NAME)
        assert repository_id is not None
        found = pull_requests.get(session, repository_id, number)
        assert found is not None
        analysis = analyses.latest(session, found.id)
    assert analysis is not None
    return found.pull_request, analysis


@pytest.fixture
def clock() -> Clock:
    return Clock(SOON)


def test_a_merge_is_analysed_with_what_the_host_tells(
    database: Database, github: GitHubServer, repository: Repository, clock: Clock
) -> None:
    repository.files["CODEOWNERS"] = "/src/ @acme/engine-room\n"
    pull = repository.open_pull("Keep order")
    pull.review("alice", "APPROVED")
    pull.check("tests", "failure")
    pull.merge(at=MERGED_AT)
    delivery = delivered(database, pull, clock)
    github.log.clear()

    made = tasks.make_runtime(settings_of(github), database, Bell())
    assert analyze_delivery(replace(made, clock=clock), delivery) == "done"

    pull_request, analysis = stored(database)
    assert asked(github).count("POST /graphql") == 2, "the details, and the convention files"
    assert len(github.log) == 3
    assert analysis.coverage.source is DetailSource.API
    assert analysis.areas == ("engine-room",)
    assert [review.state for review in pull_request.reviews] == ["APPROVED"]
    assert [check.conclusion for check in pull_request.checks or ()] == ["failure"]
    assert row(database, delivery).note is None
    assert github.writes == [] or {entry.path for entry in github.writes} == {"/graphql"}


def test_c12_a_merge_that_is_shown_at_the_third_look_costs_no_try(
    database: Database, github: GitHubServer, repository: Repository, clock: Clock
) -> None:
    delivery = delivered(database, repository.open_pull("Young").merge(at=MERGED_AT), clock)
    github.faults.add(Fault(path=r"/files$", kind="not-found", times=2))
    runtime = runtime_of(database, settings_of(github), clock)

    outcomes = []
    for _ in range(3):
        outcomes.append(analyze_delivery(runtime, delivery))
        clock.move(timedelta(seconds=30))

    assert outcomes == ["postponed", "postponed", "done"]
    assert stored(database)[1].coverage.source is DetailSource.API


def test_c12_a_merge_that_is_never_shown_is_analysed_from_its_payload(
    database: Database, github: GitHubServer, repository: Repository, clock: Clock
) -> None:
    delivery = delivered(database, repository.open_pull("Hidden").merge(at=MERGED_AT), clock)
    github.faults.add(Fault(path=r"/files$", kind="not-found", times=None))
    runtime = runtime_of(database, settings_of(github), clock)

    outcomes = []
    while "done" not in outcomes:
        outcomes.append(analyze_delivery(runtime, delivery))
        clock.move(timedelta(seconds=30))

    assert outcomes == [*["postponed"] * 4, "done"]
    assert stored(database)[1].coverage.source is DetailSource.PAYLOAD
    assert "source is unavailable" in (row(database, delivery).note or "")
    asked_so_far = len(github.log)
    assert analyze_delivery(runtime, delivery) == "not-due"
    assert len(github.log) == asked_so_far


def test_a_limit_postpones_the_row_until_the_host_said(
    database: Database, github: GitHubServer, repository: Repository, clock: Clock
) -> None:
    github.world.now = clock
    delivery = delivered(database, repository.open_pull("Limited").merge(at=MERGED_AT), clock)
    github.faults.add(Fault(path=r"/files$", kind="primary-limit", reset_in=2_400))
    runtime = runtime_of(database, settings_of(github), clock)

    assert analyze_delivery(runtime, delivery) == "postponed"
    asked_before = len(github.log)
    clock.move(timedelta(minutes=39))
    assert analyze_delivery(runtime, delivery) == "not-due"
    assert len(github.log) == asked_before
    clock.move(timedelta(minutes=2))
    assert analyze_delivery(runtime, delivery) == "done"


def test_records_give_the_files_and_the_host_the_review(
    database: Database, github: GitHubServer, repository: Repository, clock: Clock, tmp_path: Path
) -> None:
    pull = repository.open_pull("Both", files=[FileSpec("from/host.py")])
    pull.review("alice", "APPROVED")
    pull.merge(at=MERGED_AT)
    records = recorded(pull, tmp_path)
    runtime = runtime_of(database, settings_of(github, records=records, api=True), clock)

    assert analyze_delivery(runtime, delivered(database, pull, clock)) == "done"

    pull_request, analysis = stored(database)
    assert [file.filename for file in pull_request.files or ()] == ["from/records.py"]
    assert [review.user.login for review in pull_request.reviews] == ["alice"]
    assert analysis.coverage.source is DetailSource.RECORDS
    assert not [line for line in asked(github) if line.endswith("/files")]


def test_records_alone_ask_nothing_of_the_host(
    database: Database, github: GitHubServer, repository: Repository, clock: Clock, tmp_path: Path
) -> None:
    pull = repository.open_pull("Alone").merge(at=MERGED_AT)
    runtime = runtime_of(database, settings_of(github, records=recorded(pull, tmp_path)), clock)

    assert analyze_delivery(runtime, delivered(database, pull, clock)) == "done"
    assert github.log == []


def test_what_the_records_lack_is_read_from_the_host(
    database: Database, github: GitHubServer, repository: Repository, clock: Clock, tmp_path: Path
) -> None:
    known = repository.open_pull("Known").merge(at=MERGED_AT)
    pull = repository.open_pull("New").merge(at=MERGED_AT)
    settings = settings_of(github, records=recorded(known, tmp_path), api=True)

    assert analyze_delivery(runtime_of(database, settings, clock), delivered(database, pull, clock)) == "done"
    assert stored(database, 2)[1].coverage.source is DetailSource.API


def test_a_host_that_refuses_does_not_lose_what_the_records_have(
    database: Database, github: GitHubServer, repository: Repository, clock: Clock, tmp_path: Path
) -> None:
    pull = repository.open_pull("Kept").merge(at=MERGED_AT)
    delivery = delivered(database, pull, clock)
    runtime = runtime_of(database, settings_of(github, records=recorded(pull, tmp_path), api=True), clock)
    repository.delete()
    clock.move(timedelta(minutes=3))

    assert analyze_delivery(runtime, delivery) == "done"

    assert [file.filename for file in stored(database)[0].files or ()] == ["from/records.py"]
    assert "source is unavailable" in (row(database, delivery).note or "")


def test_c16_two_merges_by_one_push_are_told_as_one_commit(
    database: Database, github: GitHubServer, repository: Repository, clock: Clock
) -> None:
    pulls = [repository.open_pull(f"Part {place}").merge(at=MERGED_AT, by=None, sha="e" * 40) for place in (1, 2)]
    runtime = runtime_of(database, settings_of(github), clock)

    assert [analyze_delivery(runtime, delivered(database, pull, clock)) for pull in pulls] == ["done", "done"]
    assert {stored(database, number)[0].merge_commit_sha for number in (1, 2)} == {"e" * 40}
    assert same_commit([Merge(*stored(database, number)) for number in (1, 2)]) == ((1, 2),)


def recorded(pull: HostedPull, folder: Path) -> Path:
    """A file of merge records that has the merge, with a file of its own."""
    path = folder / "merges.jsonl"
    facts = facts_of(pull)
    path.write_text(dump(facts.model_copy(update={"files": (make_file("from/records.py"),)})) + "\n", "utf-8")
    return path

"""``mergecast backfill`` against a stand-in for GitHub: what it takes in, what it says, and how it goes on."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from services.digest.due import due_periods
from shared.settings import Settings
from shared.store import analyses, deliveries, pull_requests, repositories
from shared.store.pull_requests import StoredPullRequest
from shared.store.session import Database
from tests.integration.cli.conftest import Answer, Mergecast
from tests.servers.github import Fault, GitHubServer, World
from tests.servers.github.repositories import Repository

FULL_NAME = "some/where"
HOST = "github.com"
MAY = datetime(2026, 5, 1, tzinfo=UTC)
MERGES = 5


@pytest.fixture
def github() -> Iterator[GitHubServer]:
    with GitHubServer(world=World(html_host="https://github.com")) as server:
        server.world.deliver_automatically = False
        yield server


@pytest.fixture
def repository(github: GitHubServer) -> Repository:
    """Five merges in May, one before it, and one that was only closed."""
    made = github.world.add_repository(FULL_NAME)
    made.open_pull("Before it", created_at=MAY - timedelta(days=2)).merge(at=MAY - timedelta(hours=1))
    for day in range(MERGES):
        pull = made.open_pull(f"Keep queue {day}", created_at=MAY + timedelta(days=day))
        pull.review("alice", "APPROVED", at=MAY + timedelta(days=day, hours=1))
        pull.merge(at=MAY + timedelta(days=day, hours=2))
    made.open_pull("Given up", created_at=MAY).close(at=MAY + timedelta(days=1))
    return made


@pytest.fixture
def asked(github: GitHubServer) -> dict[str, str]:
    """The settings that ask the stand-in, with a token."""
    return {
        "MERGECAST_GITHUB__API_URL": github.api_url,
        "MERGECAST_GITHUB__TOKEN": github.world.token("reader").value,
        "MERGECAST_WORKER__LEASE": "5",
        "MERGECAST_WORKER__RENEW_EVERY": "1",
    }


def stored(tmp_path: Path) -> dict[int, StoredPullRequest]:
    """The captured merges of the store, each with exactly one analysis."""
    database = Database(f"sqlite:///{tmp_path / 'data' / 'mergecast' / 'mergecast.sqlite3'}")
    with database.reading() as session:
        row = repositories.find(session, FULL_NAME, HOST)
        assert row is not None
        found = pull_requests.of_period(
            session, row, datetime(2000, 1, 1, tzinfo=UTC), datetime(2100, 1, 1, tzinfo=UTC)
        )
        assert all(analyses.latest(session, one.id) is not None for one in found)
        assert deliveries.counts(session)["done"] == len(found)
    database.dispose()
    return {one.pull_request.number: one for one in found}


def weeks_due(tmp_path: Path) -> list[str]:
    """The weeks for which a digest is due after the merges of May."""
    database = Database(f"sqlite:///{tmp_path / 'data' / 'mergecast' / 'mergecast.sqlite3'}")
    due = due_periods(database, Settings(), MAY + timedelta(days=14))
    database.dispose()
    return [one.period.week for one in due]


def refusal(answer: Answer) -> str:
    assert answer.returncode == 2, answer.stderr
    assert answer.stdout == ""
    return answer.stderr.splitlines()[-1]


def test_the_merges_of_the_stretch_are_taken_in_with_files_and_review(
    mergecast: Mergecast, asked: dict[str, str], repository: Repository, tmp_path: Path
) -> None:
    answer = mergecast("backfill", FULL_NAME, "--since", "2026-05-01", "--until", "2026-05-05", **asked)

    assert (answer.returncode, answer.stdout) == (0, f"{FULL_NAME}: 4 merges taken in.\n"), answer.stderr
    taken = stored(tmp_path)
    assert sorted(taken) == [2, 3, 4, 5]
    assert all(one.pull_request.files and one.pull_request.reviews for one in taken.values())


def test_a_second_time_takes_nothing_in(
    mergecast: Mergecast, asked: dict[str, str], repository: Repository, github: GitHubServer, tmp_path: Path
) -> None:
    mergecast("backfill", FULL_NAME, "--since", "2026-05-01", **asked)
    before = len(github.log)
    repository.open_pull("One more").merge(at=MAY + timedelta(days=9))

    answer = mergecast("backfill", FULL_NAME, "--since", "2026-05-01", **asked)

    assert answer.stdout == f"{FULL_NAME}: 1 merges taken in.\n"
    assert len(stored(tmp_path)) == MERGES + 1
    assert len(github.log) - before <= 6


def test_what_broke_off_goes_on_where_it_was_though_no_end_was_named(
    mergecast: Mergecast, asked: dict[str, str], repository: Repository, github: GitHubServer, tmp_path: Path
) -> None:
    fault = github.faults.add(Fault(r"/files$", "unauthorized", times=None, after=2))
    first = mergecast("backfill", FULL_NAME, "--since", "2026-05-01", **asked)
    github.faults.remove(fault)
    parked = MERGES - 2

    second = mergecast("replay", "--parked", **asked)
    third = mergecast("backfill", FULL_NAME, "--since", "2026-05-01", **asked)

    assert f"2 merges taken in. {parked} wait for access" in first.stdout
    assert second.returncode == 0
    assert third.stdout == f"{FULL_NAME}: {parked} merges taken in.\n", "what this run took in"
    assert len(stored(tmp_path)) == MERGES
    assert sum(answer.path.endswith("/files") and answer.status == 200 for answer in github.log) == MERGES


def test_a_second_time_with_a_named_end_counts_what_it_took_in_itself(
    mergecast: Mergecast, asked: dict[str, str], repository: Repository, tmp_path: Path
) -> None:
    stretch = ("--since", "2026-05-01", "--until", "2026-05-05")
    first = mergecast("backfill", FULL_NAME, *stretch, **asked)
    second = mergecast("backfill", FULL_NAME, *stretch, **asked)
    assert (first.stdout, second.stdout) == (
        f"{FULL_NAME}: 4 merges taken in.\n",
        f"{FULL_NAME}: 0 merges taken in.\n",
    )
    assert len(stored(tmp_path)) == 4


def test_a_limit_is_waited_for_and_told(
    mergecast: Mergecast, asked: dict[str, str], repository: Repository, github: GitHubServer, tmp_path: Path
) -> None:
    github.faults.add(Fault("/graphql", "secondary-limit", status=429, retry_after=7, after=1))

    answer = mergecast("backfill", FULL_NAME, "--since", "2026-05-01", **asked)

    assert answer.returncode == 0
    assert "Waiting for the host's limit or an outage: going on at " in answer.stderr
    assert len(stored(tmp_path)) == MERGES


def test_without_a_credential_it_says_what_that_means(
    mergecast: Mergecast, asked: dict[str, str], repository: Repository, github: GitHubServer, tmp_path: Path
) -> None:
    answer = mergecast("backfill", FULL_NAME, "--since", "2026-05-01", **asked | {"MERGECAST_GITHUB__TOKEN": ""})

    assert answer.returncode == 0
    assert "60 requests an hour are all there is: about 15 merges" in answer.stderr
    assert len(stored(tmp_path)) == MERGES
    assert {request.credential for request in github.log} == {"anonymous"}


def test_from_a_clone_the_host_is_asked_for_the_review_alone(
    mergecast: Mergecast, asked: dict[str, str], clone: Path, github: GitHubServer, tmp_path: Path
) -> None:
    made = github.world.add_repository(FULL_NAME)
    for day in (5, 6):
        pull = made.open_pull(f"Add part {day - 4}", created_at=MAY)
        pull.review("alice", "CHANGES_REQUESTED", "Please keep the old name.", at=MAY)
        pull.merge(at=datetime(2026, 5, day, 12, tzinfo=UTC))

    plain = mergecast("backfill", FULL_NAME, "--since", "2026-05-01", "--clone", clone, **asked)
    asked_before = len(github.log)
    reviewed = mergecast("backfill", FULL_NAME, "--since", "2026-05-01", "--clone", clone, "--review", **asked)
    asked_once = len(github.log)
    again = mergecast("backfill", FULL_NAME, "--since", "2026-05-01", "--clone", clone, "--review", **asked)

    assert weeks_due(tmp_path) == [], "what a backfill took in is history"
    assert plain.returncode == reviewed.returncode == 0, reviewed.stderr
    assert asked_before == 0
    assert (again.returncode, len(github.log)) == (0, asked_once), "what was read is not asked for again"
    assert not [request for request in github.log if request.path.endswith("/files")]
    database = Database(f"sqlite:///{tmp_path / 'data' / 'mergecast' / 'mergecast.sqlite3'}")
    with database.reading() as session:
        row = repositories.find(session, FULL_NAME, HOST)
        assert row is not None
        found = pull_requests.get(session, row, 1)
    database.dispose()
    assert found is not None
    assert found.pull_request.files
    assert [review.state for review in found.pull_request.reviews] == ["CHANGES_REQUESTED"]


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["acme", "--since", "2026-05-01"], "'acme' is no repository. Write it like acme/engine."),
        ([FULL_NAME, "--since", "May"], "'May' is not a day. Write it like 2026-05-01."),
        ([FULL_NAME, "--since", "2199-01-01", "--until", "2199-02-01"], "2199-01-01 has not come yet."),
        ([FULL_NAME, "--since", "2026-05-02", "--until", "2026-05-01"], "Nothing lies between --since and --until."),
        ([FULL_NAME, "--since", "2026-05-01", "--review"], "--review goes with --clone."),
        (["no/such", "--since", "2026-05-01"], "no/such"),
    ],
)
def test_what_cannot_be_done_is_said_in_a_line(
    mergecast: Mergecast, asked: dict[str, str], arguments: list[str], expected: str
) -> None:
    assert expected in refusal(mergecast("backfill", *arguments, **asked))


def test_a_token_that_is_none_is_said_in_a_line(
    mergecast: Mergecast, asked: dict[str, str], repository: Repository
) -> None:
    answer = mergecast(
        "backfill", FULL_NAME, "--since", "2026-05-01", **asked | {"MERGECAST_GITHUB__TOKEN": "ghp_none"}
    )

    assert "401" in refusal(answer)
    assert "ghp_none" not in answer.stderr

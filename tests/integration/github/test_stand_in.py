"""The stand-in for GitHub reads like GitHub to a real PyGithub."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest
from github import GithubException, UnknownObjectException

from tests.servers.github import CommitSpec, FileSpec, GitHubServer
from tests.servers.github.client import client
from tests.servers.github.repositories import Repository

MONDAY = datetime(2026, 5, 4, 8, tzinfo=UTC)


@pytest.fixture
def github() -> Iterator[GitHubServer]:
    with GitHubServer() as server:
        server.world.token("reader")
        yield server


@pytest.fixture
def engine(github: GitHubServer) -> Repository:
    return github.world.add_repository("acme/engine", id=5_000_000_001)


def test_a_pull_request_reads_back_as_it_was_made(github: GitHubServer, engine: Repository) -> None:
    made = engine.open_pull("Keep the order", "ada", "The queue lost it.", labels=("bug",), created_at=MONDAY)
    made.review("alice", "APPROVED", body=None, at=MONDAY)
    made.review(None, "PENDING")
    made.thread("src/queue.py", 3, [("alice", "Why?"), ("ada", "Because.")], outdated=True)
    made.comment("bob", "Thanks!")
    made.merge(at=MONDAY + timedelta(hours=1), by="grace")

    with client(github) as reader:
        read = reader.get_repo("acme/engine").get_pull(1)
        reviews = [(review.user and review.user.login, review.state) for review in read.get_reviews()]
        threads = [(comment.body, comment.in_reply_to_id) for comment in read.get_review_comments()]
        talk = [(comment.user.login, comment.body) for comment in read.get_issue_comments()]

    assert (read.title, read.user.login, read.merged_by.login) == ("Keep the order", "ada", "grace")
    assert (read.merged, read.merged_at, read.created_at) == (True, MONDAY + timedelta(hours=1), MONDAY)
    assert reviews == [("alice", "APPROVED"), (None, "PENDING"), ("alice", "COMMENTED")]
    assert threads == [("Why?", None), ("Because.", made.threads[0].comments[0].id)]
    assert talk == [("bob", "Thanks!")]


@pytest.mark.parametrize(("count", "listed", "requests"), [(0, 0, 1), (101, 101, 2), (3_001, 3_000, 30)])
def test_files_come_in_pages_and_end_at_three_thousand(
    github: GitHubServer, engine: Repository, count: int, listed: int, requests: int
) -> None:
    engine.open_pull("Move it all", files=[FileSpec(f"src/{number}.py", patch=None) for number in range(count)])

    with client(github) as reader:
        pull = reader.get_repo("acme/engine").get_pull(1)
        files = list(pull.get_files())

    assert len(files) == listed
    assert pull.changed_files == count
    assert sum(seen.path.endswith("/files") for seen in github.log) == requests
    assert all("patch" not in file.raw_data for file in files)


def test_commits_end_at_two_hundred_and_fifty(github: GitHubServer, engine: Repository) -> None:
    engine.open_pull("Many steps", commits=[CommitSpec(f"Step {number}") for number in range(260)])

    with client(github) as reader:
        commits = list(reader.get_repo("acme/engine").get_pull(1).get_commits())

    assert [commit.commit.message for commit in commits] == [f"Step {number}" for number in range(250)]


def test_a_list_is_in_the_order_of_updates_and_its_rows_have_no_counts(
    github: GitHubServer, engine: Repository
) -> None:
    for number in range(101):
        engine.open_pull(f"Change {number}", created_at=MONDAY).merge(at=MONDAY + timedelta(hours=number))
    engine.pulls[1].touch(at=MONDAY + timedelta(days=9))

    with client(github) as reader:
        rows = reader.get_repo("acme/engine").get_pulls(state="closed", sort="updated", direction="desc")
        numbers = [row.number for row in rows]
    answer, _ = github.exchange("GET", "/api/v3/repos/acme/engine/pulls?state=closed&per_page=1", {}, b"")

    assert numbers == [1, *range(101, 1, -1)]
    assert not {"additions", "merged", "merged_by", "commits"} & set(json.loads(answer.encoded())[0])


def test_who_left_is_null_everywhere(github: GitHubServer, engine: Repository) -> None:
    pull = engine.open_pull("Leave", "ghost-to-be", head_repo_gone=True)
    pull.review("ghost-to-be", "APPROVED")
    github.world.delete_user("ghost-to-be")

    with client(github) as reader:
        read = reader.get_repo("acme/engine").get_pull(1)
        review = next(iter(read.get_reviews()))

    assert read.raw_data["user"] is None
    assert read.raw_data["head"]["repo"] is None
    assert review.raw_data["user"] is None


def test_a_renamed_repository_leads_reads_with_301_and_writes_with_307(
    github: GitHubServer, engine: Repository
) -> None:
    github.world.token("writer", {"issues": "write", "pull_requests": "read"})
    engine.rename("motor")
    engine.transfer("umbra/motor")

    with client(github, "ghp_writer") as writer:
        repository = writer.get_repo("acme/engine")
        old = writer.withLazy(True).get_repo("acme/motor")
        list(old.get_pulls(state="closed"))
        old.create_issue("Digest")

    assert repository.full_name == "umbra/motor"
    assert [seen.status for seen in github.log] == [301, 200, 301, 200, 307]
    assert engine.issues == {}, "PyGithub takes a 307 for a success and writes nothing"


def test_the_place_of_a_moved_list_keeps_its_query(github: GitHubServer, engine: Repository) -> None:
    engine.rename("acme/motor")

    answer, _ = github.exchange("GET", "/api/v3/repos/acme/engine/pulls?state=closed&page=2", {}, b"")

    assert answer.headers["Location"] == f"{github.api_url}/repositories/5000000001/pulls?state=closed&page=2"


def test_links_to_other_pages_name_the_repository_by_its_number(github: GitHubServer, engine: Repository) -> None:
    for number in range(3):
        engine.open_pull(f"Change {number}")

    answer, _ = github.exchange("GET", "/api/v3/repos/acme/engine/pulls?per_page=1&page=2", {}, b"")

    pulls = f"<{github.api_url}/repositories/5000000001/pulls?per_page=1&page="
    assert answer.headers["Link"] == (
        f'{pulls}1>; rel="prev", {pulls}1>; rel="first", {pulls}3>; rel="next", {pulls}3>; rel="last"'
    )


@pytest.mark.parametrize("status", [403, 404, 410, 451])
def test_a_blocked_repository_answers_with_its_status(github: GitHubServer, engine: Repository, status: int) -> None:
    engine.block(status)

    with client(github) as reader, pytest.raises(GithubException) as refused:
        reader.get_repo("acme/engine")

    assert refused.value.status == status


def test_a_file_reads_back_and_a_missing_one_is_not_found(github: GitHubServer, engine: Repository) -> None:
    engine.files[".github/CODEOWNERS"] = "* @ada\n"

    with client(github) as reader:
        repository = reader.get_repo("acme/engine")
        held = repository.get_contents(".github/CODEOWNERS")
        with pytest.raises(UnknownObjectException):
            repository.get_contents("CODEOWNERS")

    assert not isinstance(held, list)
    assert held.decoded_content == b"* @ada\n"


def test_checks_and_statuses_are_those_of_the_head_commit(github: GitHubServer, engine: Repository) -> None:
    pull = engine.open_pull("Try it")
    pull.check("ci/test", "failure")
    pull.check("ci/slow", None)
    pull.status("ci/old", "error")

    with client(github) as reader:
        commit = next(iter(reader.get_repo("acme/engine").get_pull(1).get_commits()))
        runs = [(run.name, run.status, run.conclusion) for run in commit.get_check_runs()]
        combined = commit.get_combined_status()

    assert runs == [("ci/test", "completed", "failure"), ("ci/slow", "in_progress", None)]
    assert (combined.state, [status.context for status in combined.statuses]) == ("failure", ["ci/old"])


def test_the_diff_of_a_big_pull_request_is_refused_with_406(github: GitHubServer, engine: Repository) -> None:
    engine.open_pull("Move it all", files=[FileSpec(f"src/{number}.py") for number in range(301)])

    answer, _ = github.exchange(
        "GET", "/api/v3/repos/acme/engine/pulls/1", {"accept": "application/vnd.github.v3.diff"}, b""
    )

    assert (answer.status, answer.body["errors"][0]["code"]) == (406, "too_large")


@pytest.mark.parametrize(("version", "there"), [("", True), ("2022-11-28", True), ("2026-03-10", False)])
def test_the_next_version_of_the_api_lacks_the_merge_commit(
    github: GitHubServer, engine: Repository, version: str, there: bool
) -> None:
    engine.open_pull("Change").merge()
    headers = {"x-github-api-version": version} if version else {}

    answer, _ = github.exchange("GET", "/api/v3/repos/acme/engine/pulls/1", headers, b"")

    assert answer.status == 200
    assert ("merge_commit_sha" in json.loads(answer.encoded())) is there


def test_an_answer_that_is_not_as_github_describes_it_fails_the_test() -> None:
    github = GitHubServer()
    github.world.add_repository("acme/engine").open_pull(None)

    with pytest.raises(AssertionError, match="title"), github:
        github.exchange("GET", "/api/v3/repos/acme/engine/pulls/1", {}, b"")

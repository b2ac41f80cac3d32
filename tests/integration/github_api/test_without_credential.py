"""The details of one merge without a credential: REST alone, and at most four requests."""

from __future__ import annotations

from datetime import timedelta

import pytest

from shared.domain.pull_request import Cut
from tests.integration.github_api.asked import MERGED_AT, NOW, asked, facts_of, open_api
from tests.servers.github import GitHubServer
from tests.servers.github.conversation import FileSpec
from tests.servers.github.repositories import Repository

NEVER_TOLD = dict.fromkeys(("review_threads", "checks", "linked_issues"), Cut.NO_CREDENTIAL)


def test_the_review_is_read_first_and_what_was_left_out_is_told(github: GitHubServer, repository: Repository) -> None:
    pull = repository.open_pull("Discussed")
    pull.review("alice", "APPROVED")
    pull.thread("src/engine.py", 3, [("alice", "Why?")])
    pull.comment("carol", "Thank you!")
    pull.merge(at=MERGED_AT)

    details = open_api(github, token=False).details(facts_of(pull))

    path = f"GET /repositories/{repository.id}/pulls/1"
    assert asked(github) == [f"{path}/files", f"{path}/reviews", f"{path}/comments", f"{path}/commits"]
    assert details.reviews_known
    assert [comment.body for comment in details.review_comments] == ["Why?"]
    assert len(details.commits) == 1
    assert (details.review_threads, details.checks, details.comments) == (None, None, ())
    assert details.cut == NEVER_TOLD | {"comments": Cut.NO_CREDENTIAL}


def test_without_a_review_the_conversation_is_read_too(github: GitHubServer, repository: Repository) -> None:
    pull = repository.open_pull("Quiet")
    pull.comment("carol", "Thank you!")
    pull.merge(at=MERGED_AT)

    details = open_api(github, token=False).details(facts_of(pull))

    assert [line.rpartition("/")[2] for line in asked(github)] == ["files", "reviews", "commits", "comments"]
    assert [comment.body for comment in details.comments] == ["Thank you!"]
    assert details.cut == NEVER_TOLD


def test_missing_totals_are_asked_for_within_the_four_requests(github: GitHubServer, repository: Repository) -> None:
    pull = repository.open_pull("Listed", files=[FileSpec("a.py", additions=7, deletions=2)])
    pull.review("alice")
    pull.merge(at=MERGED_AT)

    details = open_api(github, token=False).details(facts_of(pull, additions=0, deletions=0, changed_files=0))

    assert (details.additions, details.deletions, details.changed_files) == (7, 2, 1)
    assert len(github.log) == 4


@pytest.mark.parametrize(("files", "requests"), [(5, 4), (100, 4), (101, 4), (450, 6)])
def test_many_files_leave_one_request_for_the_review(
    github: GitHubServer, repository: Repository, files: int, requests: int
) -> None:
    pull = repository.open_pull("Many", files=[FileSpec(f"{place}.py") for place in range(files)])
    pull.review("alice")
    pull.merge(at=MERGED_AT)

    details = open_api(github, token=False).details(facts_of(pull))

    assert len(details.files or ()) == files
    assert [review.user.login for review in details.reviews] == ["alice"]
    assert len(github.log) == requests


def test_conventions_are_read_once_an_hour(github: GitHubServer, repository: Repository) -> None:
    repository.files["CODEOWNERS"] = "/src/ @acme/core\n"
    moment = NOW
    api = open_api(github, token=False, clock=lambda: moment)

    assert api.conventions() == {"CODEOWNERS": "/src/ @acme/core\n"}
    first = len(github.log)
    repository.files[".github/labeler.yml"] = "core:\n  - src/**\n"
    assert ".github/labeler.yml" not in api.conventions()
    assert len(github.log) == first <= 6

    moment += timedelta(hours=1)
    assert set(api.conventions()) == {"CODEOWNERS", ".github/labeler.yml"}
    assert [entry.status for entry in github.log].count(304) == 1

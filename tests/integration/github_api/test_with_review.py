"""Details from elsewhere get what the host alone knows: review, threads, checks, linked issues."""

from __future__ import annotations

from datetime import timedelta

import pytest

from shared.domain.errors import Absent, Postponed
from shared.domain.pull_request import Commit, Cut, DetailSource
from tests.builders import make_file
from tests.integration.github_api.asked import MERGED_AT, asked, facts_of, open_api
from tests.servers.github import GitHubServer
from tests.servers.github.pull_requests import PullRequest as HostedPull
from tests.servers.github.repositories import Repository

OF_CLONE = {
    "files": (make_file("src/engine.py"),),
    "commits": (Commit(sha="c" * 40, message="As in the clone"),),
    "detail_source": DetailSource.CLONE,
    "cut": {"files": Cut.OUR_LIMIT},
}


@pytest.fixture
def pull(repository: Repository) -> HostedPull:
    made = repository.open_pull("Reviewed")
    made.review("alice", "APPROVED")
    made.thread("src/engine.py", 3, [("alice", "Why?")])
    made.comment("carol", "Thank you!")
    made.check("tests", "success")
    made.link_issue(12, "The queue loses its order")
    return made.merge(at=MERGED_AT)


def test_one_query_adds_the_review_and_leaves_the_rest(github: GitHubServer, pull: HostedPull) -> None:
    details = facts_of(pull, **OF_CLONE)

    found = open_api(github).with_review(details)

    assert asked(github) == ["POST /graphql"]
    assert (found.files, found.commits, found.detail_source) == (
        details.files,
        details.commits,
        DetailSource.CLONE,
    )
    assert (found.additions, found.deletions, found.changed_files) == (1, 1, 1)
    assert found.reviews_known
    assert len(found.reviews) == 2
    assert [thread.resolved for thread in found.review_threads or ()] == [False]
    assert [check.conclusion for check in found.checks or ()] == ["success"]
    assert [issue.number for issue in found.linked_issues] == [12]
    assert found.cut == {"files": Cut.OUR_LIMIT}


def test_without_a_credential_three_requests_add_what_they_can(github: GitHubServer, pull: HostedPull) -> None:
    found = open_api(github, token=False).with_review(facts_of(pull, **OF_CLONE))

    assert len(github.log) == 3
    assert len(found.reviews) == 2
    assert [comment.body for comment in found.comments] == ["Thank you!"]
    assert found.checks is None
    assert found.cut["checks"] is Cut.NO_CREDENTIAL
    assert found.commits == OF_CLONE["commits"]


def test_a_young_merge_waits_and_an_old_one_is_absent(github: GitHubServer, pull: HostedPull) -> None:
    details = facts_of(pull, number=99, **OF_CLONE)

    with pytest.raises(Postponed):
        open_api(github, clock=lambda: MERGED_AT + timedelta(seconds=119)).with_review(details)
    with pytest.raises(Absent):
        open_api(github).with_review(details)

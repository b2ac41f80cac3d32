"""A query that GitHub fails at: waited for while the merge is young, then asked for over REST."""

from __future__ import annotations

from datetime import timedelta

import pytest

from shared.domain.errors import HostAway
from shared.domain.pull_request import Cut
from tests.integration.github_api.asked import MERGED_AT, NOW, asked, facts_of, open_api
from tests.servers.github import Fault, GitHubServer
from tests.servers.github.pull_requests import PullRequest as HostedPull
from tests.servers.github.repositories import Repository

QUERY = "POST /graphql"


@pytest.fixture
def heavy(github: GitHubServer, repository: Repository) -> HostedPull:
    """A merge that the query times out at, each time."""
    pull = repository.open_pull("Much to say")
    pull.review("alice", "CHANGES_REQUESTED", "Please keep the order.", at=MERGED_AT)
    github.faults.add(Fault(path="/graphql$", kind="server-error", status=502, times=None))
    return pull.merge(at=MERGED_AT)


def test_a_young_merge_waits_for_the_query(github: GitHubServer, heavy: HostedPull) -> None:
    young = MERGED_AT + timedelta(minutes=30)

    with pytest.raises(HostAway) as refusal:
        open_api(github, clock=lambda: young).details(facts_of(heavy))

    assert refusal.value.until >= young + timedelta(seconds=30)
    assert asked(github) == [QUERY]


def test_an_older_one_is_read_over_rest_and_says_what_that_lacks(github: GitHubServer, heavy: HostedPull) -> None:
    details = open_api(github).details(facts_of(heavy))

    assert asked(github).count(QUERY) == 2
    assert [file.filename for file in details.files or ()] == ["src/engine.py"]
    assert [review.body for review in details.reviews] == ["Please keep the order."]
    assert (details.review_threads, details.checks) == (None, None)
    assert details.cut["checks"] is Cut.HOST_LIMIT


def test_one_failure_of_the_query_costs_nothing(github: GitHubServer, repository: Repository) -> None:
    pull = repository.open_pull("Ordinary")
    pull.check("tests", "success")
    pull.merge(at=MERGED_AT)
    github.faults.add(Fault(path="/graphql$", kind="server-error", status=502))

    details = open_api(github).details(facts_of(pull))

    assert details.checks
    assert not details.cut


def test_where_nothing_serves_the_merge_waits(github: GitHubServer, heavy: HostedPull) -> None:
    github.faults.add(Fault(path="", kind="server-error", status=503, times=None))

    with pytest.raises(HostAway):
        open_api(github, clock=lambda: NOW).details(facts_of(heavy))

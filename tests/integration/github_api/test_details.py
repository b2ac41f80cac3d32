"""The details of one merge with a credential: what is read, and with how many requests."""

from __future__ import annotations

from datetime import timedelta

import pytest

from shared.domain.errors import Absent, Postponed
from shared.domain.pull_request import Cut, DetailSource, LinkedIssue
from tests.integration.github_api.asked import MERGED_AT, NOW, asked, facts_of, open_api
from tests.servers.github import Fault, GitHubServer
from tests.servers.github.conversation import CommitSpec, FileSpec
from tests.servers.github.pull_requests import PullRequest as HostedPull
from tests.servers.github.repositories import Repository


@pytest.fixture
def discussed(repository: Repository) -> HostedPull:
    """A merge of which there is something of every kind to tell."""
    pull = repository.open_pull(
        "Keep order", created_at=MERGED_AT - timedelta(hours=5), author_association="FIRST_TIME_CONTRIBUTOR"
    )
    pull.review("alice", "CHANGES_REQUESTED", body="Please keep the order.", at=MERGED_AT - timedelta(hours=4))
    pull.review("alice", "APPROVED", body=None, at=MERGED_AT - timedelta(hours=1))
    pull.thread("src/engine.py", 3, [("alice", "Why a list?"), ("octocat", "Changed.")], resolved=True)
    pull.thread("src/engine.py", 9, [("bob", "Follow-up?")], outdated=True)
    pull.comment("carol", "Thank you!")
    pull.check("tests", "failure")
    pull.check("docs", None)
    pull.status("ci/old", "error")
    pull.link_issue(12, "The queue loses its order")
    return pull.merge(at=MERGED_AT)


def test_an_ordinary_merge_takes_two_requests(github: GitHubServer, discussed: HostedPull) -> None:
    details = open_api(github).details(facts_of(discussed))

    assert asked(github) == ["POST /graphql", f"GET /repositories/{discussed.repository.id}/pulls/1/files"]
    assert details.detail_source is DetailSource.API
    assert [(file.filename, bool(file.patch)) for file in details.files or ()] == [("src/engine.py", True)]
    assert details.author_association == "FIRST_TIME_CONTRIBUTOR"
    assert details.created_at == MERGED_AT - timedelta(hours=5)
    assert details.cut == {}


def test_the_review_is_told_with_the_fate_of_its_threads(github: GitHubServer, discussed: HostedPull) -> None:
    details = open_api(github).details(facts_of(discussed))

    given = [(review.user.login, review.state, review.body) for review in details.reviews]
    assert given[:2] == [("alice", "CHANGES_REQUESTED", "Please keep the order."), ("alice", "APPROVED", None)]
    assert details.reviews_known
    settled, outdated = details.review_threads or ()
    assert (settled.path, settled.line, settled.resolved) == ("src/engine.py", 3, True)
    assert settled.resolved_by is not None
    assert settled.resolved_by.login == "octocat"
    assert [comment.body for comment in settled.comments] == ["Why a list?", "Changed."]
    assert (outdated.line, outdated.resolved, outdated.outdated) == (9, False, True)
    assert len(details.review_comments) == 3
    assert [(comment.user.login, comment.body) for comment in details.comments] == [("carol", "Thank you!")]


def test_checks_and_linked_issues_are_told(github: GitHubServer, discussed: HostedPull) -> None:
    details = open_api(github).details(facts_of(discussed))

    results = sorted((check.name, check.conclusion) for check in details.checks or ())
    assert results == [("ci/old", "failure"), ("docs", "pending"), ("tests", "failure")]
    url = "https://github.com/acme/engine/issues/12"
    assert details.linked_issues == (LinkedIssue(number=12, title="The queue loses its order", url=url),)


@pytest.mark.parametrize("count", [0, 31, 100, 101, 250])
def test_every_file_is_read(github: GitHubServer, repository: Repository, count: int) -> None:
    files = [FileSpec(f"src/part_{place}.py") for place in range(count)]
    pull = repository.open_pull("Many files", files=files).merge(at=MERGED_AT)

    details = open_api(github).details(facts_of(pull))

    assert [file.filename for file in details.files or ()] == [file.filename for file in files]
    assert details.changed_files == count
    assert "files" not in details.cut
    assert len(github.log) == 1 + max(1, -(-count // 100))


def test_long_lists_are_read_to_their_end_within_four_requests(github: GitHubServer, repository: Repository) -> None:
    commits = [CommitSpec(f"Step {place}") for place in range(101)]
    pull = repository.open_pull("Long", commits=commits)
    for place in range(101):
        pull.review("alice", "COMMENTED", body=f"Remark {place}")
        pull.comment("bob", f"Word {place}")
        pull.check(f"check {place}")
    pull.merge(at=MERGED_AT)

    details = open_api(github).details(facts_of(pull))

    assert len(github.log) == 3
    assert len(details.reviews) == len(details.comments) == len(details.commits) == len(details.checks or ()) == 101
    assert details.cut == {}


def test_more_than_two_hundred_and_fifty_commits_are_cut_by_the_host(
    github: GitHubServer, repository: Repository
) -> None:
    commits = [CommitSpec(f"Step {place}") for place in range(260)]
    pull = repository.open_pull("Long", commits=commits).merge(at=MERGED_AT)

    details = open_api(github).details(facts_of(pull))

    assert len(details.commits) == 250
    assert details.cut == {"commits": Cut.HOST_LIMIT}
    assert len(github.log) == 4


def test_c26_two_hundred_and_fifty_commits_are_whole(github: GitHubServer, repository: Repository) -> None:
    commits = [CommitSpec(f"Step {place}") for place in range(250)]
    pull = repository.open_pull("Long", commits=commits).merge(at=MERGED_AT)

    details = open_api(github).details(facts_of(pull))

    assert (len(details.commits), details.cut) == (250, {})


def test_totals_come_from_the_query_when_the_event_had_none(github: GitHubServer, repository: Repository) -> None:
    pull = repository.open_pull("Listed", files=[FileSpec("a.py", additions=7, deletions=2)]).merge(at=MERGED_AT)

    details = open_api(github).details(facts_of(pull, additions=0, deletions=0, changed_files=0))

    assert (details.additions, details.deletions, details.changed_files) == (7, 2, 1)
    assert len(github.log) == 2


def test_c12_a_young_merge_that_is_not_shown_waits_and_an_old_one_is_absent(
    github: GitHubServer, repository: Repository
) -> None:
    pull = repository.open_pull("Young").merge(at=MERGED_AT)
    github.faults.add(Fault(path=r"/files$", kind="not-found", times=2))
    moment = MERGED_AT + timedelta(seconds=5)
    api = open_api(github, clock=lambda: moment)

    for _ in range(2):
        with pytest.raises(Postponed) as waiting:
            api.details(facts_of(pull))
        assert waiting.value.until == moment + timedelta(seconds=30)
        moment = waiting.value.until
    assert len(api.details(facts_of(pull)).files or ()) == 1

    github.faults.add(Fault(path=r"/files$", kind="not-found", times=None))
    with pytest.raises(Absent):
        open_api(github, clock=lambda: MERGED_AT + timedelta(minutes=2)).details(facts_of(pull))


def test_a_young_merge_with_an_empty_list_of_files_waits(github: GitHubServer, repository: Repository) -> None:
    pull = repository.open_pull("Young").merge(at=MERGED_AT)
    github.faults.add(Fault(path=r"/files$", kind="empty-list", times=None))

    with pytest.raises(Postponed):
        open_api(github, clock=lambda: MERGED_AT + timedelta(seconds=9)).details(facts_of(pull))
    late = open_api(github, clock=lambda: NOW).details(facts_of(pull))
    assert (late.files, late.changed_files) == ((), 1)


def test_a_pull_request_that_is_not_there_is_absent(github: GitHubServer, repository: Repository) -> None:
    pull = repository.open_pull("Known").merge(at=MERGED_AT)

    with pytest.raises(Absent):
        open_api(github).details(facts_of(pull, number=99))


def test_a_server_that_does_not_take_the_query_is_asked_over_rest(github: GitHubServer, repository: Repository) -> None:
    pull = repository.open_pull("Old server")
    pull.review("alice", at=MERGED_AT)
    pull.merge(at=MERGED_AT)
    github.faults.add(Fault(path=r"/graphql$", kind="server-error", status=422, times=None))

    details = open_api(github).details(facts_of(pull))

    assert [review.user.login for review in details.reviews] == ["alice"]
    assert details.cut["checks"] is Cut.HOST_LIMIT


def test_a_list_that_the_credential_may_not_see_is_told_from_an_empty_one(
    github: GitHubServer, repository: Repository
) -> None:
    repository.private = True
    pull = repository.open_pull("Private")
    pull.check("tests", "failure")
    pull.merge(at=MERGED_AT)

    details = open_api(github).details(facts_of(pull))

    assert details.checks is None
    assert details.reviews_known

"""A query that GitHub fails at each time: waited for, then the merge is read over REST; others are not held up."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime, timedelta

import pytest

from shared.code_host import open_code_host
from shared.domain.errors import HostAway, Postponed
from shared.domain.pull_request import Cut, PullRequest
from shared.settings import RepositorySettings
from shared.sources.github_api import GitHubApi
from shared.sources.github_api.failing import FAILURES, PATIENCE
from shared.store.cached_answers import StoredAnswers
from shared.store.request_budgets import StoredLimiter
from shared.store.session import Database
from tests.integration.github_api.asked import MERGED_AT, NAME, asked, facts_of, github_settings
from tests.integration.workers.inbox import Clock
from tests.servers.github import Fault, GitHubServer
from tests.servers.github.pull_requests import PullRequest as HostedPull
from tests.servers.github.repositories import Repository

QUERY = "POST /graphql"
SOON = MERGED_AT + timedelta(minutes=5)
MUCH_LATER = MERGED_AT + timedelta(days=100)
OVER_REST = dict.fromkeys(("review_threads", "checks", "linked_issues"), Cut.FAILED)


@pytest.fixture
def clock(github: GitHubServer) -> Clock:
    made = Clock(SOON)
    github.world.now = made
    return made


@pytest.fixture
def api(github: GitHubServer, repository: Repository, clock: Clock, sqlite_url: str) -> Iterator[GitHubApi]:
    """The source of ``repository`` with the real budget."""
    database = Database(sqlite_url)
    limiter, answers = StoredLimiter(database, clock), StoredAnswers(database, clock)
    host = open_code_host(github_settings(github), limiter, answers, clock)
    yield GitHubApi(host, NAME, RepositorySettings(full_name=NAME), clock)
    host.close()
    database.dispose()


def discussed(repository: Repository, title: str) -> HostedPull:
    pull = repository.open_pull(title)
    pull.review("alice", "CHANGES_REQUESTED", "Please keep the order.", at=MERGED_AT)
    pull.thread("src/engine.py", 3, [("alice", "Why?")])
    pull.check("tests", "failure")
    return pull.merge(at=MERGED_AT)


def fail(github: GitHubServer, *pulls: HostedPull, times: int | None = None) -> None:
    """Let the query about these time out."""
    numbers = "|".join(str(pull.number) for pull in pulls)
    github.faults.add(
        Fault(path="/graphql$", kind="server-error", status=502, times=times, body=rf'"number": (?:{numbers})\D')
    )


def read_at_last(clock: Clock, read: Callable[[], PullRequest], within: timedelta) -> PullRequest:
    """Ask again whenever the refusal says, as a worker does."""
    latest = clock.now + within
    while clock.now < latest:
        try:
            return read()
        except Postponed as error:
            clock.now = max(error.until, clock.now + timedelta(seconds=1))
    raise AssertionError(f"Nothing was read within {within}.")


@pytest.mark.parametrize("begin", [SOON, MUCH_LATER])
def test_a_merge_that_is_too_heavy_for_the_query_ends_over_rest(
    github: GitHubServer, repository: Repository, api: GitHubApi, clock: Clock, begin: datetime
) -> None:
    heavy, second = discussed(repository, "Much to say"), discussed(repository, "As much")
    fail(github, heavy, second)
    clock.now = begin

    for pull in (heavy, second):
        began, before = clock.now, asked(github).count(QUERY)
        details = read_at_last(clock, lambda pull=pull: api.details(facts_of(pull)), within=timedelta(minutes=30))

        assert clock.now - began >= PATIENCE
        assert asked(github).count(QUERY) - before >= FAILURES
        assert [file.filename for file in details.files or ()] == ["src/engine.py"]
        assert {review.body for review in details.reviews} >= {"Please keep the order."}
        assert (details.review_threads, details.checks) == (None, None)
        assert details.cut == OVER_REST
        assert len(details.commits) == 1
        assert [comment.body for comment in details.review_comments] == ["Why?"]


def test_others_are_never_held_up_by_two_that_are_too_heavy(
    github: GitHubServer, repository: Repository, api: GitHubApi, clock: Clock
) -> None:
    heavy = [discussed(repository, "Much to say"), discussed(repository, "As much")]
    ordinary = discussed(repository, "Ordinary")
    fail(github, *heavy)

    for _ in range(4):
        waits = []
        for pull in heavy * 3:
            with pytest.raises(HostAway) as refusal:
                api.details(facts_of(pull))
            waits.append(refusal.value.until)
        details = api.details(facts_of(ordinary))
        assert (len(details.review_threads or ()), len(details.checks or ()), details.cut) == (1, 1, {})
        clock.now += timedelta(minutes=2)


def test_many_that_are_too_heavy_all_end(
    github: GitHubServer, repository: Repository, api: GitHubApi, clock: Clock
) -> None:
    """Three and more close the host for a while, as an outage does; none of them waits for ever."""
    pulls = [discussed(repository, f"Heavy {place}") for place in range(5)]
    fail(github, *pulls)
    due = {pull.number: clock.now for pull in pulls}
    latest = clock.now + timedelta(hours=6)

    while due and clock.now < latest:
        number = min(due, key=lambda one: due[one])
        clock.now = max(clock.now, due[number])
        try:
            assert api.details(facts_of(repository.pulls[number])).cut == OVER_REST
            del due[number]
        except Postponed as error:
            due[number] = error.until

    assert not due


def test_a_query_that_was_given_up_is_not_sent_again_before_rest_has_answered(
    github: GitHubServer, repository: Repository, api: GitHubApi, clock: Clock
) -> None:
    """Its last failure, and those of two others, close the host: sent again, it would close it each time."""
    heavy, *others = (discussed(repository, f"Heavy {place}") for place in range(3))
    fail(github, heavy, *others)
    while clock.now < SOON + PATIENCE:
        with pytest.raises(HostAway) as away:
            api.details(facts_of(heavy))
        clock.now = away.value.until
    for other in others:
        with pytest.raises(HostAway):
            api.details(facts_of(other))
    with pytest.raises(Postponed, match="asked to wait") as closed:
        api.details(facts_of(heavy))
    clock.now, before = closed.value.until, asked(github).count(QUERY)

    assert api.details(facts_of(heavy)).cut == OVER_REST
    assert asked(github).count(QUERY) == before


@pytest.mark.parametrize("begin", [SOON, MUCH_LATER])
@pytest.mark.parametrize("failures", [1, 2, 4])
def test_a_short_outage_costs_no_merge_its_threads(
    github: GitHubServer, repository: Repository, api: GitHubApi, clock: Clock, failures: int, begin: datetime
) -> None:
    pull = discussed(repository, "Ordinary")
    fail(github, pull, times=failures)
    clock.now = begin

    details = read_at_last(clock, lambda: api.details(facts_of(pull)), within=timedelta(minutes=30))

    assert (len(details.review_threads or ()), len(details.checks or ()), details.cut) == (1, 1, {})
    assert asked(github).count(QUERY) == failures + 1


def test_a_success_ends_what_was_remembered(
    github: GitHubServer, repository: Repository, api: GitHubApi, clock: Clock
) -> None:
    pull = discussed(repository, "Ordinary")
    fail(github, pull, times=2)
    read_at_last(clock, lambda: api.details(facts_of(pull)), within=timedelta(minutes=30))
    clock.now += timedelta(hours=1)
    fail(github, pull)

    with pytest.raises(HostAway):
        api.details(facts_of(pull))


def test_our_own_limit_in_between_does_not_prolong_the_wait(
    github: GitHubServer, repository: Repository, api: GitHubApi, clock: Clock
) -> None:
    """The budget of GraphQL is used up after three failures; REST has one of its own."""
    pull = discussed(repository, "Heavy")
    github.faults.add(Fault(path="/graphql$", kind="server-error", times=FAILURES))
    for _ in range(FAILURES):
        with pytest.raises(HostAway) as refusal:
            api.details(facts_of(pull))
        clock.now = refusal.value.until
    github.faults.add(Fault(path="/graphql$", kind="primary-limit", reset_in=3_600))
    with pytest.raises(Postponed):
        api.details(facts_of(pull))
    clock.now = SOON + PATIENCE

    assert api.details(facts_of(pull)).cut == OVER_REST


def test_a_review_for_details_from_elsewhere_is_read_over_rest_too(
    github: GitHubServer, repository: Repository, api: GitHubApi, clock: Clock
) -> None:
    pull = discussed(repository, "Heavy")
    fail(github, pull)

    found = read_at_last(clock, lambda: api.with_review(facts_of(pull)), within=timedelta(minutes=30))

    assert found.cut == OVER_REST
    assert {review.body for review in found.reviews} >= {"Please keep the order."}


def test_where_nothing_serves_the_merge_waits(
    github: GitHubServer, repository: Repository, api: GitHubApi, clock: Clock
) -> None:
    pull = discussed(repository, "Ordinary")
    fault = github.faults.add(Fault(path="", kind="server-error", status=503, times=None))
    with pytest.raises(AssertionError, match="Nothing was read"):
        read_at_last(clock, lambda: api.details(facts_of(pull)), within=timedelta(hours=3))
    github.faults.remove(fault)

    details = read_at_last(clock, lambda: api.details(facts_of(pull)), within=timedelta(minutes=30))

    assert [file.filename for file in details.files or ()] == ["src/engine.py"]

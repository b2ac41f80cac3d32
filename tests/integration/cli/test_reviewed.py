"""A clone's merges that are told with their review: what the host does not give is waited for, or left out."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from services.cli.reviewed import RETRIES, Reviewed
from shared.code_host import open_code_host
from shared.domain.pull_request import PullRequest
from shared.settings import RepositorySettings
from shared.settings.code_host import GitHubSettings
from shared.sources.github_api import GitHubApi
from shared.sources.merge_records import dump
from shared.sources.opening import open_source
from shared.store.cached_answers import StoredAnswers
from shared.store.request_budgets import StoredLimiter
from shared.store.session import Database
from tests.integration.github_api.asked import MERGED_AT, NAME, facts_of
from tests.integration.workers.inbox import Clock
from tests.servers.github import Fault, GitHubServer, World

START, END = MERGED_AT - timedelta(days=1), MERGED_AT + timedelta(days=1)
REVIEWS = r"pulls/1/reviews$"


class House:
    """Two merges that a record tells of, asked of the stand-in without a credential; waits move the clock alone."""

    def __init__(self, github: GitHubServer, database: Database, folder: Path) -> None:
        self.github, self.clock = github, Clock(MERGED_AT + timedelta(hours=1))
        self.said: list[str] = []
        github.world.now = self.clock
        repository = github.world.add_repository(NAME)
        pulls = [repository.open_pull(title) for title in ("Keep order", "Keep the rest")]
        for pull in pulls:
            pull.review("alice", "APPROVED", at=MERGED_AT)
            pull.merge(at=MERGED_AT)
        records = folder / "merges.jsonl"
        records.write_text("".join(f"{dump(facts_of(pull))}\n" for pull in pulls), "utf-8")
        self.host = open_code_host(
            GitHubSettings(api_url=github.api_url, anonymous=True),
            StoredLimiter(database, self.clock),
            StoredAnswers(database, self.clock),
            self.clock,
        )
        self.reviewed = Reviewed(
            open_source(str(records), repository=NAME, branch=None, cache=folder),
            GitHubApi(self.host, NAME, RepositorySettings(full_name=NAME), self.clock),
            database,
            self.said.append,
            clock=self.clock,
            pause=lambda seconds: self.clock.move(timedelta(seconds=seconds)),
        )

    def told(self) -> list[PullRequest]:
        return list(self.reviewed.merged_between(START, END))


@pytest.fixture
def house(sqlite_url: str, tmp_path: Path) -> Iterator[House]:
    database = Database(sqlite_url)
    with GitHubServer(World(html_host="https://github.com")) as github:
        made = House(github, database, tmp_path)
        yield made
        made.host.close()
    database.dispose()


def known(merges: list[PullRequest]) -> dict[int, bool]:
    return {merge.number: merge.reviews_known for merge in merges}


def test_each_merge_is_told_with_its_review(house: House) -> None:
    assert known(house.told()) == {1: True, 2: True}
    assert house.said == []


def test_a_review_that_the_host_refuses_for_good_is_left_out_and_said_once(house: House) -> None:
    house.github.faults.add(Fault(path=REVIEWS, kind="not-found", status=406, times=None))

    assert known(house.told()) == {1: False, 2: True}
    (said,) = house.said
    assert said.startswith("#1 is taken in without its review. ")
    assert "too large" in said


def test_a_merge_that_the_host_does_not_show_goes_on_without_review(house: House) -> None:
    house.github.faults.add(Fault(path=REVIEWS, kind="not-found", times=None))

    assert known(house.told()) == {1: False, 2: True}
    assert house.said == []


@pytest.mark.parametrize("times", [1, len(RETRIES)])
def test_an_answer_that_is_not_the_apis_is_asked_for_again(house: House, times: int) -> None:
    house.github.faults.add(Fault(path=REVIEWS, kind="html-200", times=times))
    began = house.clock.now

    assert known(house.told()) == {1: True, 2: True}
    assert len(house.said) == times
    assert house.clock.now - began >= timedelta(seconds=sum(RETRIES[:times]))


def test_after_four_tries_the_merge_goes_on_without_review(house: House) -> None:
    house.github.faults.add(Fault(path=REVIEWS, kind="html-200", times=None))

    assert known(house.told()) == {1: False, 2: True}
    assert sum(entry.path.endswith("pulls/1/reviews") for entry in house.github.log) == 4
    assert [said for said in house.said if "without its review" in said] == house.said[-1:]


def test_an_outage_is_waited_for_however_long_it_takes(house: House) -> None:
    house.github.faults.add(Fault(path=REVIEWS, kind="server-error", times=8))

    assert known(house.told()) == {1: True, 2: True}
    assert all("Going on at" in said for said in house.said)

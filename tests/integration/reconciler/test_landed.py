"""Merge-bot repositories: what the bot closed after its push is a merge, by the webhook and by the listing alike."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

import pytest

from shared.settings import RepositorySettings
from shared.store.session import Database
from tests.integration.reconciler.house import FULL_NAME, HOST, W19, House, completeness_line, numbers
from tests.servers.github import GitHubServer
from tests.servers.github.pull_requests import PullRequest

LANDED = RepositorySettings(full_name=FULL_NAME, host=HOST, landed_labels=("Landed",))


@pytest.fixture
def bots(github: GitHubServer, database: Database) -> Iterator[House]:
    """A house whose repository is merged by a bot that labels what it has pushed."""
    made = House(github, database, LANDED)
    yield made
    made.receiver.off()


def closed(house: House, *labels: str) -> PullRequest:
    house.clock.move(timedelta(minutes=1))
    pull = house.repository.open_pull("Keep the order", labels=labels)
    pull.close()
    return pull


def test_the_webhook_takes_it_for_a_merge_when_it_is_closed_or_when_it_is_labelled(bots: House) -> None:
    bots.reconcile()
    bots.add_hook()
    at_once, later, never = closed(bots, "landed"), closed(bots), closed(bots)
    assert bots.merge_deliveries() == [at_once.number]
    bots.clock.move(timedelta(minutes=1))
    later.label("Landed")
    never.label("wontfix")
    assert bots.analyze() == ["done", "done"]
    assert bots.captured() == numbers([at_once, later])

    bots.clock.now = W19.end + timedelta(minutes=3)
    assert bots.reconciled() == "done"
    assert bots.seal() == 1
    digest = bots.digest()
    assert digest.merged_total == 2
    assert "2 of 2 merges known" in completeness_line(digest)
    assert digest.pull_request(later.number).merged_at == later.closed_at


def test_the_listing_finds_those_that_were_lost(bots: House) -> None:
    landed, dropped, merged = closed(bots, "landed"), closed(bots, "wontfix"), bots.merge()
    assert bots.reconcile() == "done"
    assert bots.merge_deliveries() == numbers([landed, merged])
    assert bots.analyze() == ["done", "done"]
    assert dropped.number not in bots.captured()

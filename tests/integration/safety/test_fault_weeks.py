"""A week in which every merge meets another fault of the model: the digest is whole, marked, and recomputes (R-60)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import timedelta

import pytest

from shared.domain.pull_request import PullRequest
from tests.builders import make_pull_request
from tests.integration.readings.test_modes import R60_MODES
from tests.integration.safety.conftest import Place
from tests.integration.safety.rendered import problems_of
from tests.integration.safety.week import LANGUAGES, Told, Week
from tests.markdown_reading import read
from tests.recompute import problems
from tests.servers.model.server import ModelServer

pytestmark = pytest.mark.xdist_group("fault-weeks")  # the weeks are made once, by one process
NUMBERS = range(701, 701 + len(R60_MODES))


def merges() -> list[PullRequest]:
    """One for each mode, named in its title."""
    return [
        make_pull_request(number, title=f"Fault {mode} of the queue", body="The queue keeps its order from now on.")
        for number, mode in zip(NUMBERS, R60_MODES, strict=True)
    ]


@pytest.fixture(scope="module")
def faulty(place: Place) -> Iterator[tuple[Week, Told]]:
    """That week, published."""
    with ModelServer() as server:
        for mode in R60_MODES:
            server.when(f"Fault {mode} of", mode)
        week = Week(*place(), merges(), server, deadline=timedelta(seconds=1))
        told = week.run()
    yield week, told
    week.database.dispose()


def test_r60_every_merge_is_told_and_every_loss_is_named(faulty: tuple[Week, Told]) -> None:
    week, told = faulty
    account = told.digest.provenance.readings
    assert account is not None
    assert sorted((*account.read, *account.unread_in_all)) == list(NUMBERS)
    assert len(account.read) >= 5
    assert len(account.unread_in_all) >= 5
    assert {number for number, one in week.analyses().items() if one.source == "model"} == set(account.read)
    assert all(one.source_why for one in week.analyses().values() if one.source == "rules")
    assert told.digest.merged_total == len(NUMBERS)
    assert told.digest.ledger.failed == ()
    assert "model-unread" in told.digest.provenance.degraded


def test_r60_no_merge_had_more_than_two_calls_and_none_is_missing_from_the_ledger(faulty: tuple[Week, Told]) -> None:
    week, _ = faulty
    assert week.server is not None
    probes = [asked for asked in week.server.asked if not asked.document.get("title")]

    assert max(week.calls_of_merges().values()) <= 2
    assert week.calls_of_merges().total() == len(week.server.asked) - len(probes)


@pytest.mark.parametrize("language", LANGUAGES)
def test_r60_the_digest_recomputes_and_lists_them_all(faulty: tuple[Week, Told], language: str) -> None:
    _, told = faulty
    (document,) = told.ending("digest.json").values()
    (markdown,) = told.ending(f"digest.{language}.md").values()

    assert problems(markdown, json.loads(document), language) == []
    assert {f"#{number}" for number in NUMBERS} <= {text for _, text in read(markdown).links}
    assert problems_of(told) == []

"""What the API tells of the reading of a merge by a language model."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from services.web.answers import READING_STATES
from shared.domain.analysis import Tag
from shared.domain.reading import Quote, Reading, RiskClaim
from shared.domain.taxonomy import Namespace, Origin, Risk
from shared.store import analyses, pull_requests, readings, repositories
from shared.store.session import Database
from tests.builders import REPOSITORY, make_analysis
from tests.integration.web.serving import BASE, NOW, WEEK, client, store_merge

LEASE = timedelta(seconds=60)


def ask(database: Database, number: int = 101) -> int:
    """Store a merge with its analysis by rules and ask for its reading."""
    store_merge(database, number)
    with database.transaction() as session:
        asked = readings.ensure(
            session, row_of(session, number), f"fingerprint-{number}", "reader-1", "1", 5, "capture", NOW
        )
    assert asked.id is not None
    return asked.id


def row_of(session: Any, number: int) -> int:
    repository = repositories.find(session, REPOSITORY.full_name)
    assert repository is not None
    stored = pull_requests.get(session, repository, number, details=False)
    assert stored is not None
    return stored.id


def state_of(database: Database, number: int = 101) -> dict[str, Any] | None:
    with client(database) as http:
        answer = http.get(f"{BASE}/pull-requests/{number}/analysis")
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] | None = answer.json()["reading_state"]
    return found


def test_a_merge_that_no_model_was_to_read_has_no_state(database: Database) -> None:
    store_merge(database, 101)
    assert state_of(database) is None


def test_a_merge_that_waits_says_until_when(database: Database) -> None:
    ask(database)
    assert state_of(database) == {
        "state": "waiting",
        "why": None,
        "next_attempt_at": NOW.isoformat().replace("+00:00", "Z"),
        "requests": 0,
        "model": "reader-1",
        "prompt_version": "1",
    }


def test_a_reading_that_came_to_nothing_says_why(database: Database) -> None:
    asked = ask(database)
    with database.transaction() as session:
        held = readings.claim(session, asked, NOW, LEASE)
        assert held is not None
        readings.finish(session, held, "rules", NOW, why="the model declined to answer")
    state = state_of(database)
    assert state is not None
    assert (state["state"], state["why"], state["next_attempt_at"]) == ("rules", "the model declined to answer", None)


def read_merge(database: Database) -> None:
    claim = RiskClaim(
        text="Two may wake.", quotes=(Quote(text="wake two", field="diff", path="a.py", line=3),), risk=Risk.CONCURRENCY
    )
    tag = Tag(namespace=Namespace.RISK, value=Risk.CONCURRENCY, rule="model", origin=Origin.MODEL)
    told = Reading(model="reader-1", prompt_version="1", risks=(claim,))
    analysis = make_analysis(101, fingerprint="read", reading=told, model="reader-1", source="model", tags=(tag,))
    with database.transaction() as session:
        analyses.save(session, row_of(session, 101), analysis, NOW)


def test_what_was_read_comes_with_its_quotations(database: Database) -> None:
    ask(database)
    read_merge(database)
    with client(database) as http:
        analysis = http.get(f"{BASE}/pull-requests/101/analysis").json()["analysis"]
    assert analysis["source"] == "model"
    (risk,) = analysis["reading"]["risks"]
    assert risk["quotes"] == [{"text": "wake two", "field": "diff", "path": "a.py", "line": 3}]


@pytest.mark.parametrize("query", ["?tag=risk:concurrency", "?risk=concurrency"])
def test_a_week_is_filtered_by_the_tags_of_a_model_as_well(database: Database, query: str) -> None:
    ask(database)
    read_merge(database)
    store_merge(database, 102)
    with client(database) as http:
        items = http.get(f"{BASE}/weeks/{WEEK}/pull-requests{query}").json()["items"]
    assert [(item["pull_request"]["number"], item["source"]) for item in items] == [(101, "model")]


def test_every_status_of_a_stored_reading_has_a_name() -> None:
    assert set(READING_STATES) == set(readings.STATUSES)

from __future__ import annotations

import itertools
import random
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from services.analyzer.pipeline import AnalyzerRuntime, analyze_delivery
from services.analyzer.tasks import make_runtime
from shared.domain.analysis import Analysis
from shared.domain.period import parse_week
from shared.domain.pull_request import PullRequest
from shared.store import analyses, deliveries, pull_requests, repositories
from shared.store.session import Database
from tests.integration.webhook.posting import REPOSITORY, SECRET, Bell, client, merged, post, settings, written

WEEK = parse_week("2026-W19")
LABEL = {"id": 7, "name": "needs-backport", "color": "ededed", "default": False}


def analyzer(database: Database) -> AnalyzerRuntime:
    return make_runtime(settings(SECRET), database, Bell().ring)


def work_off(runtime: AnalyzerRuntime) -> None:
    """Analyse whatever is due, as the sweeper would have it done."""
    with runtime.database.reading() as session:
        due = deliveries.due(session, runtime.clock(), 1000)
    for delivery in due:
        analyze_delivery(runtime, delivery)


def stored(database: Database) -> list[tuple[PullRequest, Analysis | None]]:
    with database.reading() as session:
        row = repositories.find(session, REPOSITORY)
        assert row is not None
        return analyses.list_of_week(session, row, WEEK.start, WEEK.end, limit=1000)


def test_r10_each_of_200_deliveries_sent_five_times_at_once_is_one_row(database: Database) -> None:
    chance = random.Random(20260506)
    bell = Bell()
    shuffled = [chance.sample(range(1, 201), 200) for _ in range(5)]
    with client(database, bell=bell) as http, ThreadPoolExecutor(5) as senders:

        def send(numbers: Sequence[int]) -> list[tuple[int, str]]:
            answers = [post(http, merged(number), guid=f"guid-{number}") for number in numbers]
            return [(answer.status_code, answer.json()["outcome"]) for answer in answers]

        answers = [answer for sent in senders.map(send, shuffled) for answer in sent]

    assert {status for status, _ in answers} == {202}
    assert [outcome for _, outcome in answers].count("stored") == 200
    assert [outcome for _, outcome in answers].count("duplicate") == 800
    assert written(database) == (200, 0, 0)
    assert len(set(bell.rung)) == len(bell.rung) == 200


def test_c10_r10_one_merge_through_two_hooks_and_an_app_is_one_change_and_one_analysis(database: Database) -> None:
    hooks: list[dict[str, Any]] = [{"X-GitHub-Hook-ID": "1"}, {"X-GitHub-Hook-ID": "2"}, {"X-GitHub-Hook-ID": None}]
    without_installation = {key: value for key, value in merged().items() if key != "installation"}
    with client(database) as http, ThreadPoolExecutor(6) as senders:
        posts = [senders.submit(post, http, without_installation, changed=hook) for hook in (*hooks, *hooks)]
        posts += [senders.submit(post, http, merged()), senders.submit(post, http, merged(), guid="another")]
        assert {answer.result().status_code for answer in posts} == {202}
    with database.reading() as session:
        sources = sorted((view.source, view.guid) for view in deliveries.listing(session))
    assert sources == [
        ("hook:1", "guid-1"),
        ("hook:2", "guid-1"),
        ("hook:unknown", "guid-1"),
        ("installation:1", "another"),
        ("installation:1", "guid-1"),
    ]

    work_off(analyzer(database))
    (change,) = stored(database)
    assert change[1] is not None
    with database.reading() as session:
        assert deliveries.counts(session)["done"] == 5


def test_c10_a_redelivery_of_what_failed_is_work_again(database: Database) -> None:
    bell, runtime = Bell(), analyzer(database)
    with client(database, bell=bell) as http:
        row = post(http, merged()).json()["delivery"]
        with database.transaction() as session:
            claim = deliveries.claim(session, row, runtime.clock(), runtime.settings.worker.lease)
            assert claim is not None
            deliveries.bury(session, claim, "no luck", runtime.clock())
        again = post(http, merged()).json()

    assert again == {"outcome": "stored", "delivery": row}
    assert len(bell.rung) == 2


def story(number: int) -> dict[str, dict[str, Any]]:
    """What GitHub sends of one merge: closed, a new title an hour later, a label two hours later, closed once more."""
    edited = {"updated_at": "2026-05-06T13:00:00Z", "title": "fix: the right title"}
    return {
        "closed": merged(number, pull={"title": "fix: teh title"}),
        "edited": merged(number, action="edited", pull=edited),
        "labeled": merged(
            number,
            action="labeled",
            pull=edited | {"updated_at": "2026-05-06T14:00:00Z", "labels": [LABEL]},
            label=LABEL,
        ),
        "redelivered": merged(number, pull={"title": "fix: teh title"}),
    }


@pytest.mark.parametrize("at_once", [True, False], ids=["worked on at once", "worked on at the end"])
def test_r08_every_order_of_events_ends_in_the_same_row(at_once: bool, database: Database) -> None:
    runtime = analyzer(database)
    orders = list(itertools.permutations(["closed", "edited", "labeled", "redelivered"]))
    with client(database) as http:
        for number, order in enumerate(orders, start=1):
            for name in order:
                guid = f"{number}-{'closed' if name == 'redelivered' else name}"
                assert post(http, story(number)[name], guid=guid).status_code == 202
                if at_once:
                    work_off(runtime)
    work_off(runtime)

    found = stored(database)
    assert len(found) == len(orders) == 24
    assert {(facts.title, facts.labels) for facts, _ in found} == {("fix: the right title", ("needs-backport",))}
    first_facts, first_analysis = found[0]
    for facts, analysis in found:
        same = {"number": 0, "merge_commit_sha": None}
        assert facts.model_copy(update=same) == first_facts.model_copy(update=same)
        assert analysis is not None
        assert first_analysis is not None
        same_analysis = {"number": 0, "fingerprint": ""}
        assert analysis.model_copy(update=same_analysis) == first_analysis.model_copy(update=same_analysis)
    with database.reading() as session:
        row = repositories.find(session, REPOSITORY)
        assert row is not None
        assert all(one.captured for one in pull_requests.of_numbers(session, row, range(1, 25)))

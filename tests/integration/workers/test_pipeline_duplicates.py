"""Duplicates, any order, several at once: the same final rows, on both engines."""

from __future__ import annotations

import threading
from itertools import permutations

import pytest

from services.analyzer import pipeline
from services.analyzer.pipeline import analyze_delivery
from shared.store import deliveries, repositories
from tests.builders import make_pull_request
from tests.integration.workers.inbox import Source, analyses_stored, make_runtime, put, stored, work
from tests.merge_payloads import FULL_NAME, merge_payload


def test_c09_an_abandoned_pull_request_is_no_merge_and_the_later_real_merge_is_one_change(database):
    runtime = make_runtime(database)

    assert work(runtime, merge_payload(101, merged=False)) == "ignored"
    assert stored(database) is None
    assert work(runtime, merge_payload(101)) == "done"
    assert analyses_stored(database) == 1


def test_c10_the_same_merge_through_two_hooks_at_once_is_one_change_with_one_analysis(database):
    runtime = make_runtime(database, Source([make_pull_request(101)]))
    same_guid = [put(database, merge_payload(101), guid="g-1") for _ in range(2)]
    other_hook = put(database, merge_payload(101), guid="g-1", source="hook:2")
    assert same_guid[0].id == same_guid[1].id
    outcomes: list[str] = []

    def run(delivery: int) -> None:
        outcomes.append(analyze_delivery(runtime, delivery))

    threads = [threading.Thread(target=run, args=(found.id,)) for found in (*same_guid, other_hook)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)

    assert sorted(outcomes) == ["done", "done", "not-due"]
    assert analyses_stored(database) == 1
    with database.reading() as session:
        assert len(repositories.all_repositories(session)) == 1


def test_d05_a_number_used_again_after_an_import_into_a_fresh_repository_is_another_change(database):
    runtime = make_runtime(database)
    work(runtime, merge_payload(101, title="The old one", repository_id=5_000_000_001))
    work(runtime, merge_payload(101, title="The new one", repository_id=5_000_000_002))

    assert stored(database)[0].title == "The new one"
    assert analyses_stored(database) == 2


def events() -> tuple[bytes, ...]:
    """A merge, its redelivery, a new title, and then a label on top of that."""
    closed = merge_payload(101)
    edited = merge_payload(101, action="edited", title="A better title", updated_at="2026-05-06T13:00:00Z")
    labeled = merge_payload(
        101, action="labeled", title="A better title", labels=[{"name": "bug"}], updated_at="2026-05-06T14:00:00Z"
    )
    return closed, edited, labeled, closed


@pytest.mark.parametrize("order", list(permutations(range(4))), ids=lambda order: "".join(map(str, order)))
def test_r08_every_order_of_events_gives_the_same_final_row(database, order):
    runtime = make_runtime(database, Source([make_pull_request(101)]))
    told = events()

    for place in order:
        work(runtime, told[place])

    pull_request, captured, analysis = stored(database)
    assert captured
    assert pull_request.title == "A better title"
    assert pull_request.labels == ("bug",)
    assert len(pull_request.files) == 1
    fresh = make_runtime(database).sources.context(FULL_NAME)
    assert analysis.fingerprint == pipeline.examine(pull_request, fresh).fingerprint


def test_r08_facts_that_change_during_the_examination_are_examined_again(database, monkeypatch):
    runtime = make_runtime(database)
    examined: list[str] = []
    genuine = pipeline.examine

    def examine_slowly(pull_request, context, texts):
        examined.append(pull_request.title)
        if len(examined) == 1:
            monkeypatch.setattr(pipeline, "examine", genuine)
            work(runtime, merge_payload(101, action="edited", title="Newer", updated_at="2026-05-06T13:00:00Z"))
            monkeypatch.setattr(pipeline, "examine", examine_slowly)
        return genuine(pull_request, context, texts)

    monkeypatch.setattr(pipeline, "examine", examine_slowly)
    assert work(runtime, merge_payload(101, title="Older")) == "done"

    assert examined == ["Older", "Newer"]
    assert stored(database)[0].title == "Newer"


def test_c21_an_edit_before_the_seal_is_a_new_analysis_and_keeps_the_files(database):
    source = Source([make_pull_request(101)])
    runtime = make_runtime(database, source)
    work(runtime, merge_payload(101))
    work(runtime, merge_payload(101, action="edited", title="fix: keep order", updated_at="2026-05-06T13:00:00Z"))

    pull_request, _, analysis = stored(database)
    assert analysis.coverage.files_seen == len(pull_request.files) == 1
    assert analyses_stored(database) == 2
    assert source.asked == [101]


def test_r10_five_parallel_clients_and_fresh_guids_make_one_change_each(database):
    runtime = make_runtime(database)
    numbers = range(1, 21)
    ids = {put(database, merge_payload(number), guid=f"first-{number}").id for number in numbers for _ in range(5)}
    ids |= {put(database, merge_payload(number), guid=f"second-{number}").id for number in numbers}
    todo = sorted(ids) * 2

    def run(place: int) -> None:
        for delivery in todo[place::5]:
            analyze_delivery(runtime, delivery)

    threads = [threading.Thread(target=run, args=(place,)) for place in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)

    assert analyses_stored(database) == len(numbers)
    with database.reading() as session:
        assert deliveries.counts(session)["done"] == 2 * len(numbers)

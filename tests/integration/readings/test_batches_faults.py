"""A Batch API that refuses, fails, loses or forgets: each reading is asked at most twice, and none is lost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from datetime import timedelta

import pytest

from services.analyzer.readings.batching import LONGEST, LONGEST_UNSEEN
from shared.store.session import Database
from tests.integration.readings.batch_house import BatchHouse
from tests.servers.model.modes import CONTEXT
from tests.servers.model.server import ModelServer

MINUTE = timedelta(minutes=1)


@pytest.fixture
def house(sqlite_url: str, server: ModelServer) -> Iterator[BatchHouse]:
    """Analyzer and reader whose backfills are read in batches; the engines differ in the store, and are tested there."""
    database = Database(sqlite_url)
    yield BatchHouse(database, server)
    database.dispose()


@pytest.mark.parametrize(
    ("outcome", "first"), [("failed", "unsent"), ("expired", "unsettled"), ("cancelled", "unsettled")]
)
def test_a_batch_that_came_to_nothing_gives_all_its_readings_back(
    house: BatchHouse, server: ModelServer, outcome: str, first: str
) -> None:
    server.batches.outcome = outcome
    house.backfill(1, 2, 3)
    house.until_read()

    assert house.counts() == {"done": 3}
    assert Counter(house.merge_calls) == {("batch", first): 3, ("read", "answered"): 3}
    assert max(house.calls_of_merges().values()) <= 2


def test_lines_without_an_answer_wait_for_a_single_call(house: BatchHouse, server: ModelServer) -> None:
    house.backfill(1, 2, 3)
    house.tick()
    server.batches.lost = {"call-2"}
    house.until_read()

    assert house.counts() == {"done": 3}
    assert Counter(house.merge_calls) == {("batch", "answered"): 2, ("batch", "refused"): 1, ("read", "answered"): 1}
    assert house.asked_alone == 1


@pytest.mark.parametrize("mode", ["missing-keys", "prose", "cut", "refusal", "error-500", "schema-400"])
def test_no_answer_of_a_batch_makes_a_third_request(house: BatchHouse, server: ModelServer, mode: str) -> None:
    server.mode = mode
    house.backfill(1, 2)
    for _ in range(24):
        house.tick(5 * MINUTE)

    calls = house.calls_of_merges()
    # A line whose form was refused reached no model, and is on no bill.
    in_batches = 0 if mode == "schema-400" else len(server.batches.asked)
    assert max(calls.values()) <= 2
    assert calls.total() >= house.asked_alone + in_batches
    assert sum(house.counts().values()) == 2


@pytest.mark.parametrize("status", [400, 404, 405])
@pytest.mark.parametrize("step", ["upload", "begin"])
def test_a_server_without_a_batch_api_is_remembered_for_a_day_and_its_readings_go_on_at_once(
    house: BatchHouse, server: ModelServer, step: str, status: int
) -> None:
    server.batches.refuses = {step: status}
    house.backfill(1, 2)

    assert house.tick() == ["given-up"]
    assert house.tick() == ["done"] * 2
    assert Counter(house.merge_calls) == {("batch", "unsent"): 2, ("read", "answered"): 2}
    house.store([3], asked_by="backfill")
    assert house.tick() == ["done"], "nobody waits for company any more"
    server.batches.refuses = {}
    house.clock.move(timedelta(days=1))
    house.backfill(4)
    assert house.tick() == ["submitted"]


@pytest.mark.parametrize("step", ["upload", "begin", "look"])
def test_a_server_that_does_not_serve_is_asked_again_and_nothing_is_sent_twice(
    house: BatchHouse, server: ModelServer, step: str
) -> None:
    server.batches.refuses = {step: 503}
    house.backfill(1, 2)
    for _ in range(6):
        house.tick(5 * MINUTE)
    assert house.counts() == {"batched": 2}
    server.batches.refuses = {}
    house.until_read()

    assert house.counts() == {"done": 2}
    assert len(server.batches.asked) == 2
    assert house.asked_alone == 0
    assert set(house.calls_of_merges().values()) == {1}


def test_a_batch_that_cannot_be_looked_at_for_a_week_is_given_up_and_its_readings_go_on(
    house: BatchHouse, server: ModelServer
) -> None:
    house.backfill(1, 2)
    assert house.tick() == ["submitted"]
    server.batches.refuses = {"look": 503}
    house.clock.move(LONGEST + MINUTE)
    assert house.tick() == ["postponed"], "an answer may still be there"
    house.clock.move(LONGEST_UNSEEN)

    assert house.tick() == ["given-up"]
    assert house.tick() == ["done"] * 2
    assert Counter(house.merge_calls) == {("batch", "unsettled"): 2, ("read", "answered"): 2}


def test_a_begun_batch_whose_answer_was_lost_is_found_and_not_begun_again(
    house: BatchHouse, server: ModelServer
) -> None:
    server.batches.drops = 1
    house.backfill(1, 2)

    assert house.tick() == ["postponed"]
    house.until_read()
    assert len(server.batches.batches) == 1
    assert house.merge_calls == [("batch", "answered")] * 2
    assert house.counts() == {"done": 2}


@pytest.mark.parametrize("fault", ["list", "names"])
def test_where_the_server_cannot_tell_a_lost_batch_is_never_sent_again(
    house: BatchHouse, server: ModelServer, fault: str
) -> None:
    server.batches.drops = 1
    server.batches.keeps_names = fault != "names"
    if fault == "list":
        server.batches.refuses = {"list": 404}
    # A server that tells no names tells times; the scripted one's are those of its own clock.
    house.clock.move(timedelta(seconds=1_800_000_000 - house.clock().timestamp()))
    house.backfill(1, 2)
    house.until_read()

    assert len(server.batches.batches) == 1
    assert Counter(house.merge_calls) == {("batch", "unsettled"): 2, ("read", "answered"): 2}
    assert house.counts() == {"done": 2}


def test_a_batch_without_an_end_is_given_up_after_two_days(house: BatchHouse, server: ModelServer) -> None:
    server.batches.polls = 100_000
    house.backfill(1)
    house.tick()
    house.tick(LONGEST + MINUTE)
    house.until_read()

    assert house.batch_counts() == {"failed": 1}
    assert house.counts() == {"done": 1}
    assert house.merge_calls == [("batch", "unsettled"), ("read", "answered")]


def test_answers_that_are_there_are_fetched_however_long_the_service_was_off(
    house: BatchHouse, server: ModelServer
) -> None:
    house.backfill(1, 2)
    assert house.tick() == ["submitted"]
    house.tick(timedelta(days=3))
    house.until_read()

    assert house.batch_counts() == {"done": 1}
    assert house.counts() == {"done": 2}
    assert house.merge_calls == [("batch", "answered")] * 2
    assert house.asked_alone == 0


def test_a_batch_that_could_not_be_begun_is_given_up_after_two_days(house: BatchHouse, server: ModelServer) -> None:
    server.batches.refuses = {"upload": 503}
    house.backfill(1)
    house.tick()
    house.tick(LONGEST + MINUTE)
    house.until_read()

    assert house.batch_counts() == {"failed": 1}
    assert house.counts() == {"done": 1}


def test_a_model_that_never_served_is_asked_alone_before_it_is_asked_in_batches(
    database: Database, server: ModelServer
) -> None:
    house = BatchHouse(database, server, new=True)
    server.mode = "schema-400"
    house.backfill(1)

    assert house.tick() == ["done"]
    house.backfill(2, 3)
    house.until_read()
    assert Counter(house.calls_of_merges().values()) == {2: 1, 1: 2}
    assert house.merge_calls == [("read", "refused"), ("read", "answered"), *[("batch", "answered")] * 2]


@pytest.mark.parametrize(
    ("mode", "lesson"),
    [
        ("schema-400", {"mode": "json_object"}),
        ("too-long", {"context_tokens": CONTEXT}),
        ("max-tokens-400", {"output_parameter": "max_completion_tokens"}),
    ],
)
def test_a_batch_whose_form_is_refused_uses_up_no_call_and_teaches_what_it_can(
    house: BatchHouse, server: ModelServer, mode: str, lesson: dict[str, object]
) -> None:
    server.mode = mode
    house.backfill(1, 2, 3)
    house.tick()
    assert house.tick(MINUTE) == ["done"]

    assert house.calls() == [("batch", "unsent")] * 3
    assert set(house.calls_of_merges()) == set()
    assert house.reader.memory.learned("scripted").model_dump(exclude_none=True) == lesson
    server.mode = "ok"
    house.until_read()
    assert house.counts() == {"done": 3}
    assert set(house.calls_of_merges().values()) == {1}


def test_a_batch_of_a_server_that_is_not_asked_any_more_gives_its_readings_back(
    database: Database, server: ModelServer
) -> None:
    with ModelServer() as other:
        before = BatchHouse(database, other)
        before.backfill(1)
        assert before.tick() == ["submitted"]
    house = BatchHouse(database, server)
    house.clock.now = before.clock.now
    house.until_read()

    assert house.counts() == {"done": 1}
    assert house.asked_alone == 1


def test_a_server_that_is_away_fills_no_ledger(house: BatchHouse, server: ModelServer) -> None:
    server.stop()
    house.backfill(1, 2)
    for _ in range(30):
        house.tick(5 * MINUTE)

    assert house.merge_calls == [("batch", "unsent")] * 2
    assert house.counts() == {"batched": 2}


def test_a_server_that_takes_no_files_for_a_day_is_tried_less_and_less_often(
    house: BatchHouse, server: ModelServer
) -> None:
    server.batches.refuses = {"upload": 503}
    house.backfill(1)
    for _ in range(24 * 12):
        house.tick(5 * MINUTE)

    assert len(house.merge_calls) < 40
    assert {status for _, status in house.merge_calls} == {"unsent"}

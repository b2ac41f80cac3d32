"""Readings of a backfill go through the Batch API: each asked at most twice, none lost, however its facts and budgets stand."""

from __future__ import annotations

import itertools
from collections import Counter
from datetime import timedelta

import pytest

from services.analyzer.pipeline import analyze_delivery
from services.analyzer.reader import unattended
from services.analyzer.readings import batching_gather
from shared.settings.language_model import PriceSettings
from shared.store import backfills, model_usage, readings
from shared.store.session import Database
from tests.integration.readings.batch_house import BatchHouse
from tests.integration.workers.inbox import put
from tests.merge_payloads import merge_payload
from tests.servers.model.server import ModelServer

MINUTE = timedelta(minutes=1)
PRICES = {"scripted": PriceSettings(input=2.0, output=8.0, batch=0.5)}


@pytest.fixture
def house(sqlite_database: Database, server: ModelServer) -> BatchHouse:
    """Analyzer and reader whose backfills are read in batches; the engines differ in the store, and are tested there."""
    return BatchHouse(sqlite_database, server)


def test_a_backfill_is_read_with_one_batch_and_no_single_call(house: BatchHouse, server: ModelServer) -> None:
    house.backfill(1, 2, 3)

    assert house.tick() == ["submitted"]
    assert house.counts() == {"batched": 3}
    assert house.tick(MINUTE) == ["done"]
    assert house.tick() == ["done"] * 3
    assert server.asked == []
    assert house.calls() == [("batch", "answered")] * 3
    for number in (1, 2, 3):
        read = house.analysis(number)
        assert read.source == "model"
        assert read.reading is not None
        assert read.reading.claims
        assert read.reading.usage.requests == 1


def test_merges_of_today_are_read_at_once_and_one_by_one(house: BatchHouse, server: ModelServer) -> None:
    house.store([1], asked_by="capture")
    house.backfill(2)

    assert house.tick() == ["done", "submitted"]
    assert house.counts() == {"done": 1, "batched": 1}
    assert len(server.asked) == 1


def test_what_a_delivery_of_a_backfill_brought_is_not_rung_for(house: BatchHouse) -> None:
    source = f"{backfills.SOURCE}1"
    delivery = put(house.database, merge_payload(1), source=source, now=house.clock()).id

    assert analyze_delivery(house.analyzer, delivery) == "done"
    assert house.view(1).asked_by == "backfill"
    assert house.bell.rung == []
    assert house.tick(5 * MINUTE) == ["submitted"]


def test_nobody_waits_for_company_longer_than_some_minutes_and_a_full_batch_waits_for_none(
    house: BatchHouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(batching_gather, "LARGEST", 2)
    house.store([1], asked_by="backfill")
    assert house.tick(MINUTE) == []
    house.store([2, 3], asked_by="backfill")

    assert house.tick() == ["submitted"]
    assert house.counts() == {"batched": 2, "new": 1}
    assert house.tick(5 * MINUTE).count("submitted") == 1


def test_a_batch_is_looked_at_less_and_less_often(house: BatchHouse, server: ModelServer) -> None:
    server.batches.polls = 1000
    house.backfill(1)
    house.tick()
    looks = [minute for minute in range(1, 180) if "working" in house.tick(MINUTE)]

    gaps = [later - earlier for earlier, later in itertools.pairwise(looks)]
    assert looks[0] == 1
    assert gaps[0] <= 2
    assert gaps == sorted(gaps)
    assert gaps[-1] == 15


def test_a_batch_costs_what_the_price_of_batches_says(database: Database, server: ModelServer) -> None:
    house = BatchHouse(database, server, prices=PRICES)
    house.backfill(1, 2)
    house.until_read()

    given, taken = server.batches.counted
    with database.reading() as session:
        spent = model_usage.spent(session, house.clock() - timedelta(days=1), house.clock() + MINUTE)
    assert spent.tokens == given + taken
    assert spent.cost == pytest.approx((given * 2.0 + taken * 8.0) / 1_000_000 / 2)


def test_new_facts_take_a_merge_out_of_its_batch_and_its_answer_changes_nothing(
    house: BatchHouse, server: ModelServer
) -> None:
    house.backfill(1, 2)
    house.tick()
    house.capture(1, title="Keep the queue sorted")
    house.until_read()

    assert house.counts() == {"superseded": 1, "done": 2}
    assert house.analysis(1).summary == "Keep the queue sorted"
    assert Counter(house.calls()) == {("batch", "answered"): 2, ("read", "answered"): 1}
    assert len(server.asked) == 1


def test_what_waits_for_another_prompt_leaves_the_batch_and_comes_back_with_that_of_today(
    house: BatchHouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("services.analyzer.prompts.wording.PROMPT_VERSION", "of-yesterday")
    house.backfill(1)
    monkeypatch.undo()
    house.until_read()

    assert house.counts() == {"superseded": 1, "done": 1}
    assert house.calls() == [("batch", "answered")]


def test_a_batch_leaves_half_of_the_day_to_merges_of_today(database: Database, server: ModelServer) -> None:
    house = BatchHouse(database, server, day_tokens=30_000)
    house.backfill(*range(1, 11))
    server.batches.polls = 1000
    for _ in range(6):
        house.tick(5 * MINUTE)

    with database.reading() as session:
        spent = model_usage.spent(session, house.clock() - timedelta(days=1), house.clock() + MINUTE)
    assert 0 < spent.tokens <= 15_000
    assert house.counts()["new"] > 0
    house.store([11])
    assert "done" in house.tick()
    assert house.view(11).status == "done"


def test_a_budget_that_is_used_up_makes_readings_wait_for_the_next_day_and_loses_none(
    sqlite_database: Database, server: ModelServer
) -> None:
    house = BatchHouse(sqlite_database, server, day_tokens=8_000)
    house.backfill(1, 2, 3)
    house.until_read(every=timedelta(minutes=30))

    assert house.counts() == {"done": 3}
    assert len(server.batches.asked) == 3
    assert house.calls_of_merges().total() == 3


def test_a_merge_that_came_back_to_its_old_facts_is_not_forgotten(house: BatchHouse, server: ModelServer) -> None:
    """Its first call lies in a batch that is still worked on: it is read by itself, with the call that is left."""
    server.batches.polls = 1000
    house.store([1], asked_by="backfill")
    house.clock.move(5 * MINUTE)
    house.tick()
    batched = house.analysis(1)
    house.capture(1, title="Keep the queue sorted")
    house.work_off()
    newer = house.view(1).id
    with house.database.transaction() as session:
        again = readings.ensure(
            session, 1, batched.fingerprint, "scripted", house.view(1).prompt_version, 10, "backfill", house.clock()
        )
    assert again.made
    assert again.id != newer
    with house.database.reading() as session:
        assert readings.due(session, house.clock(), 9, for_batches=("scripted",)) == [again.id]


def test_r21_what_waits_for_company_is_not_taken_for_a_reader_that_is_deaf(
    house: BatchHouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Database, "now", lambda _database: house.clock())
    house.store([1], asked_by="backfill")
    house.clock.move(4 * MINUTE)
    ask = unattended(house.settings, house.database)

    assert ask() is None
    house.store([2])
    house.clock.move(2 * MINUTE)
    assert ask() == 2 * MINUTE

"""What is known of a model, and the breaker, on both engines: a timeline with a clock, shared by all processes (R-61)."""

from __future__ import annotations

import os
import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta

import pytest
from sqlalchemy import delete, update

from shared.domain.errors import Postponed
from shared.domain.protocols import Learned
from shared.llm.learning import Lessons
from shared.settings import ModelSettings
from shared.store import model_states
from shared.store.model_states import StoredModelMemory
from shared.store.session import Database
from shared.store.tables import ModelStateRow
from tests.integration.store.model_rows import MODEL, NOW, SERVER, Clock

MINUTE = timedelta(minutes=1)


class _Overtaken(StoredModelMemory):
    """Another process learns something between whatever this one reads and what it writes."""

    def learn(self, model: str, learned: Learned) -> None:
        super().learn(model, Learned(mode="text"))
        super().learn(model, learned)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def memory(database: Database, clock: Clock) -> StoredModelMemory:
    return StoredModelMemory(database, clock, SERVER)


def refused_until(memory: StoredModelMemory) -> datetime:
    with pytest.raises(Postponed) as refusal:
        memory.admit(MODEL)
    return refusal.value.until


def fail(memory: StoredModelMemory, times: int) -> list[datetime | None]:
    return [memory.failed(MODEL, "it answered 500") for _ in range(times)]


def state(database: Database) -> ModelStateRow:
    with database.reading() as session:
        row = model_states.state_of(session, SERVER, MODEL)
    assert row is not None
    return row


def test_a_model_that_nothing_is_known_of_may_be_asked(memory: StoredModelMemory) -> None:
    assert memory.admit(MODEL) == "ask"
    assert memory.learned(MODEL) == Learned()


def test_five_failures_in_a_row_open_the_breaker(memory: StoredModelMemory) -> None:
    assert fail(memory, 4) == [None] * 4
    memory.served(MODEL)
    assert fail(memory, 4) == [None] * 4
    assert memory.admit(MODEL) == "ask"
    assert fail(memory, 1) == [NOW + MINUTE]
    with pytest.raises(
        Postponed, match=r"reader-small does not serve: it answered 500\. It is tried again at 2026-05-06"
    ):
        memory.admit(MODEL)


def test_each_failed_probe_doubles_the_rest_up_to_a_quarter_of_an_hour(
    memory: StoredModelMemory, clock: Clock, database: Database
) -> None:
    fail(memory, 5)
    rests = []
    for _ in range(7):
        until = refused_until(memory)
        rests.append((until - clock.now) / MINUTE)
        clock.now = until - timedelta(seconds=1)
        assert refused_until(memory) == until
        clock.now = until
        assert memory.admit(MODEL) == "probe"
        fail(memory, 1)
    assert rests == [1, 2, 4, 8, 15, 15, 15]
    assert state(database).failing_since == NOW
    clock.now = refused_until(memory)
    assert memory.admit(MODEL) == "probe"
    memory.served(MODEL)
    assert memory.admit(MODEL) == "ask"
    assert fail(memory, 5)[-1] == clock.now + MINUTE
    row = state(database)
    assert (row.failing_since, row.last_answer_at, row.openings) == (clock.now, clock.now, 1)


def test_failures_that_were_under_way_when_it_opened_make_no_rest_longer(memory: StoredModelMemory) -> None:
    assert fail(memory, 9)[4:] == [NOW + MINUTE] * 5


def test_one_of_many_probes_and_another_when_it_is_lost(memory: StoredModelMemory, clock: Clock) -> None:
    fail(memory, 5)
    clock.forward(minutes=1)
    start = threading.Barrier(8)

    def admitted(_number: int) -> str:
        start.wait()
        try:
            return memory.admit(MODEL)
        except Postponed as refusal:
            return f"wait {refusal.until - clock.now}"

    with ThreadPoolExecutor(8) as pool:
        assert sorted(pool.map(admitted, range(8))) == ["probe"] + ["wait 0:00:05"] * 7
    clock.forward(seconds=240)
    assert memory.admit(MODEL) == "probe"


def test_what_the_server_asks_for_closes_it_at_once_and_is_probed_after(
    memory: StoredModelMemory, clock: Clock
) -> None:
    told = NOW + timedelta(seconds=20)
    assert memory.failed(MODEL, "too many requests", told) == told
    assert refused_until(memory) == told
    memory.served(MODEL)
    assert refused_until(memory) == told
    clock.now = told
    assert memory.admit(MODEL) == "probe"
    memory.served(MODEL)
    assert memory.admit(MODEL) == "ask"


def test_no_server_closes_it_for_longer_than_a_day_and_none_in_the_past(memory: StoredModelMemory) -> None:
    assert memory.failed(MODEL, "wait", NOW - MINUTE) is None
    assert memory.failed(MODEL, "wait", NOW + timedelta(days=400)) == NOW + timedelta(hours=24)


def test_the_longer_of_both_waits_counts(memory: StoredModelMemory) -> None:
    fail(memory, 4)
    assert memory.failed(MODEL, "wait", NOW + timedelta(hours=2)) == NOW + timedelta(hours=2)
    assert memory.failed(MODEL, "wait", NOW + timedelta(hours=1)) == NOW + timedelta(hours=2)


def test_an_answer_closes_a_breaker_that_is_open(memory: StoredModelMemory) -> None:
    fail(memory, 5)
    memory.served(MODEL)
    assert memory.admit(MODEL) == "ask"
    assert fail(memory, 4) == [None] * 4


def test_models_and_servers_fail_apart(memory: StoredModelMemory, database: Database, clock: Clock) -> None:
    fail(memory, 5)
    assert memory.admit("another") == "ask"
    assert StoredModelMemory(database, clock, "https://other.example/v1").admit(MODEL) == "ask"


def test_what_is_learned_is_added_to_what_was_known(
    memory: StoredModelMemory, database: Database, clock: Clock
) -> None:
    memory.learn(MODEL, Learned(mode="json_object", context_tokens=8_192))
    memory.learn(MODEL, Learned(mode="text", temperature=False))
    assert StoredModelMemory(database, clock, SERVER).learned(MODEL) == Learned(
        mode="text", context_tokens=8_192, temperature=False
    )
    memory.served(MODEL)
    assert memory.learned(MODEL).context_tokens == 8_192


def test_how_much_it_takes_is_forgotten_after_a_day(memory: StoredModelMemory, clock: Clock) -> None:
    memory.learn(MODEL, Learned(mode="text", context_tokens=2_048))
    clock.forward(hours=23)
    memory.learn(MODEL, Learned(temperature=False))
    assert memory.learned(MODEL).context_tokens == 2_048
    clock.forward(hours=1)
    assert memory.learned(MODEL) == Learned(mode="text", temperature=False)
    memory.learn(MODEL, Learned(output_parameter="max_tokens"))
    assert memory.learned(MODEL).context_tokens is None
    memory.learn(MODEL, Learned(context_tokens=16_384))
    assert memory.learned(MODEL).context_tokens == 16_384


def test_how_much_it_takes_is_forgotten_when_it_serves_after_a_rest(memory: StoredModelMemory, clock: Clock) -> None:
    memory.learn(MODEL, Learned(mode="text", context_tokens=2_048))
    fail(memory, 5)
    clock.forward(minutes=1)
    assert memory.admit(MODEL) == "probe"
    assert memory.learned(MODEL).context_tokens == 2_048
    memory.served(MODEL)
    assert memory.learned(MODEL) == Learned(mode="text")


@pytest.mark.parametrize("since", ["null", "7", '"yesterday"', '"2026-05-06T08:00:00"'])
def test_how_much_it_takes_is_not_known_without_a_time(
    memory: StoredModelMemory, database: Database, since: str
) -> None:
    memory.learn(MODEL, Learned(context_tokens=2_048))
    with database.transaction() as session:
        kept = f'{{"mode": "text", "context_tokens": 2048, "context_at": {since}}}'
        session.execute(update(ModelStateRow).values(learned=kept))
    assert memory.learned(MODEL) == Learned(mode="text")


def test_two_processes_that_learn_different_things_take_nothing_from_each_other(
    memory: StoredModelMemory, database: Database, clock: Clock
) -> None:
    memory.learn(MODEL, Learned(mode="json_schema"))
    slow = Lessons(ModelSettings(name=MODEL, base_url=SERVER), _Overtaken(database, clock, SERVER))
    slow.context(MODEL, 4_096)
    assert memory.learned(MODEL) == Learned(mode="text", context_tokens=4_096)


@pytest.mark.parametrize("text", ["", "[]", "null", "7", "{", '{"mode": "telepathy"}', '{"mode": 1}', "[" * 9_000])
def test_what_cannot_be_read_is_not_known(memory: StoredModelMemory, database: Database, text: str) -> None:
    memory.learn(MODEL, Learned(mode="text"))
    with database.transaction() as session:
        session.execute(update(ModelStateRow).values(learned=text))
    assert memory.learned(MODEL) == Learned()
    memory.learn(MODEL, Learned(mode="json_schema"))
    assert memory.learned(MODEL) == Learned(mode="json_schema")


def test_a_field_of_another_version_is_passed_over(memory: StoredModelMemory, database: Database) -> None:
    memory.learn(MODEL, Learned(mode="text"))
    with database.transaction() as session:
        session.execute(update(ModelStateRow).values(learned='{"mode": "text", "colour": "blue"}'))
    assert memory.learned(MODEL) == Learned(mode="text")


def test_a_row_that_vanishes_is_made_anew(memory: StoredModelMemory, database: Database) -> None:
    fail(memory, 5)
    with database.transaction() as session:
        session.execute(delete(ModelStateRow))
    assert memory.admit(MODEL) == "ask"
    memory.served(MODEL)
    with database.transaction() as session:
        session.execute(delete(ModelStateRow))
    assert memory.failed(MODEL, "it answered 500") is None
    memory.learn(MODEL, Learned(mode="text"))
    assert state(database).failures == 1


def test_a_forked_process_shares_the_breaker(memory: StoredModelMemory) -> None:
    fail(memory, 4)
    child = os.fork()
    if child == 0:
        try:
            memory.failed(MODEL, "it answered 500")
        finally:
            os._exit(0)
    assert os.waitpid(child, 0)[1] == 0
    assert refused_until(memory) == NOW + MINUTE

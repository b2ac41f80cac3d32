"""``mergecast doctor`` asks the language model one small question, and each fault says what to change."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import select
from sqlmodel import col

from services.cli.surroundings import opened_database
from shared.domain.protocols import Learned, PlannedCall, SettledCall
from shared.settings import ModelSettings, Settings
from shared.store import readings
from shared.store.model_calls import StoredMeter
from shared.store.model_states import StoredModelMemory
from shared.store.session import Database
from shared.store.tables import ModelCallRow
from tests.integration.cli.conftest import Answer, Mergecast
from tests.integration.store.model_rows import LEASE, reading
from tests.servers.model.server import ModelServer

KEY = "sk-doctor-canary"

Doctor = Callable[..., Answer]


@pytest.fixture
def server() -> Iterator[ModelServer]:
    """A model that serves until the test says otherwise."""
    with ModelServer() as started:
        yield started


@pytest.fixture
def database(environment: dict[str, str]) -> Iterator[Database]:
    """The database that doctor finds in its data folder."""
    opened = opened_database(Settings(data_folder=Path(environment["XDG_DATA_HOME"]) / "mergecast"))
    yield opened
    opened.dispose()


@pytest.fixture
def doctor(mergecast: Mergecast, server: ModelServer, here: Path) -> Doctor:
    """Run it with these settings of [model]."""

    def run(**settings: str | float) -> Answer:
        given = {"name": "scripted", "base_url": server.url, "api_key": KEY, **settings}
        lines = [f"{name} = {value!r}" for name, value in given.items()]
        (here / "mergecast.toml").write_text("[model]\n" + "\n".join(lines) + "\n")
        answer = mergecast("doctor", COLUMNS="400")
        assert KEY not in answer.stdout + answer.stderr
        return answer

    return run


def memory_of(database: Database, server: ModelServer) -> StoredModelMemory:
    return StoredModelMemory(database, database.now, server.url)


def meter_of(database: Database, server: ModelServer) -> StoredMeter:
    return StoredMeter(database, database.now, ModelSettings(name="scripted"), server.url)


def reserve(meter: StoredMeter, tokens: int = 1_000) -> int:
    return meter.reserve(PlannedCall(model="scripted", purpose="read", input_tokens=tokens - 100, output_tokens=100))


def test_no_model_is_one_line_and_nothing_to_mend(doctor: Doctor, server: ModelServer, database: Database) -> None:
    answer = doctor(name="")

    assert answer.returncode == 0, answer.stdout
    (line,) = [line for line in answer.stdout.splitlines() if "language model" in line]
    assert "none is set: merges are read by rules alone" in line
    assert server.paths == []


def test_a_model_that_serves_says_how_fast_and_the_question_is_counted(
    doctor: Doctor, server: ModelServer, database: Database
) -> None:
    answer = doctor()

    assert answer.returncode == 0, answer.stdout
    assert f"scripted at {server.url} answered a small question in " in answer.stdout
    assert "how it takes a schema is learned with the first merge" in answer.stdout
    assert "day_tokens" in answer.stdout
    assert server.paths == [("POST", "/v1/chat/completions")]
    with database.reading() as session:
        calls = session.execute(select(col(ModelCallRow.purpose), col(ModelCallRow.status))).all()
    assert calls == [("probe", "answered")]


def test_before_there_is_a_database_nothing_is_asked(doctor: Doctor, server: ModelServer) -> None:
    answer = doctor()

    assert answer.returncode == 0, answer.stdout
    assert "not asked: calls are counted in the database" in answer.stdout
    assert "mergecast migrate" in answer.stdout
    assert server.paths == []


@pytest.mark.parametrize(
    ("mode", "told", "mend"),
    [
        ("unauthorized-401", "does not accept the key (status 401", "Set a valid model.api_key."),
        ("forbidden-403", "does not allow the request", "what model.api_key may do"),
        ("missing-404", "knows no such model or address", "Look at model.name"),
        ("quota-429", "has no money left in its account", "billing"),
        ("rate-429", "wants fewer requests", "asked again by itself"),
        ("error-500", "does not serve (status 500", "asked again by itself"),
        ("html-200", "does not serve (status 200", "asked again by itself"),
        ("redirect", "sends requests elsewhere", "Set model.base_url to its own address."),
        ("dropped", "gave no answer", "asked again by itself"),
    ],
)
def test_a_fault_of_the_server_says_what_to_change(
    doctor: Doctor, server: ModelServer, database: Database, mode: str, told: str, mend: str
) -> None:
    server.mode = mode

    answer = doctor()

    assert answer.returncode == 1
    assert told in answer.stdout
    assert mend in answer.stdout
    assert memory_of(database, server).admit("scripted") == "ask", "a question of doctor opens no breaker"


def test_a_server_that_is_away_is_told(doctor: Doctor, server: ModelServer, database: Database) -> None:
    server.stop()

    answer = doctor()

    assert answer.returncode == 1
    assert "no connection" in answer.stdout
    assert "Look at model.base_url" in answer.stdout


def test_an_address_inside_that_the_settings_do_not_allow_is_told(doctor: Doctor, database: Database) -> None:
    answer = doctor(base_url="https://10.0.0.1/v1")

    assert answer.returncode == 1
    assert "leads to an address that may not be asked" in answer.stdout
    assert "Set model.internal = true" in answer.stdout


@pytest.mark.parametrize("mode", ["hang", "drip"])
def test_a_server_that_is_too_slow_is_told(doctor: Doctor, server: ModelServer, database: Database, mode: str) -> None:
    server.mode = mode

    answer = doctor(deadline=1)

    assert answer.returncode == 1
    assert "gave no answer to a small question in 1 s" in answer.stdout
    assert "Raise model.deadline" in answer.stdout


@pytest.mark.parametrize(("mode", "told"), [("json_object", "JSON without a schema"), ("text", "words alone")])
def test_a_server_without_schemas_does_no_harm(
    doctor: Doctor, server: ModelServer, database: Database, mode: str, told: str
) -> None:
    memory_of(database, server).learn("scripted", Learned.model_validate({"mode": mode}))

    answer = doctor()

    assert answer.returncode == 0, answer.stdout
    assert told in answer.stdout
    assert "which does no harm" in answer.stdout


def test_an_open_breaker_says_since_when_and_why(doctor: Doctor, server: ModelServer, database: Database) -> None:
    memory = memory_of(database, server)
    for _ in range(5):
        memory.failed("scripted", "the server was on fire")

    answer = doctor()

    assert answer.returncode == 0, answer.stdout
    assert f"scripted does not serve since {database.now():%Y-%m-%d}" in answer.stdout
    assert "the server was on fire" in answer.stdout
    assert "none is lost" in answer.stdout


def test_a_used_up_budget_says_until_when(doctor: Doctor, server: ModelServer, database: Database) -> None:
    reserve(meter_of(database, server), tokens=9_990)

    answer = doctor(day_tokens=10_000)

    assert answer.returncode == 0, answer.stdout
    assert "used up: 9,990 of 10,000" in answer.stdout
    assert "raise model.day_tokens to go on now" in answer.stdout
    assert "scripted was not asked: The budget of the day is used up" in answer.stdout
    assert server.paths == []


def test_answers_that_come_too_late_are_told(doctor: Doctor, server: ModelServer, database: Database) -> None:
    meter = meter_of(database, server)
    for status in ("timeout", "answered", "timeout"):
        meter.settle(reserve(meter), SettledCall.model_validate({"status": status, "seconds": 50}))

    answer = doctor()

    assert "2 of 3 answers of scripted were not there within 60 s" in answer.stdout
    assert "Raise model.deadline" in answer.stdout


def test_answers_that_nearly_come_too_late_are_told(doctor: Doctor, server: ModelServer, database: Database) -> None:
    meter = meter_of(database, server)
    meter.settle(reserve(meter), SettledCall(status="answered", seconds=50))

    assert "an answer of scripted takes 50 s of the 60 s that it may take" in doctor().stdout


def test_limits_in_dollars_without_a_price_are_refused_by_name(doctor: Doctor, database: Database) -> None:
    answer = doctor(day_cost=1.0)

    assert answer.returncode == 2
    assert "day_cost needs the price of scripted" in answer.stderr


def test_a_price_that_is_not_set_is_told_where_it_may_cost(doctor: Doctor, database: Database) -> None:
    assert "none is set for scripted" in doctor(base_url="https://10.0.0.1/v1").stdout
    assert "model.prices" not in doctor().stdout


def test_what_waits_and_what_was_left_to_rules_is_told(doctor: Doctor, server: ModelServer, database: Database) -> None:
    now = database.now()
    old = reading(database, 1, model="scripted", now=now - timedelta(days=2))
    left = reading(database, 2, model="scripted", now=now)
    dead = reading(database, 3, model="scripted", now=now)
    with database.transaction() as session:
        held = readings.claim(session, left, now, LEASE)
        assert held is not None
        assert readings.finish(session, held, "rules", now, why="the model refused to answer")
        held = readings.claim(session, dead, now, LEASE)
        assert held is not None
        assert readings.fail(session, held, "a fault", now, (), 1.0) == "dead"
    assert old

    told = doctor().stdout

    assert "1 waiting, the longest for 2 d" in told
    assert "a worker of the queue reading, and beat" in told
    assert "1 × the model refused to answer (merges of the last 7 days)" in told
    assert "`mergecast reanalyze OWNER/NAME --unread` asks anew" in told
    assert "1 given up after a fault of this program" in told


def test_both_models_are_asked(doctor: Doctor, server: ModelServer, database: Database) -> None:
    answer = doctor(strong_name="scripted-strong")

    assert [asked.body["model"] for asked in server.asked] == ["scripted", "scripted-strong"]
    assert f"scripted-strong at {server.url} answered" in answer.stdout

"""``mergecast reanalyze``: readings side by side, asked for by a person."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from shared.domain.analysis import Analysis
from shared.store.session import Database
from tests.integration.cli.conftest import Mergecast, environment, here, mergecast
from tests.integration.readings.house import House
from tests.servers.model.server import ModelServer

__all__ = ["environment", "here", "mergecast"]


@pytest.fixture
def house(sqlite_url: str, server: ModelServer) -> House:
    """The running service, over the database that the command opens too."""
    return House(Database(sqlite_url), server)


@pytest.fixture
def asked(mergecast: Mergecast, sqlite_url: str, server: ModelServer, tmp_path: Path) -> Any:
    """Run the command with the settings of that service."""
    environment = {
        "MERGECAST_DATABASE__URL": sqlite_url,
        "MERGECAST_MODEL__NAME": "scripted",
        "MERGECAST_MODEL__BASE_URL": server.url,
    }
    return lambda *arguments, **extra: mergecast("reanalyze", "lumen/lumen", *arguments, **(environment | extra))


def read(house: House, *numbers: int) -> list[Analysis]:
    """Sweep, read what is due, and return the analyses in force."""
    house.clock.now = house.database.now()
    house.sweep()
    house.work_off()
    return [house.analysis(number) for number in numbers]


def test_what_came_to_nothing_is_asked_anew_with_two_calls_more(house: House, asked: Any) -> None:
    house.server.script("refusal")
    house.store([1], ring=True)
    assert house.work_off() == ["rules"]

    told = asked("--number", "1", "--unread")

    assert told.returncode == 0, told.stderr
    assert "1 merges to be read by scripted" in told.stdout
    assert "no price of it is known" in told.stdout
    assert "1 readings are due" in told.stdout
    assert [analysis.source for analysis in read(house, 1)] == ["model"]


def test_another_model_reads_side_by_side_and_is_in_force_then(house: House, asked: Any) -> None:
    house.store([1], ring=True)
    house.work_off()

    assert asked("--number", "1", "--model", "another").returncode == 0

    (analysis,) = read(house, 1)
    assert analysis.model == "another"
    assert house.counts() == {"done": 2}
    assert asked("--number", "1", "--unread").stdout.count("nothing is left to be read.") == 1


def test_another_model_is_in_force_also_where_the_first_was_asked_for_anew_before(house: House, asked: Any) -> None:
    house.store([1], ring=True)
    house.work_off()
    assert "0 readings are due" in asked("--number", "1").stdout
    assert house.analysis(1).model == "scripted"

    assert asked("--number", "1", "--model", "another").returncode == 0

    assert [analysis.model for analysis in read(house, 1)] == ["another"]


def test_a_limit_in_dollars_wants_the_price_of_the_model_that_is_named(house: House, asked: Any) -> None:
    house.store([1])
    priced = '{"scripted": {"input": 1, "output": 2}}'
    limits = {"MERGECAST_MODEL__DAY_COST": "5", "MERGECAST_MODEL__PRICES": priced}

    refused = asked("--number", "1", "--model", "another", **limits)

    assert refused.returncode == 2
    assert "day_cost needs the price of another under prices" in refused.stderr
    assert house.counts() == {"new": 1}
    assert asked("--number", "1", "--model", "scripted", **limits).returncode == 0


def test_a_named_model_that_the_server_does_not_know_is_given_up_after_a_week(house: House, asked: Any) -> None:
    house.store([1], ring=True)
    house.work_off()
    house.server.mode = "missing-404"
    assert asked("--number", "1", "--model", "a-slip").returncode == 0
    read(house, 1)
    for _ in range(6):
        house.clock.move(timedelta(days=1))
        house.sweep()
        assert house.work_off() == ["postponed"]

    house.clock.move(timedelta(days=1))
    house.sweep()

    assert house.work_off() == ["rules"]
    assert "a-slip did not serve for days" in (house.view(1).why or "")
    assert house.analysis(1).model == "scripted"
    assert house.calls_of_merges() == {1: 1, 2: 1}


def test_in_another_language_it_is_read_side_by_side(house: House, asked: Any) -> None:
    house.store([1], ring=True)
    house.work_off()
    assert house.analysis(1).reading is not None

    assert "1 readings are due" in asked("--number", "1", MERGECAST_MODEL__LANGUAGE="German").stdout

    house.reader = house.reader_of(
        house.settings.model_copy(update={"model": house.settings.model.model_copy(update={"language": "German"})})
    )
    (analysis,) = read(house, 1)
    assert analysis.reading is not None
    assert (analysis.reading.language, analysis.prompt_version) == ("German", "1-german")
    assert house.counts() == {"done": 2}
    assert house.calls_of_merges() == {1: 1, 2: 1}, "each reading has its own"


def test_the_model_that_was_named_is_asked_with_the_prompt_of_today(
    house: House, asked: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    house.store([1], ring=True)
    house.work_off()
    assert asked("--number", "1", "--model", "another").returncode == 0
    house.clock.now = house.database.now()
    monkeypatch.setattr("services.analyzer.prompts.wording.PROMPT_VERSION", "of-tomorrow")
    house.sweep()

    assert house.work_off() == ["superseded", "done"]

    assert house.analysis(1).model == "another"
    assert house.view(1).prompt_version == "of-tomorrow"


def test_what_was_read_is_not_read_again_by_the_same_model(house: House, asked: Any) -> None:
    house.store([1], ring=True)
    house.work_off()

    assert "0 readings are due; 1 were there already" in asked("--number", "1").stdout
    assert len(house.server.asked) == 1


def test_more_than_fifty_need_a_yes(house: House, asked: Any) -> None:
    house.store(range(1, 53), merged_at=house.database.now())
    refused = asked()
    assert refused.returncode == 2
    assert "Add --yes" in refused.stderr

    told = asked("--yes")

    assert told.returncode == 0
    assert "52 merges to be read" in told.stdout
    assert "52 were there already, or are waiting" in told.stdout


def test_a_merge_that_is_not_stored_and_a_missing_model_are_one_clear_line(house: House, asked: Any) -> None:
    house.store([1])

    assert "No analysis of #7 is stored." in asked("--number", "7").stderr
    assert asked("--number", "7").returncode == 2
    assert "No language model is set." in asked("--number", "1", MERGECAST_MODEL__NAME="").stderr

"""``mergecast reanalyze``: readings side by side, asked for by a person."""

from __future__ import annotations

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

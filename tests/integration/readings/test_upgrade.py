"""A model that is set later, changed, or asked with another prompt: what waits and what came before is taken up."""

from __future__ import annotations

from datetime import timedelta

import pytest

from shared.store import readings
from shared.store.session import Database
from tests.integration.readings.house import House
from tests.servers.model.server import ModelServer


@pytest.fixture
def before(database: Database, server: ModelServer) -> House:
    """The service before it had a model."""
    return House(database, server, name="")


def test_merges_of_this_and_the_last_week_are_asked_for_when_a_model_is_set(before: House) -> None:
    now = before.clock.now
    before.store([1, 2], merged_at=now - timedelta(days=1))
    before.store([3], importance=30, merged_at=now - timedelta(days=8))
    before.store([4], merged_at=now - timedelta(days=20))
    house = House(before.database, before.server)

    assert house.sweep() == 3
    assert house.work_off().count("done") == 3
    assert house.analysis(4).source == "rules"
    assert house.sweep() == 0


def test_they_are_asked_for_some_at_a_time_the_weightiest_first(before: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("services.analyzer.readings.sweeps.ASKED_AT_ONCE", 2)
    before.store([1, 2, 3], importance=5)
    before.store([4], importance=30)
    house = House(before.database, before.server)
    house.sweep()

    assert house.counts() == {"new": 2}
    assert house.view(4).status == "new"
    house.sweep()
    house.sweep()
    assert house.counts() == {"new": 4}
    assert house.analysis(1).source_why == "the model has not read it yet"


def test_what_waits_for_a_model_that_is_no_more_is_read_by_that_of_today(
    database: Database, server: ModelServer
) -> None:
    House(database, server, name="of-yesterday").store([1])
    house = House(database, server)
    house.sweep()

    assert house.work_off() == ["superseded", "done"]
    assert house.analysis(1).model == "scripted"
    assert {asked.body["model"] for asked in server.asked} == {"scripted"}


def test_what_waits_for_another_prompt_is_asked_with_that_of_today(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("services.analyzer.prompts.wording.PROMPT_VERSION", "of-yesterday")
    house.store([1])
    monkeypatch.undo()
    house.sweep()

    assert house.work_off() == ["superseded", "done"]
    assert house.view(1).prompt_version == house.analysis(1).prompt_version != "of-yesterday"


def test_what_was_superseded_and_never_asked_for_since_is_taken_up_again(house: House) -> None:
    house.store([1], ring=True)
    ((_, row),) = house.bell.rung
    now = house.clock()
    with house.database.transaction() as session:
        held = readings.claim(session, int(row), now, timedelta(minutes=1))
        assert held is not None
        assert readings.supersede(session, held, now)
    house.bell.rung.clear()

    assert house.sweep() == 1

    assert house.work_off() == ["done"]


def test_a_switched_off_model_leaves_what_waits_as_it_is(house: House) -> None:
    house.store([1])
    without = House(house.database, house.server, name="")
    without.bell.rung = house.bell.rung

    assert without.sweep() == 0
    assert house.counts() == {"new": 1}
    house.sweep()
    assert house.work_off() == ["done"]

"""What the watchdog of a reader sees: readings that nobody takes, but not while the model rests (R-21)."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from services.analyzer.reader import unattended
from shared.store.model_states import StoredModelMemory
from shared.store.session import Database
from tests.integration.readings.house import House


@pytest.fixture
def house_of_now(house: House, monkeypatch: pytest.MonkeyPatch) -> House:
    """The watchdog asks the clock of the database: here it is ours."""

    def now(_database: Database) -> datetime:
        return house.clock()

    monkeypatch.setattr(Database, "now", now)
    return house


def test_r21_due_readings_that_nobody_takes_are_seen(house_of_now: House) -> None:
    house = house_of_now
    ask = unattended(house.settings, house.database)
    assert ask() is None
    house.store([1])
    house.clock.move(timedelta(minutes=3))

    assert ask() == timedelta(minutes=3)
    house.sweep()
    house.work_off()
    assert ask() is None


def test_r21_while_the_model_rests_no_silence_counts(house_of_now: House) -> None:
    house = house_of_now
    house.store([1])
    memory = StoredModelMemory(house.database, house.clock, house.settings.model.base_url)
    memory.failed("scripted", "no connection", house.clock() + timedelta(hours=1))
    house.clock.move(timedelta(minutes=3))

    assert unattended(house.settings, house.database)() is None

"""Readers that are killed at every step of a call: no merge costs more than two, and the ledger knows of each (R-11)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from services.analyzer.kill_points import READING_POINTS
from shared.store.session import Database
from tests.faults.fleet import SHORTEST_TIMES, Fleet, running_fleet
from tests.faults.readings import read_readings
from tests.faults.rows import armed
from tests.faults.servers import Servers, running_servers
from tests.integration.readings.house import House
from tests.servers.model.server import ModelServer

pytestmark = [pytest.mark.xdist_group("faults"), pytest.mark.timeout(240)]

MERGES = 64
KILLS_AT_EACH = 3


@pytest.fixture
def servers() -> Iterator[Servers]:
    """PostgreSQL and Valkey of this test's own."""
    with running_servers() as started:
        yield started


@pytest.fixture
def fleet(servers: Servers, server: ModelServer, tmp_path: Path) -> Iterator[Fleet]:
    """A supervisor of processes that ask the scripted model."""
    model = {"MERGECAST_MODEL__NAME": "scripted", "MERGECAST_MODEL__BASE_URL": server.url}
    # Killed twice at once a pool may hear nothing any more; the watchdog's two minutes would be most of the test's time.
    watchdog = {"MERGECAST_WORKER__DEAF_AFTER": "20"}
    with running_fleet(servers, tmp_path, SHORTEST_TIMES | model | watchdog) as made:
        yield made


@pytest.fixture
def house(servers: Servers, server: ModelServer) -> Iterator[House]:
    """The same database, looked at from outside."""
    opened = Database(servers.database_url)
    yield House(opened, server)
    opened.dispose()


def test_r11_killed_at_every_step_no_merge_costs_more_than_two_calls_and_none_is_missing_in_the_ledger(
    fleet: Fleet, house: House, server: ModelServer, tmp_path: Path
) -> None:
    house.clock.now = house.database.now()
    house.store(range(1, MERGES + 1))
    environment, files = armed(tmp_path, *READING_POINTS, times=KILLS_AT_EACH)
    fleet.start_worker("reader", **environment)
    fleet.start_worker("analyzer")
    fleet.start_beat()
    fleet.until(lambda: set(house.counts()) <= {"done", "rules", "dead"}, "all were read", 150)

    assert [file.stat().st_size for file in files] == [0] * len(READING_POINTS), "each point killed its readers"
    kills = KILLS_AT_EACH * len(READING_POINTS)
    ended = house.counts()
    assert sum(ended.values()) == MERGES
    assert set(ended) <= {"done", "rules"}
    assert ended.get("rules", 0) <= KILLS_AT_EACH, "those that two kills have cost both calls"
    for number in range(1, MERGES + 1):
        assert house.analysis(number).source == ("model" if house.view(number).status == "done" else "rules")
    ledger = read_readings(house.database, len(server.asked), kills)
    told = "\n".join(ledger.lines())
    assert ledger.agree, told
    assert ledger.calls["unsettled"] == 2 * KILLS_AT_EACH, f"killed between the reservation and the settling: {told}"
    assert ledger.surplus <= KILLS_AT_EACH, f"only one killed before it sent is in no server's books: {told}"
    assert set(ledger.calls) == {"answered", "unsettled"}
    assert ledger.calls["answered"] == ended["done"], "an answer that was settled is checked, and not asked for again"

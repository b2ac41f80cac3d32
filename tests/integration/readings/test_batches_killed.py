"""Workers that are killed at each step of a batch: nothing is lost, begun twice, or missing in the ledger (R-11)."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Mapping
from datetime import timedelta
from pathlib import Path

import pytest

from services.analyzer.kill_points import BATCH_POINTS, VARIABLE, BatchPoint
from services.analyzer.readings.batching_gather import sweep_batches
from shared.llm import Question
from shared.store.session import Database
from tests.faults.processes import ROOT
from tests.integration.readings.batch_house import BatchHouse
from tests.servers.model.server import ModelServer

MERGES = 4
EXPECTED: dict[BatchPoint, Counter[str]] = {
    "batch-reserved": Counter(unsent=MERGES, answered=MERGES),
    "batch-sent": Counter(unsent=MERGES, answered=MERGES),
    "batch-begun": Counter(answered=MERGES),
    "batch-answered": Counter(answered=MERGES),
    "batch-settled": Counter(answered=MERGES),
}
WORKER = """
import sys
from datetime import datetime
from services.analyzer.readings.batching import work_on_batch
from services.analyzer.readings.batching_runtime import BatchRuntime
from services.analyzer.readings.runtime import ReadingRuntime
from shared.settings import ModelSettings, Settings
from shared.store.session import Database

database_url, server_url, now, batch = sys.argv[1:]
settings = Settings(model=ModelSettings(name="scripted", base_url=server_url, batch=True))
clock = lambda: datetime.fromisoformat(now)
reader = ReadingRuntime(settings, Database(database_url), lambda task, argument: None, clock)
print(work_on_batch(BatchRuntime(reader), int(batch)))
"""


@pytest.fixture
def house(sqlite_url: str, server: ModelServer) -> BatchHouse:
    """In a file that a process beside this one can open."""
    return BatchHouse(Database(sqlite_url), server)


def work_in_a_process(house: BatchHouse, url: str, folder: Path, point: BatchPoint | None = None) -> int:
    """Let a process of its own work on the batch that is due, and return how it ended."""
    house.bell.rung.clear()
    sweep_batches(house.reader)
    ((_, batch),) = house.bell.rung
    armed = {}
    if point is not None:
        (folder / point).write_bytes(b".")
        armed = {VARIABLE: f"{point}:{folder / point}"}
    arguments = (url, house.server.url, house.clock().isoformat(), str(batch))
    environment = {name: value for name, value in os.environ.items() if not name.startswith("MERGECAST_")}
    return subprocess.run(
        [sys.executable, "-c", WORKER, *arguments],
        env=environment | armed | {"PYTHONPATH": str(ROOT)},
        cwd=folder,
        check=False,
        timeout=100,
    ).returncode


@pytest.mark.parametrize("point", BATCH_POINTS)
def test_r11_a_batch_goes_on_wherever_its_worker_was_killed(
    house: BatchHouse, server: ModelServer, sqlite_url: str, tmp_path: Path, point: BatchPoint
) -> None:
    house.backfill(*range(1, MERGES + 1))
    if point in ("batch-answered", "batch-settled"):
        assert house.tick() == ["submitted"]
        house.clock.move(timedelta(minutes=1))

    assert work_in_a_process(house, sqlite_url, tmp_path, point) == -signal.SIGKILL
    assert len(house.calls()) >= house.lines, "a call is in the ledger before the server has it"
    house.until_read()

    assert house.counts() == {"done": MERGES}
    assert len(server.batches.batches) == 1, "begun once"
    assert server.asked == []
    assert Counter(status for _, status in house.calls()) == EXPECTED[point]
    assert set(house.calls_of_merges().values()) == {1}
    assert len(house.calls()) >= house.lines


def test_r11_a_batch_whose_workers_are_killed_again_and_again_gives_its_readings_back(
    house: BatchHouse, server: ModelServer, sqlite_url: str, tmp_path: Path
) -> None:
    house.backfill(1, 2)
    for _ in range(5):
        assert work_in_a_process(house, sqlite_url, tmp_path, "batch-reserved") == -signal.SIGKILL
        house.clock.move(house.settings.worker.lease)
    house.until_read()

    assert house.batch_counts() == {"dead": 1}
    assert house.counts() == {"done": 2}
    assert server.batches.batches == {}
    assert max(house.calls_of_merges().values()) <= 2


def test_r13_a_worker_that_was_too_slow_begins_nothing(house: BatchHouse, server: ModelServer) -> None:
    """Somebody else took the batch over while this one sent its file."""
    house.backfill(1, 2)
    overtaken: list[str] = []
    upload = house.batches.server.upload

    def slow(questions: Mapping[str, Question]) -> str:
        file_id = upload(questions)
        if not overtaken:
            overtaken.append("")
            house.clock.move(house.settings.worker.lease)
            overtaken.extend(house.tick())
        return file_id

    house.batches.server.upload = slow  # type: ignore[method-assign]

    assert "fenced" in house.tick()
    assert overtaken == ["", "submitted"]
    house.until_read()
    assert len(server.batches.batches) == 1
    assert house.counts() == {"done": 2}
    assert set(house.calls_of_merges().values()) == {1}

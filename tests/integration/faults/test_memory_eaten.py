"""A delivery that eats memory to the limit is dead after five starts, visibly, and the others are done (C-67)."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import psutil
import pytest

from tests.faults.ledgers import read_rows
from tests.faults.processes import SupervisedProcess
from tests.faults.rows import armed, listed_dead, put_merges, views
from tests.merge_payloads import FULL_NAME

pytestmark = [pytest.mark.xdist_group("faults"), pytest.mark.timeout(120)]

MIB = 1024 * 1024
SHORT_LADDER = {"MERGECAST_WORKER__RETRY_WAITS": json.dumps([0.5, 0.5, 0.5, 0.5])}
"""Four waits as in production, each of half a second."""


def test_c67_a_delivery_that_runs_into_the_limit_of_its_process_fails_like_any_error_of_ours(
    fleet, fleet_database, tmp_path
):
    environment, (file,) = armed(tmp_path, "after-load@7=MEMORY", times=100)
    rows = put_merges(fleet_database, 12)
    worker = fleet.start_worker("analyzer", address_space=640 * MIB, **environment, **SHORT_LADDER)
    fleet.start_beat()
    fleet.until(lambda: views(fleet_database)[7].status == "dead", "the row that eats memory is dead")
    rows |= put_merges(fleet_database, 3, first=13)
    fleet.until(lambda: read_rows(fleet_database).waiting == 0, "the others are done, those that came later too", 30)

    view = views(fleet_database)[7]
    assert (view.attempt, view.last_error) == (5, "MemoryError")
    assert 100 - file.stat().st_size == 5, "starts of that row, counted by itself"
    assert worker.starts == 1
    assert "MemoryError" in listed_dead(fleet)
    counted = read_rows(fleet_database)
    assert counted.statuses == {"done": 14, "dead": 1}
    assert counted.analyses == {(FULL_NAME, number): int(number != 7) for number in rows}


@contextmanager
def out_of_memory_killer(worker: SupervisedProcess, most: int) -> Iterator[set[int]]:
    """Kill each child of the worker that holds more than ``most`` bytes, as the kernel does; yields those killed."""
    over = threading.Event()
    killed: set[int] = set()

    def watch() -> None:
        while not over.wait(0.02):
            fat = {pid for pid in worker.children() if pid not in killed and _held_by(pid) > most}
            killed.update(pid for pid in fat if worker.kill_child(pid))

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    try:
        yield killed
    finally:
        over.set()
        watcher.join(10)


def _held_by(pid: int) -> int:
    try:
        return psutil.Process(pid).memory_info().rss
    except psutil.NoSuchProcess:
        return 0


def test_c67_a_delivery_whose_worker_is_killed_for_its_memory_is_dead_after_five_starts(
    fleet, fleet_database, tmp_path
):
    environment, (file,) = armed(tmp_path, "after-load@7=MEMORY", times=100)
    rows = put_merges(fleet_database, 12)
    # The limit is for this machine's sake, should the killer be late: it is never met.
    worker = fleet.start_worker("analyzer", address_space=4096 * MIB, **environment)
    fleet.start_beat()
    with out_of_memory_killer(worker, 400 * MIB) as killed:
        fleet.until(lambda: views(fleet_database)[7].status == "dead", "the row that eats memory is dead")
    fleet.until(lambda: read_rows(fleet_database).waiting == 0, "the others are done", 30)

    assert len(killed) == 5
    assert 100 - file.stat().st_size == 5, "starts of that row, counted by itself"
    assert views(fleet_database)[7].last_error == "worker lost"
    assert worker.starts == 1
    assert "worker lost" in listed_dead(fleet)
    counted = read_rows(fleet_database)
    assert counted.statuses == {"done": 11, "dead": 1}
    assert counted.analyses == {(FULL_NAME, number): int(number != 7) for number in rows}

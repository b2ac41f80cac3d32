"""A worker that dies or freezes at a named point of the pipeline: exactly one stored analysis (R-11, R-13, C-67)."""

from __future__ import annotations

import os
import signal
import time

import pytest

from services.analyzer.kill_points import POINTS
from tests.faults.ledgers import read_rows
from tests.faults.rows import armed, listed_dead, put_merges, stopped, views
from tests.merge_payloads import FULL_NAME

pytestmark = [pytest.mark.xdist_group("faults"), pytest.mark.timeout(180)]


def test_r11_a_kill_at_each_named_point_leads_to_exactly_one_analysis(fleet, fleet_database, tmp_path):
    """Each point strikes the delivery of its own number once; the lease, not the broker, brings it back."""
    points = [f"{point}@{number}" for number, point in enumerate(POINTS, 1)]
    environment, files = armed(tmp_path, *points)
    rows = put_merges(fleet_database, len(POINTS) + 3)
    fleet.start_worker("analyzer", **environment)
    fleet.start_beat()
    began = time.monotonic()
    fleet.until(lambda: {view.status for view in views(fleet_database).values()} == {"done"}, "all done", 60)

    assert time.monotonic() - began < 60, "180 s with leases of a minute; here leases last three"
    assert [file.stat().st_size for file in files] == [0] * len(POINTS), "each point killed its worker once"
    starts = {number: view.attempt for number, view in views(fleet_database).items()}
    assert starts == {1: 2, 2: 2, 3: 2, 4: 2, 5: 1, 6: 1, 7: 1, 8: 1}, "after the commit nothing is started again"
    counted = read_rows(fleet_database)
    assert counted.analyses == {(FULL_NAME, number): 1 for number in rows}


def test_c67_a_poison_row_is_dead_and_visible_after_five_starts_and_the_others_are_done(
    fleet, fleet_database, tmp_path
):
    environment, (file,) = armed(tmp_path, "after-load@7", times=100)
    rows = put_merges(fleet_database, 60)
    fleet.start_worker("analyzer", **environment)
    fleet.start_beat()
    fleet.until(lambda: read_rows(fleet_database).waiting <= 1, "the others are done", 60)
    fleet.until(lambda: views(fleet_database)[7].status == "dead", "the poison row is dead", 90)

    assert 100 - file.stat().st_size == 5, "starts of the poison row, counted by itself"
    assert views(fleet_database)[7].last_error == "worker lost"
    counted = read_rows(fleet_database)
    assert counted.statuses == {"done": 59, "dead": 1}
    assert counted.analyses == {(FULL_NAME, number): int(number != 7) for number in rows}
    listed = listed_dead(fleet)
    assert "worker lost" in listed
    assert "7" in listed


def test_r13_a_worker_frozen_past_its_lease_and_thawed_is_fenced(fleet, fleet_database, tmp_path):
    """The frozen one holds attempt 1 and has its result ready; another worker stores attempt 2 meanwhile."""
    environment, (file,) = armed(tmp_path, "after-examine@1=STOP")
    put_merges(fleet_database, 1)
    slow = fleet.start_worker("analyzer", 1, **environment)
    fleet.start_beat()
    fleet.until(lambda: stopped(slow.children()), "one child is frozen", 60)
    fleet.start_worker("analyzer", 2)
    fleet.until(lambda: views(fleet_database)[1].status == "done", "another worker has done it", 60)
    for pid in stopped(slow.children()):
        os.kill(pid, signal.SIGCONT)
    fleet.until(lambda: '"outcome": "fenced"' in slow.log.read_text("utf-8"), "the thawed worker says so", 30)

    assert file.stat().st_size == 0
    view = views(fleet_database)[1]
    assert (view.status, view.attempt) == ("done", 2)
    assert read_rows(fleet_database).analyses == {(FULL_NAME, 1): 1}

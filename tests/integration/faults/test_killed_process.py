"""One process killed at each named point, on both engines, with the settings of production and a clock (R-11)."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from datetime import timedelta

import pytest

from services.analyzer.kill_points import POINTS, VARIABLE, Point
from services.analyzer.pipeline import analyze_delivery
from services.analyzer.tasks import sweep_deliveries
from shared.settings import Settings
from shared.store import deliveries
from tests.faults.processes import ROOT
from tests.integration.workers.inbox import analyses_stored, make_runtime, put, row
from tests.merge_payloads import merge_payload

pytestmark = pytest.mark.xdist_group("faults")

WORK_ON_ONE = """
import sys
from services.analyzer.pipeline import analyze_delivery
from services.analyzer.tasks import make_runtime
from shared.settings import load_settings
from shared.store.session import Database
settings = load_settings()
runtime = make_runtime(settings, Database(settings.database_url), lambda task, argument: None)
print(analyze_delivery(runtime, int(sys.argv[1])))
"""
RECOVERS_WITHIN = timedelta(seconds=180)


def killed_at(point: Point, database_url: str, delivery: int, folder) -> int:
    """Work on the delivery in a process of its own that is killed at ``point``; its exit code."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("MERGECAST_")}
    environment |= {
        VARIABLE: point,
        "MERGECAST_DATABASE__URL": database_url,
        "MERGECAST_DATA_FOLDER": str(folder),
        "PYTHONPATH": str(ROOT),
    }
    command = [sys.executable, "-c", WORK_ON_ONE, str(delivery)]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, check=False).returncode


@pytest.mark.parametrize("point", POINTS)
def test_r11_a_process_killed_at_a_point_leaves_one_analysis_within_three_minutes(
    database, database_url, tmp_path, point
):
    delivery = put(database, merge_payload(101), now=database.now()).id
    assert killed_at(point, database_url, delivery, tmp_path) == -signal.SIGKILL
    before = analyses_stored(database)
    worker = Settings().worker
    latest = database.now() + worker.lease + worker.sweep_every
    runtime = make_runtime(database, clock=lambda: latest)

    assert worker.lease + worker.sweep_every < RECOVERS_WITHIN
    if point == "after-commit":
        assert (before, row(database, delivery).status) == (1, "done")
        assert sweep_deliveries(runtime) == 0
        assert analyze_delivery(runtime, delivery) == "not-due"
    else:
        assert (before, row(database, delivery).status) == (0, "claimed")
        assert analyze_delivery(make_runtime(database, clock=database.now), delivery) == "not-due", "the lease holds"
        assert sweep_deliveries(runtime) == 1
        assert analyze_delivery(runtime, delivery) == "done"
        assert row(database, delivery).attempt == 2
    assert analyses_stored(database) == 1
    with database.reading() as session:
        assert deliveries.counts(session)["done"] == 1

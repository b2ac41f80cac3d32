"""PostgreSQL goes away in the middle of a delivery, and its worker cannot even say so (design law 6, R-24)."""

from __future__ import annotations

import os
import signal

import pytest

from tests.faults.ledgers import read_rows
from tests.faults.rows import armed, put_merges, ring, stopped, views
from tests.faults.servers import IMMEDIATE
from tests.merge_payloads import FULL_NAME

pytestmark = [pytest.mark.xdist_group("faults"), pytest.mark.timeout(180)]


def test_r24_a_try_that_an_outage_of_postgresql_ended_is_not_counted(servers, fleet, fleet_database, tmp_path):
    """The lease is long: only the worker's own note brings the delivery back within the test."""
    environment, _ = armed(tmp_path, "after-load@1=STOP")
    rows = put_merges(fleet_database, 2)
    worker = fleet.start_worker("analyzer", concurrency=1, MERGECAST_WORKER__LEASE="600", **environment)
    ring(servers.broker_url, rows[1])
    fleet.until(lambda: stopped(worker.children()), "the work is under way", 60)
    servers.postgresql.halt(IMMEDIATE)
    for pid in stopped(worker.children()):
        os.kill(pid, signal.SIGCONT)
    fleet.until(lambda: "DatabaseUnavailable" in worker.log.read_text("utf-8"), "the worker has met the outage", 60)
    servers.postgresql.start()
    assert (views(fleet_database)[1].status, views(fleet_database)[1].tries) == ("claimed", 1)
    fleet.start_beat()
    fleet.until(lambda: read_rows(fleet_database).waiting == 0, "both are done", 60)

    view = views(fleet_database)[1]
    assert (view.status, view.attempt, view.tries) == ("done", 2, 1)
    assert read_rows(fleet_database).analyses == {(FULL_NAME, number): 1 for number in rows}

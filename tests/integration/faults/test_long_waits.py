"""Long runs and long waits never multiply their work, and hold up nobody and nothing else (C-65, C-66)."""

from __future__ import annotations

import os
import signal
import time
from datetime import timedelta

import pytest
import redis

from shared.store import deliveries
from tests.faults.ledgers import read_rows
from tests.faults.rows import armed, put_merges, ring, stopped, views
from tests.faults.servers import Break, Servers, broken
from tests.merge_payloads import FULL_NAME

pytestmark = [pytest.mark.xdist_group("faults"), pytest.mark.timeout(180)]


def test_c66_a_message_that_the_broker_delivers_four_times_starts_its_work_once(
    servers, fleet, fleet_database, tmp_path
):
    """A run that outlasts the visibility timeout is delivered again while it runs: here it is held at a named point."""
    environment, _ = armed(tmp_path, "after-load@1=STOP")
    row = put_merges(fleet_database, 1)[1]
    worker = fleet.start_worker("analyzer", MERGECAST_WORKER__LEASE="60", **environment)
    ring(servers.broker_url, row)
    fleet.until(lambda: stopped(worker.children()), "it runs and is held", 60)
    ring(servers.broker_url, row, row, row)
    with redis.Redis(port=servers.valkey.port) as broker:
        fleet.until(lambda: not broker.llen("analysis") and broker.zcard("unacked_index") <= 1, "all were taken", 30)
    assert views(fleet_database)[1].attempt == 1
    for pid in stopped(worker.children()):
        os.kill(pid, signal.SIGCONT)
    fleet.until(lambda: views(fleet_database)[1].status == "done", "it is done", 30)

    assert views(fleet_database)[1].attempt == 1
    assert read_rows(fleet_database).analyses == {(FULL_NAME, 1): 1}


@pytest.mark.parametrize("how", [Break.STOPPED, Break.WIPED])
def test_c65_a_worker_with_a_long_run_in_work_hears_again_after_a_restart_of_valkey(
    servers, fleet, fleet_database, tmp_path, how
):
    """One process of the worker is held at a named point; the other waits for a message when the server goes."""
    environment, _ = armed(tmp_path, "after-load@1=STOP")
    put_merges(fleet_database, 1)
    worker = fleet.start_worker("analyzer", MERGECAST_WORKER__LEASE="60", **environment)
    fleet.start_beat()
    fleet.until(lambda: stopped(worker.children()), "it runs and is held", 60)
    fleet.until(lambda: _waits_for_a_message(servers), "the worker waits for the next message", 30)
    with broken(servers.valkey, how):
        put_merges(fleet_database, 1, first=2)
        time.sleep(2)
    fleet.until(lambda: views(fleet_database)[2].status == "done", "the other process has done what was put", 60)
    for pid in stopped(worker.children()):
        os.kill(pid, signal.SIGCONT)
    fleet.until(lambda: views(fleet_database)[1].status == "done", "the long run is done", 30)

    assert worker.starts == 1
    assert {number: view.attempt for number, view in views(fleet_database).items()} == {1: 1, 2: 1}
    assert read_rows(fleet_database).analyses == {(FULL_NAME, 1): 1, (FULL_NAME, 2): 1}


def _waits_for_a_message(servers: Servers) -> bool:
    with redis.Redis(port=servers.valkey.port) as broker:
        return any(client["cmd"] == "brpop" for client in broker.client_list())


def test_c66_a_delivery_postponed_for_hours_costs_no_message_until_it_is_due(servers, fleet, fleet_database):
    waiting_row, _ = put_merges(fleet_database, 2).values()
    now = fleet_database.now()
    with fleet_database.transaction() as session:
        claim = deliveries.claim(session, waiting_row, now, timedelta(seconds=60))
    with fleet_database.transaction() as session:
        assert deliveries.postpone(session, claim, "limit reached", now + timedelta(hours=3), now)
    fleet.start_worker("analyzer")
    fleet.start_beat()
    fleet.until(lambda: views(fleet_database)[2].status == "done", "a sweep has rung for what is due", 60)

    with redis.Redis(port=servers.valkey.port) as broker:

        def left() -> list[bytes]:
            waiting = broker.lrange("analysis", 0, -1) + list(broker.hgetall("unacked").values())
            return [message for message in waiting if b"analyze_delivery" in message]

        # The row is done a moment before its message is acknowledged.
        fleet.until(lambda: not left(), "no message of a delivery is left", 20)
    assert views(fleet_database)[1].attempt == 1

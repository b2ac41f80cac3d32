"""A real worker process that is alive and deaf ends itself, and health is red meanwhile (R-21, C-65)."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest
from fastapi import Response

from shared.broker.watchdog import DEAF
from shared.health import HealthRoutes
from shared.store.session import Database
from tests.integration.gates.conftest import Start
from tests.integration.gates.watching import counted, seconds_until
from tests.integration.workers.celery_processes import worker
from tests.integration.workers.inbox import put
from tests.merge_payloads import merge_payload

pytestmark = pytest.mark.xdist_group("faults")


@pytest.fixture
def environment(environment: dict[str, str]) -> dict[str, str]:
    """Deaf after four seconds."""
    return environment | {"MERGECAST_WORKER__DEAF_AFTER": "PT4S"}


def test_c65_r21_a_deaf_worker_ends_itself_and_readiness_is_red_until_another_hears(
    start: Start, postgres: Database, tmp_path: Path
) -> None:
    # It listens to a queue that nothing of its own comes through: up, connected, and deaf to all that is due.
    deaf = start(worker, "analyzer", "publishing", "--concurrency=1")
    put(postgres, merge_payload(1), now=postgres.now())

    assert deaf.ended(60) == DEAF
    assert "worker.silent" in deaf.log
    assert "worker.deaf" in deaf.log
    red = Response()
    assert HealthRoutes(postgres, postgres.now, timedelta(seconds=2)).ready(red).work == "overdue"
    assert red.status_code == 503

    # The ring of the watchdog still waits in the right queue: no beat is needed for the work to be found.
    start(worker, "analyzer", "analysis", "--concurrency=1")
    seconds_until(lambda: counted(postgres)["done"] == 1, tmp_path)
    assert HealthRoutes(postgres, postgres.now, timedelta(seconds=2)).ready(Response()).work == "flowing"


def test_r21_without_a_beat_the_watchdog_has_the_work_found_and_does_not_end_the_worker(
    start: Start, postgres: Database, tmp_path: Path
) -> None:
    hearing = start(worker, "analyzer", "analysis", "--concurrency=1")
    put(postgres, merge_payload(1), now=postgres.now())
    seconds_until(lambda: counted(postgres)["done"] == 1, tmp_path)

    assert "worker.silent" in hearing.log
    assert "worker.deaf" not in hearing.log
    assert hearing.stop() == 0

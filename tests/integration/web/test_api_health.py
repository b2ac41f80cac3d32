from __future__ import annotations

from datetime import timedelta

import pytest

from shared.store import deliveries
from shared.store.session import Database
from tests.integration.web.serving import NOW, client

NOWHERE = Database("postgresql://nobody:canary@127.0.0.1:9/nothing")
READY = {
    "status": "ready",
    "database": "reachable",
    "migrations": "current",
    "work": "flowing",
    "oldest_due_seconds": None,
    "parked_deliveries": 0,
}


def test_health_needs_no_token_and_tells_no_detail(database: Database) -> None:
    with client(database) as http:
        del http.headers["Authorization"]
        alive, ready = http.get("/healthz"), http.get("/readyz")

    assert (alive.status_code, alive.json()) == (200, {"status": "ok"})
    assert (ready.status_code, ready.json()) == (200, READY)


@pytest.mark.parametrize(("waited", "status", "work"), [(59, 200, "flowing"), (61, 503, "overdue")])
def test_r21_c65_readiness_is_red_while_work_waits_for_longer_than_a_minute(
    waited: int, status: int, work: str, database: Database
) -> None:
    incoming = deliveries.IncomingDelivery(source="hook:1", guid="a", event="pull_request", payload=b"{}")
    with database.transaction() as session:
        deliveries.record(session, incoming, NOW - timedelta(seconds=waited))
    with client(database) as http:
        alive, ready = http.get("/healthz"), http.get("/readyz")

    assert alive.status_code == 200
    assert (ready.status_code, ready.json()["work"]) == (status, work)
    assert ready.json()["oldest_due_seconds"] == waited


def test_a_database_that_is_not_migrated_is_not_ready(empty_database: Database) -> None:
    with client(empty_database) as http:
        answer = http.get("/readyz")

    assert answer.status_code == 503
    assert answer.json()["migrations"] == "not current"


def test_a_database_that_is_down_is_not_ready_and_the_process_is_alive() -> None:
    with client(NOWHERE) as http:
        alive, ready = http.get("/healthz"), http.get("/readyz")

    assert alive.status_code == 200
    assert (ready.status_code, ready.json()["database"]) == (503, "unreachable")
    assert "canary" not in ready.text

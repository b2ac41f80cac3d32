"""What PostgreSQL can do to us: restarts, a full disk, limits of time; nothing is lost and the fault has one name."""

from __future__ import annotations

import signal
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import text

from shared.store import deliveries, migrate
from shared.store.deliveries import IncomingDelivery
from shared.store.session import Database, DatabaseUnavailable
from tests.servers.postgresql import PostgresServer

NOW = datetime(2026, 5, 6, 12, 0, tzinfo=UTC)


@pytest.fixture
def postgres(postgres_url: str) -> Iterator[Database]:
    opened = Database(postgres_url)
    yield opened
    opened.dispose()


def record(database: Database, guid: str) -> bool:
    incoming = IncomingDelivery(source="hook:1", guid=guid, event="pull_request", payload=b"{}")
    with database.transaction() as session:
        return not deliveries.record(session, incoming, NOW).duplicate


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGQUIT])
def test_r24_a_restart_costs_no_more_than_the_outage(how: signal.Signals) -> None:
    server = PostgresServer()
    database = Database(server.url("store"))
    try:
        server.start()
        server.create("store")
        migrate.upgrade(database)
        assert record(database, "before")
        server.halt(how)
        with pytest.raises(DatabaseUnavailable):
            record(database, "while it is down")
        server.start()
        assert not record(database, "before")
        assert record(database, "after")
    finally:
        database.dispose()
        server.stop()


def test_r43_a_full_disk_is_an_outage_and_keeps_nothing(postgres: Database) -> None:
    with postgres.transaction() as session:
        session.execute(
            text(
                "CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS "
                "$$ BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = '53100'; END $$"
            )
        )
        session.execute(
            text("CREATE TRIGGER disk BEFORE INSERT ON deliveries FOR EACH ROW EXECUTE FUNCTION full_disk()")
        )
    with pytest.raises(DatabaseUnavailable, match="could not extend file"):
        record(postgres, "g")
    with postgres.transaction() as session:
        session.execute(text("DROP TRIGGER disk ON deliveries"))
    assert record(postgres, "g")


def test_statements_and_locks_have_limits(postgres: Database) -> None:
    with postgres.reading() as session:
        limits = {
            name: session.scalar(text(f"SHOW {name}")) for name in ("statement_timeout", "lock_timeout", "timezone")
        }
    assert limits == {"statement_timeout": "15s", "lock_timeout": "5s", "timezone": "UTC"}


def test_a_reading_cannot_write(postgres: Database) -> None:
    with pytest.raises(Exception, match="read-only transaction"), postgres.reading() as session:
        session.execute(text("DELETE FROM deliveries"))
    assert record(postgres, "g")


def test_d07_the_time_is_that_of_the_database(postgres: Database) -> None:
    before = datetime.now(UTC)
    told = postgres.now()
    assert told.utcoffset() == timedelta(0)
    assert abs(told - before) < timedelta(seconds=30)
    time.sleep(0.001)
    assert postgres.now() > told


def test_an_unreachable_server_is_an_outage_in_one_line() -> None:
    database = Database("postgresql://me:geheim@127.0.0.1:1/store")
    with pytest.raises(DatabaseUnavailable) as refused, database.reading() as session:
        session.execute(text("SELECT 1"))
    assert "geheim" not in str(refused.value)
    assert "\n" not in str(refused.value)
    database.dispose()

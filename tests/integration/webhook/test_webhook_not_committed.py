"""No 2xx without a committed row: the disk is full, or the commit is refused (R-43)."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager

import pytest
from sqlalchemy import text

from shared.store.session import Database
from tests.integration.webhook.posting import Bell, client, merged, post, written

FULL_DISK = """
CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = '53100'; END $$;
CREATE TRIGGER full_disk BEFORE INSERT ON deliveries FOR EACH ROW EXECUTE FUNCTION full_disk();
"""
REFUSED_COMMIT = """
CREATE FUNCTION refused() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN RAISE EXCEPTION 'no commit today' USING ERRCODE = 'P0001'; END $$;
CREATE CONSTRAINT TRIGGER refused AFTER INSERT ON deliveries DEFERRABLE INITIALLY DEFERRED
FOR EACH ROW EXECUTE FUNCTION refused();
"""
MENDED = """
DROP TRIGGER IF EXISTS full_disk ON deliveries;
DROP TRIGGER IF EXISTS refused ON deliveries;
"""
REFUSED_COMMIT_SQLITE = (
    "CREATE TABLE parent (id INTEGER PRIMARY KEY)",
    "CREATE TABLE child (id INTEGER REFERENCES parent (id) DEFERRABLE INITIALLY DEFERRED)",
    "CREATE TRIGGER refused AFTER INSERT ON deliveries BEGIN INSERT INTO child VALUES (NEW.id); END",
)


@contextmanager
def fault(database: Database, how: str) -> Iterator[None]:
    """No row can be stored in the block: the disk is full, or every commit is refused."""
    if database.dialect == "postgresql":
        broken, mended = ((FULL_DISK,) if how == "disk full" else (REFUSED_COMMIT,)), (MENDED,)
    elif how == "disk full":
        pages = str(written_pages(database))
        broken, mended = (f"PRAGMA max_page_count = {pages}",), ("PRAGMA max_page_count = 4294967294",)
    else:
        broken, mended = REFUSED_COMMIT_SQLITE, ("DROP TRIGGER refused", "DROP TABLE child", "DROP TABLE parent")
    change(database, *broken)
    try:
        yield
    finally:
        change(database, *mended)


def change(database: Database, *statements: str) -> None:
    """Run statements; a page limit of SQLite holds for one connection, so every connection of the pool gets it."""
    with ExitStack() as connections:
        for connection in [connections.enter_context(database.engine.connect()) for _ in range(4)]:
            for statement in statements:
                connection.exec_driver_sql(statement)
            connection.commit()
            if not statements[0].startswith("PRAGMA"):
                return


def written_pages(database: Database) -> int:
    """How large the file is."""
    with database.reading() as session:
        return int(session.execute(text("PRAGMA page_count")).scalar_one())


@pytest.mark.parametrize("how", ["disk full", "commit refused"])
def test_r43_while_nothing_can_be_committed_every_answer_is_503_and_what_is_sent_again_is_stored_once(
    how: str, database: Database
) -> None:
    bell = Bell()
    numbers = range(1, 41)

    def send(number: int) -> int:
        return int(post(http, merged(number), guid=f"guid-{number}").status_code)

    with client(database, bell=bell) as http, ThreadPoolExecutor(8) as senders:
        with fault(database, how):
            refused = list(senders.map(send, numbers))
            assert (set(refused), bell.rung, written(database)) == ({503}, [], (0, 0, 0))
        assert set(senders.map(send, numbers)) == {202}
        assert set(senders.map(send, numbers)) == {202}

    assert written(database) == (40, 0, 0)
    assert len(set(bell.rung)) == len(bell.rung) == 40


def test_r43_a_delivery_that_alone_cannot_be_stored_takes_none_of_its_company_with_it(postgres_url: str) -> None:
    database = Database(postgres_url)
    change(database, "ALTER TABLE deliveries ADD CONSTRAINT odd CHECK (number <> 13)")

    def send(number: int) -> int:
        return int(post(http, merged(number), guid=f"guid-{number}").status_code)

    with client(database) as http, ThreadPoolExecutor(16) as senders:
        answers = dict(zip(range(1, 41), senders.map(send, range(1, 41)), strict=True))

    assert answers == {number: 500 if number == 13 else 202 for number in range(1, 41)}
    assert written(database) == (39, 0, 0)
    database.dispose()

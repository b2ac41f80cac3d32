"""One place commits, transactions do not nest, and only the databases that are known are opened."""

from __future__ import annotations

import os
import re
import threading
from pathlib import Path

import pytest
from sqlalchemy import text

from shared.domain.errors import InvalidInput
from shared.store.session import Database, DatabaseUnavailable, in_transaction

ROOT = Path(__file__).parents[4]


@pytest.fixture
def database(tmp_path: Path):
    opened = Database(f"sqlite:///{tmp_path / 'deep' / 'down' / 'store.sqlite3'}")
    yield opened
    opened.dispose()


def test_only_one_line_of_the_product_commits() -> None:
    commits = {
        (path.relative_to(ROOT).as_posix(), line.strip())
        for folder in ("services", "shared")
        for path in (ROOT / folder).rglob("*.py")
        for line in path.read_text("utf-8").splitlines()
        if re.search(r"\.commit\(|autocommit", line, re.IGNORECASE)
    }
    assert commits == {("shared/store/session.py", "session.commit()")}


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("mysql://root:geheim@localhost/x", "'mysql' is not a database"),
        ("sqlite://", "not shared between threads"),
        ("sqlite:///:memory:", "not shared between threads"),
        ("not a url", "cannot be read"),
    ],
)
def test_other_databases_are_refused_in_one_line(url: str, said: str) -> None:
    with pytest.raises(InvalidInput, match=said) as refused:
        Database(url)
    assert "geheim" not in str(refused.value)
    assert "\n" not in str(refused.value)


def test_the_shown_url_has_no_password() -> None:
    assert Database("postgres://me:geheim@db/x").url == "postgresql+psycopg://me:***@db/x"


def test_a_database_touches_nothing_until_it_is_used(tmp_path: Path) -> None:
    Database(f"sqlite:///{tmp_path / 'later.sqlite3'}")
    assert list(tmp_path.iterdir()) == []


def test_a_new_file_and_its_folder_belong_to_their_owner_alone(database: Database) -> None:
    with database.reading() as session:
        file = Path(str(session.scalar(text("SELECT file FROM pragma_database_list"))))
    assert (file.parent.stat().st_mode & 0o777, file.stat().st_mode & 0o777) == (0o700, 0o600)


def test_a_file_that_cannot_be_made_is_told_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    database = Database(f"sqlite:///{tmp_path / 'file' / 'store.sqlite3'}")
    with pytest.raises(InvalidInput, match="cannot be made") as refused, database.reading():
        pass
    assert "\n" not in str(refused.value)


def test_r42_sqlite_is_prepared_for_several_threads(database: Database) -> None:
    with database.reading() as session:
        answers = {
            name: session.scalar(text(f"PRAGMA {name}"))
            for name in ("journal_mode", "synchronous", "foreign_keys", "busy_timeout")
        }
    assert answers == {"journal_mode": "wal", "synchronous": 1, "foreign_keys": 1, "busy_timeout": 20000}


def test_an_error_rolls_everything_back(database: Database) -> None:
    with database.transaction() as session:
        session.execute(text("CREATE TABLE kept (x INTEGER)"))

    def fails() -> None:
        with database.transaction() as session:
            session.execute(text("INSERT INTO kept VALUES (1)"))
            raise LookupError

    with pytest.raises(LookupError):
        fails()
    with database.reading() as session:
        assert session.scalar(text("SELECT count(*) FROM kept")) == 0


def test_reading_keeps_nothing(database: Database) -> None:
    with database.transaction() as session:
        session.execute(text("CREATE TABLE kept (x INTEGER)"))
    with database.reading() as session:
        session.execute(text("INSERT INTO kept VALUES (1)"))
    with database.reading() as session:
        assert session.scalar(text("SELECT count(*) FROM kept")) == 0


def test_doors_can_tell_that_a_session_is_open(database: Database) -> None:
    seen = [in_transaction()]
    with database.transaction():
        seen.append(in_transaction())
    with database.reading():
        seen.append(in_transaction())
    seen.append(in_transaction())
    assert seen == [False, True, True, False]


def test_a_session_of_another_thread_does_not_count(database: Database) -> None:
    seen: list[bool] = []
    with database.transaction():
        other = threading.Thread(target=lambda: seen.append(in_transaction()))
        other.start()
        other.join()
    assert seen == [False]


def test_transactions_do_not_nest(database: Database) -> None:
    with database.transaction():
        with pytest.raises(RuntimeError, match="do not nest"), database.transaction():
            pass
        assert in_transaction()
    with database.transaction():
        pass


def test_a_database_that_cannot_be_opened_is_unavailable(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    database = Database(f"sqlite:///{tmp_path / 'folder'}")
    with pytest.raises(DatabaseUnavailable, match="does not serve") as refused, database.reading() as session:
        session.execute(text("SELECT 1"))
    assert "\n" not in str(refused.value)


def test_r43_a_full_database_is_unavailable_and_serves_again(database: Database) -> None:
    with database.transaction() as session:
        session.execute(text("CREATE TABLE rows (x BLOB)"))

    def fill() -> None:
        with database.transaction() as session:
            session.execute(text("PRAGMA max_page_count = 3"))
            session.execute(text("INSERT INTO rows VALUES (zeroblob(100000))"))

    with pytest.raises(DatabaseUnavailable, match="full"):
        fill()
    database.dispose()
    with database.transaction() as session:
        session.execute(text("INSERT INTO rows VALUES (zeroblob(100000))"))
        assert session.scalar(text("SELECT count(*) FROM rows")) == 1


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_r24_a_forked_process_makes_its_own_connections(database: Database) -> None:
    with database.transaction() as session:
        session.execute(text("CREATE TABLE kept (x INTEGER)"))
    parent = database.engine
    child = os.fork()
    if child == 0:
        fresh = database.engine is not parent
        with database.transaction() as session:
            session.execute(text("INSERT INTO kept VALUES (1)"))
        os._exit(0 if fresh else 1)
    _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) == 0
    assert database.engine is parent
    with database.reading() as session:
        assert session.scalar(text("SELECT count(*) FROM kept")) == 1

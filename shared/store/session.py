"""Connections to the database: the one place that commits, on SQLite and PostgreSQL alike (R-24, R-42)."""

from __future__ import annotations

import os
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event, select
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.orm import Session
from sqlalchemy.sql import func

from shared.domain.errors import InvalidInput, Transient

__all__ = ["Database", "DatabaseUnavailable", "Session", "in_transaction"]

_POSTGRESQL_OPTIONS = (
    "-c statement_timeout=15000 -c lock_timeout=5000 -c idle_in_transaction_session_timeout=60000 -c timezone=UTC"
)
_SQLITE_BUSY_SECONDS = 20.0
_IMMEDIATE = "mergecast_immediate"

_OUTAGES = (OperationalError, InterfaceError, PoolTimeout)

_open: ContextVar[str | None] = ContextVar("mergecast_open_session", default=None)


class DatabaseUnavailable(Transient):
    """The database is down, full, or too busy; nothing of the transaction was kept."""


def in_transaction() -> bool:
    """Whether this thread holds a session open: doors to networks, clones and models refuse to be called then."""
    return _open.get() is not None


class Database:
    """One database by its URL; connections are made on first use, for each process anew.

    ``url`` is ``sqlite:///path`` or ``postgresql://…`` (psycopg). InvalidInput when it is neither.
    """

    def __init__(self, url: str, *, echo: bool = False) -> None:
        self._url = _parsed(url)
        self._echo = echo
        self._guard = threading.Lock()
        self._writing = threading.Lock()
        self._engine: Engine | None = None
        self._owner = os.getpid()
        self._inherited: list[Engine] = []

    @property
    def dialect(self) -> str:
        """``sqlite`` or ``postgresql``."""
        return self._url.get_backend_name()

    @property
    def url(self) -> str:
        """The URL fit to be shown: without the password."""
        return self._url.render_as_string(hide_password=True)

    @property
    def engine(self) -> Engine:
        """The engine of this process, made on first use; InvalidInput when a SQLite file cannot be made."""
        if self._owner != os.getpid():
            self._leave_to_parent()
        with self._guard:
            if self._engine is None:
                self._engine = _sqlite(self._url, self._echo) if self.dialect == "sqlite" else self._postgresql()
            return self._engine

    @contextmanager
    def transaction(self) -> Iterator[Session]:
        """Yield a session that is committed at the end, or rolled back when the block raises.

        The one place that commits. Transactions do not nest (RuntimeError). SQLite begins IMMEDIATE, and writers of
        one process queue up here: its own waiting is neither fair nor quick. DatabaseUnavailable when the database is
        down, full or too busy.
        """
        if _open.get() == "transaction":
            raise RuntimeError("a transaction is open already, and transactions do not nest")
        engine = self.engine
        with self._one_writer(), _translated(), _marked("transaction"):
            bind = engine.execution_options(**{_IMMEDIATE: True})
            with Session(bind, expire_on_commit=False) as session:
                yield session
                session.flush()
                # Whatever refuses a commit: nothing was kept, and nothing is known to be wrong with the rows.
                with _translated((DBAPIError,)):
                    session.commit()

    @contextmanager
    def reading(self) -> Iterator[Session]:
        """Yield a session on one unchanging view of the data; nothing done in it is kept.

        DatabaseUnavailable when the database is down or too busy.
        """
        engine = self.engine
        with _translated(), _marked("reading"):
            bind = engine
            if self.dialect == "postgresql":
                bind = engine.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)
            with Session(bind, expire_on_commit=False) as session:
                yield session

    @contextmanager
    def migrating(self) -> Iterator[Connection]:
        """Yield a connection in a transaction of its own for changes of the schema; committed at the end."""
        bind = self.engine.execution_options(**{_IMMEDIATE: True})
        with self._one_writer(), _translated(), bind.begin() as connection:
            yield connection

    def now(self) -> datetime:
        """The time of the database in UTC: what is due is decided by one clock (D-07).

        SQLite has no clock but that of this process.
        """
        if self.dialect == "sqlite":
            return datetime.now(UTC)
        with self.reading() as session:
            instant: datetime = session.execute(select(func.clock_timestamp())).scalar_one()
            return instant.astimezone(UTC)

    def dispose(self) -> None:
        """Close every connection of this process; the next use opens new ones."""
        with self._guard:
            engine, self._engine = self._engine, None
        if engine is not None and self._owner == os.getpid():
            engine.dispose()

    def _postgresql(self) -> Engine:
        return create_engine(
            self._url,
            echo=self._echo,
            hide_parameters=True,
            pool_pre_ping=True,
            pool_size=10,
            max_overflow=30,
            pool_timeout=10,
            connect_args={
                "options": _POSTGRESQL_OPTIONS,
                "connect_timeout": 5,
                "application_name": "mergecast",
            },
        )

    def _leave_to_parent(self) -> None:
        """Forget what was inherited over a fork, without closing it: those connections belong to the parent."""
        self._guard, self._writing = threading.Lock(), threading.Lock()
        if self._engine is not None:
            self._inherited.append(self._engine)
        self._engine, self._owner = None, os.getpid()

    @contextmanager
    def _one_writer(self) -> Iterator[None]:
        if self.dialect != "sqlite":
            yield
            return
        writing = self._writing
        if not writing.acquire(timeout=_SQLITE_BUSY_SECONDS):
            raise DatabaseUnavailable("The database is too busy: no turn to write came within 20 s.")
        try:
            yield
        finally:
            writing.release()


def _parsed(text: str) -> URL:
    way_out = "Use sqlite:///path/to/file or postgresql://user@host/name."
    try:
        url = make_url(text)
    except ArgumentError as error:
        raise InvalidInput("The database URL cannot be read.", way_out) from error
    backend = url.get_backend_name()
    if backend in ("postgresql", "postgres"):
        return url.set(drivername="postgresql+psycopg")
    if backend != "sqlite":
        raise InvalidInput(f"'{backend}' is not a database that Mergecast knows.", way_out)
    if url.database in (None, "", ":memory:"):
        raise InvalidInput("SQLite in memory is not shared between threads.", way_out)
    return url


def _sqlite(url: URL, echo: bool) -> Engine:
    _make_file(Path(str(url.database)))
    engine = create_engine(
        url,
        echo=echo,
        hide_parameters=True,
        pool_size=10,
        max_overflow=30,
        connect_args={"timeout": _SQLITE_BUSY_SECONDS, "check_same_thread": False},
    )
    event.listen(engine, "connect", _prepare_sqlite)
    event.listen(engine, "begin", _begin_sqlite)
    event.listen(engine, "checkin", _end_what_is_open)
    return engine


def _make_file(path: Path) -> None:
    """The database holds what private repositories told: a new one belongs to its owner alone."""
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        path.touch(mode=0o600)
    except OSError as error:
        raise InvalidInput(
            f"The database file {path} cannot be made: {error.strerror}.", "Check the folder and its permissions."
        ) from error


def _prepare_sqlite(connection: sqlite3.Connection, _record: Any) -> None:
    # The driver's own transactions begin late and deferred, and would end at the first DDL: we begin ourselves.
    connection.isolation_level = None
    for setting in ("journal_mode=WAL", "synchronous=NORMAL", "foreign_keys=ON"):
        connection.execute(f"PRAGMA {setting}")


def _begin_sqlite(connection: Connection) -> None:
    immediate = connection.get_execution_options().get(_IMMEDIATE, False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if immediate else "BEGIN")


def _end_what_is_open(connection: sqlite3.Connection | None, _record: Any) -> None:
    """A commit that SQLite refused leaves its transaction open, and with it the lock that every writer needs."""
    if connection is not None and connection.in_transaction:
        connection.rollback()


@contextmanager
def _marked(kind: str) -> Iterator[None]:
    before = _open.get()
    _open.set(kind)
    try:
        yield
    finally:
        # Not reset(token): a generator dependency of the web framework ends in another context than it began in.
        _open.set(before)


@contextmanager
def _translated(errors: tuple[type[Exception], ...] = _OUTAGES) -> Iterator[None]:
    try:
        yield
    except errors as error:
        cause = str(getattr(error, "orig", None) or error).strip().splitlines()
        reason = cause[0] if cause else type(error).__name__
        raise DatabaseUnavailable(f"The database does not serve: {reason}.") from error

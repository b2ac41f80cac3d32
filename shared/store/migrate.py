"""Brings the schema of a database up to this program's, and notices a database that is ahead of it."""

from __future__ import annotations

import threading
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from alembic.util import CommandError
from sqlalchemy import Connection

from shared.domain.errors import InvalidInput
from shared.store.session import Database

_FOLDER = Path(__file__).parent / "migrations"
_MIGRATION_LOCK = 7_203_664_011
"""Any number that no other program takes an advisory lock on."""

_one_thread = threading.Lock()
"""Alembic's context is one for the whole process."""


def upgrade(database: Database) -> None:
    """Bring the schema up to this program's, in one transaction; several processes may do so at once.

    InvalidInput when the database was made by a newer program.
    """
    with _one_thread, database.migrating() as connection:
        if database.dialect == "postgresql":
            _be_patient(connection)
        revision = _revision(connection)
        _refuse_newer(revision)
        if revision != head_revision():
            command.upgrade(configuration(connection), "head")


def check(database: Database) -> None:
    """Do nothing when the schema is this program's; InvalidInput when it is newer, older or not there at all."""
    revision = current_revision(database)
    _refuse_newer(revision)
    if revision != head_revision():
        state = "has no tables yet" if revision is None else f"is at revision {revision}, not at {head_revision()}"
        raise InvalidInput(f"The database {database.url} {state}.", "Run `mergecast migrate`.")


def current_revision(database: Database) -> str | None:
    """Return the revision that the database is at; None when it was never migrated."""
    with database.reading() as session:
        return _revision(session.connection())


def head_revision() -> str:
    """Return the newest revision that this program knows."""
    head = _script().get_current_head()
    if head is None:
        raise AssertionError("the package holds at least one revision")
    return head


def configuration(connection: Connection) -> Config:
    """Return what Alembic's own commands need to work on ``connection``."""
    config = Config()
    config.set_main_option("script_location", str(_FOLDER).replace("%", "%%"))
    config.attributes["connection"] = connection
    return config


def _script() -> ScriptDirectory:
    return ScriptDirectory(str(_FOLDER))


def _revision(connection: Connection) -> str | None:
    return MigrationContext.configure(connection).get_current_revision()


def _refuse_newer(revision: str | None) -> None:
    if revision is None:
        return
    try:
        _script().get_revision(revision)
    except CommandError as error:
        raise InvalidInput(
            f"The database is newer than this program: it is at revision {revision}, which is not known here.",
            "Run the newer release of Mergecast that made it.",
        ) from error


def _be_patient(connection: Connection) -> None:
    """Wait for another process that migrates, but not long for a table: statements queue up behind a waiting lock."""
    connection.exec_driver_sql("SET LOCAL statement_timeout = 0")
    connection.exec_driver_sql("SET LOCAL lock_timeout = '120s'")
    connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_MIGRATION_LOCK})")
    connection.exec_driver_sql("SET LOCAL lock_timeout = '5s'")

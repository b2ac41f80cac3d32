"""Migrations: up, down and up again, nothing left for autogenerate, and a database that is ahead is refused."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import inspect, text

from shared.domain.errors import InvalidInput
from shared.store import migrate
from shared.store.session import Database
from shared.store.tables import LeasedRow


def table_names(database: Database) -> set[str]:
    with database.reading() as session:
        return set(inspect(session.connection()).get_table_names())


def test_up_down_and_up_again(empty_database: Database) -> None:
    tables = set(LeasedRow.metadata.tables)
    migrate.upgrade(empty_database)
    assert table_names(empty_database) == tables | {"alembic_version"}
    with empty_database.migrating() as connection:
        command.downgrade(migrate.configuration(connection), "base")
    assert table_names(empty_database) == {"alembic_version"}
    assert migrate.current_revision(empty_database) is None
    migrate.upgrade(empty_database)
    assert table_names(empty_database) == tables | {"alembic_version"}
    assert migrate.current_revision(empty_database) == migrate.head_revision()


def test_autogenerate_finds_no_difference(database: Database) -> None:
    with database.migrating() as connection:
        settings = {"compare_type": True, "compare_server_default": True}
        context = MigrationContext.configure(connection, opts=settings)
        assert compare_metadata(context, LeasedRow.metadata) == []


def test_upgrading_a_current_database_changes_nothing(database: Database) -> None:
    migrate.upgrade(database)
    migrate.check(database)


def test_several_processes_may_upgrade_at_once(empty_database: Database) -> None:
    url = empty_database.engine.url.render_as_string(hide_password=False)
    others = [Database(url) for _ in range(3)]
    with ThreadPoolExecutor(len(others)) as pool:
        assert list(pool.map(migrate.upgrade, others)) == [None] * len(others)
    for database in others:
        database.dispose()
    migrate.check(empty_database)


def test_a_failed_upgrade_leaves_nothing_behind(empty_database: Database) -> None:
    with empty_database.transaction() as session:
        session.execute(text("CREATE TABLE tags (already INTEGER)"))
    with pytest.raises(Exception, match="tags"):
        migrate.upgrade(empty_database)
    assert table_names(empty_database) == {"tags"}


def test_a_newer_database_is_refused_in_one_line(database: Database) -> None:
    with database.transaction() as session:
        session.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    for look in (migrate.check, migrate.upgrade):
        with pytest.raises(InvalidInput) as refused:
            look(database)
        assert "newer than this program" in refused.value.message
        assert "9999" in refused.value.message
        assert "\n" not in str(refused.value)


def test_a_database_without_tables_is_told_apart(empty_database: Database) -> None:
    with pytest.raises(InvalidInput, match="has no tables yet"):
        migrate.check(empty_database)

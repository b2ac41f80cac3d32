"""``mergecast migrate``: the step before the processes of a production set-up start."""

from __future__ import annotations

from sqlalchemy import create_engine, text

from shared.store import migrate
from shared.store.session import Database
from tests.integration.cli.conftest import Mergecast


def test_an_empty_postgresql_database_gets_its_tables_once(mergecast: Mergecast, empty_postgres_url: str) -> None:
    refused = mergecast("deliveries", MERGECAST_DATABASE__URL=empty_postgres_url)
    first = mergecast("migrate", MERGECAST_DATABASE__URL=empty_postgres_url)
    second = mergecast("migrate", MERGECAST_DATABASE__URL=empty_postgres_url)

    assert refused.returncode == 2
    assert "Run `mergecast migrate`." in refused.stderr
    assert f"went from empty to {migrate.head_revision()}" in " ".join(first.stdout.split())
    assert f"is at revision {migrate.head_revision()} already" in " ".join(second.stdout.split())
    database = Database(empty_postgres_url)
    migrate.check(database)
    database.dispose()


def test_a_database_of_a_newer_release_is_left_alone(mergecast: Mergecast, postgres_url: str) -> None:
    engine = create_engine(postgres_url)
    with engine.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    engine.dispose()

    answer = mergecast("migrate", MERGECAST_DATABASE__URL=postgres_url)

    assert answer.returncode == 2
    assert "newer than this program" in answer.stderr


def test_sqlite_is_migrated_in_its_data_folder(mergecast: Mergecast) -> None:
    answer = mergecast("migrate")

    assert answer.returncode == 0
    assert "mergecast.sqlite3 went from empty to" in " ".join(answer.stdout.split())

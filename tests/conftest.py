"""Fixtures of every test: databases on both engines, a Redis, and no sockets in unit tests."""

from __future__ import annotations

import gc
import itertools
import logging
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
import structlog
from hypothesis import HealthCheck, settings
from pytest_socket import disable_socket, enable_socket

from shared.store import migrate
from shared.store.session import Database
from tests.servers.postgresql import PostgresServer
from tests.servers.valkey import ValkeyServer

_TESTS = Path(__file__).parent
_UNIT = _TESTS / "unit"
_TEMPLATE = "mergecast_template"
_numbers = itertools.count(1)

# A shared machine is slow at times; fixtures that give each test its own database are meant to be shared by examples.
settings.register_profile(
    "mergecast", deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture]
)
settings.load_profile("mergecast")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests of one file run in one process, which makes what they share once, unless they name a group of their own."""
    for item in items:
        if item.get_closest_marker("xdist_group") is None:
            item.add_marker(pytest.mark.xdist_group(str(item.path.relative_to(_TESTS))))


def pytest_collection_finish() -> None:
    """Keep the collector of garbage off the thousands of collected tests: walking them would be timed as work of ours."""
    gc.collect()
    gc.freeze()


@pytest.fixture(autouse=True)
def _no_sockets_in_unit_tests(request: pytest.FixtureRequest) -> Iterator[None]:
    """A unit test that opens a connection fails; unix sockets stay, event loops need one."""
    if _UNIT not in request.path.parents:
        yield
        return
    disable_socket(allow_unix_socket=True)
    yield
    enable_socket()


@pytest.fixture(autouse=True)
def _logging_as_before() -> Iterator[None]:
    """A test that sets up logging, as a starting service does, leaves none of it to the next one."""
    root = logging.getLogger()
    handlers, level = list(root.handlers), root.level
    yield
    root.handlers, root.level = handlers, level
    structlog.reset_defaults()


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[PostgresServer]:
    """One PostgreSQL for the session (for each process of a parallel run), with a migrated template database."""
    server = PostgresServer()
    try:
        server.start()
        server.create(_TEMPLATE)
        template = Database(server.url(_TEMPLATE))
        migrate.upgrade(template)
        template.dispose()
        yield server
    finally:
        server.stop()


@pytest.fixture
def empty_postgres_url(postgres_server: PostgresServer) -> Iterator[str]:
    """The URL of a PostgreSQL database of this test's own, without tables."""
    name = f"empty_{next(_numbers)}"
    postgres_server.create(name)
    yield postgres_server.url(name)
    postgres_server.drop(name)


@pytest.fixture
def postgres_url(postgres_server: PostgresServer) -> Iterator[str]:
    """The URL of a PostgreSQL database of this test's own, migrated."""
    name = f"test_{next(_numbers)}"
    postgres_server.create(name, template=_TEMPLATE)
    yield postgres_server.url(name)
    postgres_server.drop(name)


@pytest.fixture(scope="session")
def sqlite_template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A migrated SQLite file that tests copy."""
    path = tmp_path_factory.mktemp("sqlite") / "template.sqlite3"
    database = Database(f"sqlite:///{path}")
    migrate.upgrade(database)
    database.dispose()
    return path


@pytest.fixture
def sqlite_url(sqlite_template: Path, tmp_path: Path) -> str:
    """The URL of a SQLite database of this test's own, migrated."""
    path = tmp_path / "mergecast.sqlite3"
    shutil.copyfile(sqlite_template, path)
    return f"sqlite:///{path}"


@pytest.fixture(params=["sqlite", "postgresql"])
def database_url(request: pytest.FixtureRequest) -> str:
    """The URL of a migrated database of this test's own: the test runs on both engines."""
    url: str = request.getfixturevalue("sqlite_url" if request.param == "sqlite" else "postgres_url")
    return url


@pytest.fixture
def database(database_url: str) -> Iterator[Database]:
    """A migrated database of this test's own: the test runs on both engines."""
    opened = Database(database_url)
    yield opened
    opened.dispose()


@pytest.fixture
def sqlite_database(sqlite_url: str) -> Iterator[Database]:
    """A migrated database of this test's own on SQLite, for long tests of what is above the store."""
    opened = Database(sqlite_url)
    yield opened
    opened.dispose()


@pytest.fixture(params=["sqlite", "postgresql"])
def empty_database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Database]:
    """A database of this test's own without tables, on both engines."""
    if request.param == "sqlite":
        opened = Database(f"sqlite:///{tmp_path / 'empty.sqlite3'}")
    else:
        opened = Database(request.getfixturevalue("empty_postgres_url"))
    yield opened
    opened.dispose()


@pytest.fixture(scope="session")
def redis_server() -> Iterator[ValkeyServer]:
    """One Valkey for the session; tests that halt it start it again."""
    server = ValkeyServer()
    try:
        server.start()
        yield server
    finally:
        server.stop()


@pytest.fixture
def redis_url(redis_server: ValkeyServer) -> str:
    """The URL of the session's Valkey, emptied for this test."""
    redis_server.wipe()
    return redis_server.url

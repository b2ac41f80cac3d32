"""A worker, a beat and a receiver around a Valkey of the test's own, which it may break."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from shared.store.session import Database
from tests.integration.workers.celery_processes import CeleryProcess
from tests.servers.valkey import ValkeyServer

Start = Callable[..., CeleryProcess]


@pytest.fixture
def valkey() -> Iterator[ValkeyServer]:
    """A Valkey that this test may break."""
    server = ValkeyServer()
    try:
        server.start()
        yield server
    finally:
        server.stop()


@pytest.fixture
def environment(tmp_path: Path, valkey: ValkeyServer, postgres_url: str) -> dict[str, str]:
    """Settings of every process, with times made short."""
    return {
        "MERGECAST_DATA_FOLDER": str(tmp_path / "data"),
        "MERGECAST_BROKER__URL": valkey.url,
        "MERGECAST_DATABASE__URL": postgres_url,
        "MERGECAST_WORKER__LEASE": "PT3S",
        "MERGECAST_WORKER__RENEW_EVERY": "PT1S",
        "MERGECAST_WORKER__SWEEP_EVERY": "PT1S",
    }


@pytest.fixture
def start(tmp_path: Path, environment: dict[str, str]) -> Iterator[Start]:
    """Starts processes; each is ended at the end of the test."""
    started: list[CeleryProcess] = []

    def begin(make: Start, *arguments: str) -> CeleryProcess:
        process = make(tmp_path, environment, *arguments)
        started.append(process)
        return process

    yield begin
    for process in started:
        process.kill()


@pytest.fixture
def postgres(postgres_url: str) -> Iterator[Database]:
    """The database of the processes."""
    opened = Database(postgres_url)
    yield opened
    opened.dispose()

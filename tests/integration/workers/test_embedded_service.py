"""The whole service in this process: starts, heals, stops in time, and refuses what it should."""

from __future__ import annotations

import logging
import socket
import threading
import time
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path

import pytest
import structlog

from services.cli.embedded import EmbeddedService
from services.cli.first_start import credentials_file
from shared.domain.errors import InvalidInput
from shared.settings import Settings, WorkerSettings
from shared.store import deliveries
from shared.store.session import Database
from tests.integration.workers.inbox import put
from tests.merge_payloads import merge_payload


@pytest.fixture(autouse=True)
def _logging_is_put_back() -> Iterator[None]:
    root = logging.getLogger()
    handlers, level = root.handlers, root.level
    yield
    structlog.reset_defaults()
    root.handlers, root.level = handlers, level


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Callable[..., EmbeddedService]]:
    """Starts services; each is stopped at the end."""
    started: list[EmbeddedService] = []

    def begin(**values: object) -> EmbeddedService:
        settings = Settings(**({"data_folder": tmp_path / "data"} | values))
        service = EmbeddedService(settings, port=0)
        service.start()
        started.append(service)
        return service

    yield begin
    for service in started:
        service.stop()


def counted(service: EmbeddedService) -> dict[str, int]:
    """Deliveries by status."""
    database = Database(service.settings.database_url)
    with database.reading() as session:
        found = deliveries.counts(session)
    database.dispose()
    return found


def until(holds: Callable[[], bool], seconds: float = 30.0) -> None:
    """Wait until it holds."""
    deadline = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < deadline, "it did not come in time"
        time.sleep(0.05)


def test_r12_a_delivery_that_nobody_rang_for_is_found_by_the_sweeper(start):
    service = start(worker=WorkerSettings(sweep_every=timedelta(seconds=1)))
    database = Database(service.settings.database_url)
    for number in range(1, 6):
        put(database, merge_payload(number), now=database.now())
    database.dispose()

    until(lambda: counted(service)["done"] == 5)


def test_it_stops_within_seconds_and_starts_again_on_the_same_folder(start):
    service = start()
    assert service.alive
    begun = time.monotonic()
    assert service.stop() is True
    assert time.monotonic() - begun < 10
    assert not service.alive
    assert service.stop() is True

    assert start().alive


def test_a_task_that_hangs_is_left_to_its_lease(start, monkeypatch):
    entered, release = threading.Event(), threading.Event()

    def hang(_runtime: object, _delivery_id: int) -> None:
        entered.set()
        release.wait(60)

    monkeypatch.setattr("services.analyzer.tasks.analyze_delivery", hang)
    service = start(worker=WorkerSettings(sweep_every=timedelta(seconds=1)))
    database = Database(service.settings.database_url)
    put(database, merge_payload(1), now=database.now())
    database.dispose()
    assert entered.wait(20)

    begun = time.monotonic()
    assert service.stop() is False
    assert time.monotonic() - begun < 10
    release.set()
    until(lambda: not any(thread.name == "worker" for thread in threading.enumerate()))


def test_a_port_in_use_is_one_clear_line_and_nothing_stays_behind(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        service = EmbeddedService(Settings(data_folder=tmp_path / "data"), port=port)
        with pytest.raises(InvalidInput, match=f"port {port}"):
            service.start()

    assert not service.alive
    again = EmbeddedService(Settings(data_folder=tmp_path / "data"), port=port)
    again.start()
    assert again.url == f"http://127.0.0.1:{port}"
    again.stop()


def test_a_data_folder_that_cannot_be_made_is_one_clear_line(tmp_path):
    (tmp_path / "file").write_text("in the way")

    with pytest.raises(InvalidInput, match="cannot be made"):
        EmbeddedService(Settings(data_folder=tmp_path / "file" / "data"), port=0).start()


def test_nothing_is_open_without_settings(start):
    service = start()

    assert service.new_credentials is not None
    assert service.settings.webhook.secrets
    assert service.settings.api.tokens
    assert credentials_file(service.settings).exists()
    assert service.settings.data_folder.stat().st_mode & 0o077 == 0

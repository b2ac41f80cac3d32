"""The whole service in one process with a model: from a stored delivery to an analysis, whatever the model does."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
import structlog

from services.cli.embedded import EmbeddedService
from shared.settings import ModelSettings, Settings, WorkerSettings
from shared.store.model_states import state_of
from shared.store.session import Database
from tests.integration.readings.house import BODY, House
from tests.integration.readings.test_modes import R60_MODES
from tests.integration.workers.inbox import put
from tests.merge_payloads import merge_payload
from tests.servers.model.server import ModelServer

SETTLED = {"done", "rules", "retry"}
QUICK = WorkerSettings(sweep_every=timedelta(seconds=1))


@pytest.fixture(autouse=True)
def _logging_is_put_back() -> Iterator[None]:
    root = logging.getLogger()
    handlers, level = root.handlers, root.level
    yield
    structlog.reset_defaults()
    root.handlers, root.level = handlers, level


@pytest.fixture
def start(tmp_path: Path, server: ModelServer) -> Iterator[Callable[..., House]]:
    """Starts the service and returns its database with what can be asked of it; it is stopped at the end."""
    started: list[tuple[EmbeddedService, Database]] = []

    def begin(**model: Any) -> House:
        chosen = ModelSettings(**({"name": "scripted", "base_url": server.url} | model))
        service = EmbeddedService(Settings(data_folder=tmp_path / "data", worker=QUICK, model=chosen), port=0)
        service.start()
        database = Database(service.settings.database_url)
        started.append((service, database))
        return House(database, server)

    yield begin
    for service, database in started:
        server.ending.set()
        service.stop()
        database.dispose()


def until(holds: Callable[[], bool], seconds: float = 60.0) -> None:
    """Wait until it holds."""
    deadline = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < deadline, "it did not come in time"
        time.sleep(0.05)


def _rests(house: House) -> bool:
    """Whether all that is not settled was never begun, and begins when the model, put to rest by others, wakes."""
    with house.database.reading() as session:
        state = state_of(session, house.server.url, "scripted")
    wakes_at = state.wait_until if state is not None else None
    return wakes_at is not None and wakes_at > house.database.now() and set(house.counts()) <= {*SETTLED, "new"}


def deliver(house: House, number: int, **facts: Any) -> None:
    """Store a delivery as the receiver does; the sweeper finds it."""
    put(house.database, merge_payload(number, **({"body": BODY} | facts)), now=house.database.now())


def test_r60_every_fault_at_once_ends_in_an_analysis_and_a_reading_or_a_retry(
    start: Callable[..., House], server: ModelServer
) -> None:
    for mode in R60_MODES:
        server.when(f"Fault {mode} of the queue", mode)
    house = start(deadline=timedelta(seconds=1))
    numbers = dict(enumerate(R60_MODES, 1))
    for number, mode in numbers.items():
        deliver(house, number, title=f"Fault {mode} of the queue")
    until(lambda: sum(house.counts().values()) == 20 and (set(house.counts()) <= SETTLED or _rests(house)))

    for number in numbers:
        view, analysis = house.view(number), house.analysis(number)
        assert (analysis.source == "model") == (view.status == "done")
        assert analysis.source_why or view.status == "done"
        assert view.requests <= 2
        assert view.status in SETTLED or view.requests == 0
        assert view.status != "retry" or view.next_attempt_at is not None
    assert len([call for call in house.calls() if call[1] != "unsent"]) == len(server.asked)


def test_slow_answers_hold_up_no_analysis(start: Callable[..., House], server: ModelServer) -> None:
    server.mode = "hang"
    house = start(deadline=timedelta(seconds=100), concurrency=4)
    for number in range(1, 9):
        deliver(house, number)
    until(lambda: len(server.asked) == 4)

    for number in range(9, 41):
        deliver(house, number)
    until(lambda: sum(house.counts().values()) == 40, 40)

    assert len(server.asked) == 4
    assert house.counts()["reading"] >= 4
    assert house.analysis(40).source == "rules"


def test_what_was_read_is_in_force_without_a_word_from_anybody(start: Callable[..., House]) -> None:
    house = start()
    deliver(house, 1)
    until(lambda: house.counts() == {"done": 1})

    assert house.analysis(1).source == "model"

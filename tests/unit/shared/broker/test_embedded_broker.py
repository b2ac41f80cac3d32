"""Worker and beat as threads of this process, over memory."""

from __future__ import annotations

import threading
import time
from datetime import timedelta

from shared.broker.app import create_app, ring_now
from shared.broker.embedded import EmbeddedBroker
from shared.broker.periodic import Periodic
from shared.broker.task_names import TaskName
from shared.settings.model import Settings


def test_it_runs_what_is_rung_ticks_and_stops_within_seconds(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    seen: list[int | str] = []
    ticked = threading.Event()
    done = threading.Event()

    def analyze(delivery_id: int) -> None:
        seen.append(delivery_id)
        if len(seen) == 20:
            done.set()

    app = create_app(
        Settings(),
        {TaskName.ANALYZE_DELIVERY: analyze, TaskName.BUILD_DUE: ticked.set},
        timetable=(Periodic(TaskName.BUILD_DUE, timedelta(hours=1)),),
    )
    broker = EmbeddedBroker(app, concurrency=2)
    broker.start()
    try:
        assert broker.alive
        for number in range(20):
            ring_now(app, TaskName.ANALYZE_DELIVERY, number)
        assert done.wait(20)
        assert ticked.wait(20)
    finally:
        started = time.monotonic()
        clean = broker.stop()

    assert clean
    assert time.monotonic() - started < 8
    assert sorted(seen) == list(range(20))
    assert not broker.alive
    assert list(tmp_path.iterdir()) == [], "beat keeps no schedule file that could break (R-30)"


def test_a_failing_task_does_not_stop_the_worker():
    after = threading.Event()

    def analyze(delivery_id: int) -> None:
        if delivery_id == 1:
            raise RuntimeError("broken")
        after.set()

    app = create_app(Settings(), {TaskName.ANALYZE_DELIVERY: analyze})
    broker = EmbeddedBroker(app, concurrency=1)
    broker.start()
    try:
        ring_now(app, TaskName.ANALYZE_DELIVERY, 1)
        ring_now(app, TaskName.ANALYZE_DELIVERY, 2)
        assert after.wait(20)
    finally:
        assert broker.stop()


def test_a_task_that_hangs_does_not_hold_up_the_stop():
    entered, release = threading.Event(), threading.Event()

    def analyze(_delivery_id: int) -> None:
        entered.set()
        release.wait(30)

    app = create_app(Settings(), {TaskName.ANALYZE_DELIVERY: analyze})
    broker = EmbeddedBroker(app, concurrency=1)
    broker.start()
    ring_now(app, TaskName.ANALYZE_DELIVERY, 1)
    assert entered.wait(20)

    started = time.monotonic()
    assert broker.stop(timeout=1) is False
    assert time.monotonic() - started < 5
    release.set()
    assert broker.stop(timeout=10)

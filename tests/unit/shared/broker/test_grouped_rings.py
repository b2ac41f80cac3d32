"""One message may ask for several rows: each is one call of the task, and none takes the others with it."""

from __future__ import annotations

from typing import Any

import pytest
from celery import Celery

from shared.broker import app as broker_app
from shared.broker.app import create_app
from shared.broker.task_names import TaskName
from shared.settings.model import Settings


class Worker:
    """A handler that remembers, and a time that goes on by ``seconds`` with each call."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, seconds: float = 0.0) -> None:
        self.called: list[Any] = []
        self.handed_on: list[tuple[Any, ...]] = []
        self.now = 0.0
        self._seconds = seconds
        monkeypatch.setattr(broker_app.time, "monotonic", lambda: self.now)
        monkeypatch.setattr(broker_app, "ring_now", self._hand_on)
        self.task = create_app(Settings(), {TaskName.ANALYZE_DELIVERY: self._handle}).tasks["analyzer.analyze_delivery"]

    def _handle(self, *argument: Any) -> None:
        self.now += self._seconds
        self.called.append(argument)
        if argument == (13,):
            raise LookupError(argument)

    def _hand_on(self, _app: Celery, _task: TaskName, *arguments: Any) -> None:
        self.handed_on.append(arguments)


def test_each_argument_is_a_call_of_its_own(monkeypatch):
    worker = Worker(monkeypatch)

    worker.task(1, 2, 3)
    worker.task()

    assert worker.called == [(1,), (2,), (3,), ()]
    assert worker.handed_on == []


def test_one_that_fails_is_told_after_the_others_had_their_turn(monkeypatch):
    worker = Worker(monkeypatch)

    with pytest.raises(LookupError):
        worker.task(12, 13, 14)

    assert worker.called == [(12,), (13,), (14,)]


def test_what_is_not_begun_within_a_second_is_handed_on_each_by_itself(monkeypatch):
    worker = Worker(monkeypatch, seconds=0.6)

    worker.task(1, 2, 3, 4)

    assert worker.called == [(1,), (2,)]
    assert worker.handed_on == [(3,), (4,)]


def test_a_single_slow_one_hands_nothing_on(monkeypatch):
    worker = Worker(monkeypatch, seconds=200)

    worker.task(1)

    assert (worker.called, worker.handed_on) == ([(1,)], [])

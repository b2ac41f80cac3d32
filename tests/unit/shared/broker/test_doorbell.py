"""The doorbell never holds up and never fails whoever rings it."""

from __future__ import annotations

import threading
import time

import pytest

from shared.broker.doorbell import Doorbell
from shared.broker.task_names import TaskName


def test_rings_are_sent_in_order():
    sent: list[object] = []
    bell = Doorbell(lambda task, argument: sent.append((task, argument)))

    for number in range(20):
        bell.ring(TaskName.ANALYZE_DELIVERY, number)
    bell.close()

    assert sent == [(TaskName.ANALYZE_DELIVERY, number) for number in range(20)]
    assert (bell.rung, bell.dropped, bell.failed) == (20, 0, 0)


def test_a_silent_broker_costs_the_caller_nothing_and_the_surplus_is_dropped():
    release = threading.Event()
    bell = Doorbell(lambda _task, _argument: release.wait(10) and None, capacity=5)

    started = time.monotonic()
    for number in range(1000):
        bell.ring(TaskName.ANALYZE_DELIVERY, number)
    elapsed = time.monotonic() - started
    dropped = bell.dropped
    release.set()
    bell.close()

    assert elapsed < 1
    assert 990 <= dropped <= 995
    assert bell.rung == 1000 - dropped


@pytest.mark.parametrize("error", [ConnectionRefusedError("no"), ValueError("odd"), RuntimeError("broken")])
def test_a_failing_broker_is_counted_and_the_next_ring_is_tried(error):
    sent: list[int | str] = []

    def send(_task: TaskName, argument: int | str) -> None:
        if argument == 1:
            raise error
        sent.append(argument)

    bell = Doorbell(send)
    bell.ring(TaskName.PUBLISH, 1)
    bell.ring(TaskName.PUBLISH, 2)
    bell.close()

    assert sent == [2]
    assert (bell.rung, bell.failed) == (1, 1)


def test_closing_waits_only_briefly_for_a_silent_broker():
    release = threading.Event()
    bell = Doorbell(lambda _task, _argument: release.wait(10) and None)
    bell.ring(TaskName.PUBLISH, 1)
    bell.ring(TaskName.PUBLISH, 2)

    started = time.monotonic()
    bell.close(timeout=0.3)
    elapsed = time.monotonic() - started
    release.set()

    assert elapsed < 1
    assert bell.dropped == 1


def test_a_ring_after_closing_is_dropped():
    bell = Doorbell(lambda _task, _argument: None)
    bell.close()
    bell.ring(TaskName.PUBLISH, 1)

    assert bell.dropped == 1

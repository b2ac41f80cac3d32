"""The doorbell never holds up and never fails whoever rings it."""

from __future__ import annotations

import threading
import time

import pytest

from shared.broker.doorbell import Doorbell
from shared.broker.task_names import TaskName


def test_rings_are_sent_in_order():
    sent: list[object] = []
    bell = Doorbell(lambda task, *arguments: sent.extend((task, argument) for argument in arguments))

    for number in range(20):
        bell.ring(TaskName.ANALYZE_DELIVERY, number)
    bell.close()

    assert sent == [(TaskName.ANALYZE_DELIVERY, number) for number in range(20)]
    assert (bell.rung, bell.dropped, bell.failed) == (20, 0, 0)


def test_a_silent_broker_costs_the_caller_nothing_and_the_surplus_is_dropped():
    release = threading.Event()
    bell = Doorbell(lambda *_ring: release.wait(10) and None, capacity=5)

    started = time.monotonic()
    for number in range(1000):
        bell.ring(TaskName.ANALYZE_DELIVERY, number)
    elapsed = time.monotonic() - started
    dropped = bell.dropped
    release.set()
    bell.close()

    assert elapsed < 5
    assert 990 <= dropped <= 995
    assert bell.rung == 1000 - dropped


@pytest.mark.parametrize("error", [ConnectionRefusedError("no"), ValueError("odd"), RuntimeError("broken")])
def test_a_failing_broker_is_counted_and_the_next_ring_is_tried(error):
    sent: list[int | str] = []

    def send(_task: TaskName, *arguments: int | str) -> None:
        if 1 in arguments:
            raise error
        sent.extend(arguments)

    bell = Doorbell(send)
    bell.ring(TaskName.PUBLISH, 1)
    bell.ring(TaskName.BUILD_DIGEST, 2)
    bell.close()

    assert sent == [2]
    assert (bell.rung, bell.failed) == (1, 1)


def test_closing_waits_only_briefly_for_a_silent_broker():
    release = threading.Event()
    bell = Doorbell(lambda *_ring: release.wait(10) and None)
    bell.ring(TaskName.PUBLISH, 1)
    bell.ring(TaskName.BUILD_DIGEST, 2)

    started = time.monotonic()
    bell.close(timeout=0.3)
    elapsed = time.monotonic() - started
    release.set()

    assert elapsed < 5
    assert bell.dropped == 1


def test_a_ring_after_closing_is_dropped():
    bell = Doorbell(lambda *_ring: None)
    bell.close()
    bell.ring(TaskName.PUBLISH, 1)

    assert bell.dropped == 1


def test_r22_rings_that_wait_together_are_one_message_for_each_task():
    sent: list[tuple[object, ...]] = []
    first, release = threading.Event(), threading.Event()

    def send(task: TaskName, *arguments: int | str) -> None:
        sent.append((task, *arguments))
        first.set()
        release.wait(10)

    bell = Doorbell(send)
    bell.ring(TaskName.ANALYZE_DELIVERY, 0)
    assert first.wait(5)
    for number in range(1, 11):
        bell.ring(TaskName.ANALYZE_DELIVERY, number)
    bell.ring(TaskName.PUBLISH, 99)
    release.set()
    bell.close()

    assert sent == [
        (TaskName.ANALYZE_DELIVERY, 0),
        (TaskName.ANALYZE_DELIVERY, *range(1, 9)),
        (TaskName.ANALYZE_DELIVERY, 9, 10),
        (TaskName.PUBLISH, 99),
    ]
    assert (bell.rung, bell.messages) == (12, 4)


def test_a_ring_that_finds_nobody_waiting_is_sent_at_once():
    rung = threading.Event()
    bell = Doorbell(lambda *_ring: rung.set())

    started = time.monotonic()
    bell.ring(TaskName.PUBLISH, 1)
    assert rung.wait(5)
    bell.close()

    assert time.monotonic() - started < 1

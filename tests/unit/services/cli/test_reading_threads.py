"""Readings of the embedded service run on threads of their own, and what they cannot take is left to the sweeper."""

from __future__ import annotations

import threading

from services.cli.reading_threads import ReadingThreads

GUARD = 10.0


def test_a_slow_reading_holds_up_nobody_who_hands_one_over() -> None:
    entered, release = threading.Semaphore(0), threading.Event()

    def read(_reading: int) -> None:
        entered.release()
        assert release.wait(GUARD)

    threads = ReadingThreads(read, 2)
    for reading in range(20):
        threads.take(reading)

    assert entered.acquire(timeout=GUARD)
    assert entered.acquire(timeout=GUARD)
    assert not entered.acquire(blocking=False), "two at a time"
    assert threads.stop(0.01) is False
    release.set()
    assert threads.stop(GUARD) is True


def test_what_ends_a_reading_ends_no_thread() -> None:
    seen: list[int] = []
    both = threading.Event()

    def read(reading: int) -> None:
        seen.append(reading)
        if len(seen) == 2:
            both.set()
        raise RuntimeError("a fault of ours")

    threads = ReadingThreads(read, 1)
    threads.take(1)
    threads.take(2)

    assert both.wait(GUARD)
    assert seen == [1, 2]
    assert threads.stop(GUARD) is True


def test_after_the_stop_nothing_is_taken_and_without_a_reading_there_is_no_thread() -> None:
    seen: list[int] = []
    threads = ReadingThreads(seen.append, 4)

    assert threads.stop(0.0) is True
    threads.take(1)
    assert seen == []

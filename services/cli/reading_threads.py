"""Threads of their own for the readings of the embedded service, so that slow answers hold up no analysis."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable

import structlog

_WAITING_FOR_EACH = 4

_log = structlog.get_logger(__name__)


class ReadingThreads:
    """Takes the tasks of readings off the worker's threads; what it cannot take the sweeper rings for again.

    Threads begin with the first task, and there is none where no model is set.
    """

    def __init__(self, read: Callable[[int], None], threads: int) -> None:
        self._read = read
        self._most = threads
        self._waiting: queue.Queue[int | None] = queue.Queue(threads * _WAITING_FOR_EACH)
        self._guard = threading.Lock()
        self._threads: list[threading.Thread] = []
        self._stopping = threading.Event()

    def take(self, reading_id: int) -> None:
        """Let one of the threads read it, as soon as one is free."""
        with self._guard:
            if self._stopping.is_set():
                return
            if len(self._threads) < self._most:
                thread = threading.Thread(target=self._run, name=f"reading-{len(self._threads)}", daemon=True)
                self._threads.append(thread)
                thread.start()
        try:
            self._waiting.put_nowait(reading_id)
        except queue.Full:
            _log.debug("reading.left_to_sweep", reading=reading_id)

    def stop(self, timeout: float) -> bool:
        """Take nothing more and wait for what runs; False when that takes longer than ``timeout`` seconds.

        A thread cannot be killed: the row of a reading that is left behind is leased, and read again when that ends.
        """
        with self._guard:
            self._stopping.set()
            threads = list(self._threads)
        for _ in threads:
            try:
                self._waiting.put_nowait(None)
            except queue.Full:
                break
        deadline = time.monotonic() + timeout
        for thread in threads:
            thread.join(max(deadline - time.monotonic(), 0.0))
        clean = not any(thread.is_alive() for thread in threads)
        if not clean:
            _log.warning("readings.abandoned", seconds=timeout)
        return clean

    def _run(self) -> None:
        while (reading_id := self._waiting.get()) is not None and not self._stopping.is_set():
            try:
                self._read(reading_id)
            except Exception as error:  # noqa: BLE001 - what ends a task ends no thread; the row says what came of it
                _log.error("reading.broken_off", reading=reading_id, exc_info=error)

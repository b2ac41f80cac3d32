"""Rings a worker without ever holding up or failing the caller: a lost ring is made up for by the sweeper."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable

import structlog

from shared.broker.task_names import TaskName

Ring = Callable[[TaskName, "int | str"], None]
"""What rings: ``(task, argument)``. May raise, or block for as long as the broker's socket timeouts allow."""

CAPACITY = 1000
_WARN_EVERY = 60.0

_log = structlog.get_logger(__name__)


class Doorbell:
    """A small bounded buffer and one daemon thread that sends.

    A ring that finds the buffer full, or that the broker refuses, is dropped and counted: the row it speaks of is
    committed, and the sweeper finds every row that is due (law 2). ``rung``, ``dropped`` and ``failed`` are counts.
    """

    def __init__(self, send: Ring, capacity: int = CAPACITY) -> None:
        self.rung = 0
        self.dropped = 0
        self.failed = 0
        self._send = send
        self._buffer: queue.Queue[tuple[TaskName, int | str]] = queue.Queue(capacity)
        self._closing = threading.Event()
        self._start = threading.Lock()
        self._thread: threading.Thread | None = None
        self._warned_at = -_WARN_EVERY

    def ring(self, task: TaskName, argument: int | str) -> None:
        """Ask for ``task`` with this id; returns at once, never raises."""
        if self._closing.is_set():
            self.dropped += 1
            return
        try:
            self._buffer.put_nowait((task, argument))
        except queue.Full:
            self.dropped += 1
            self._warn("doorbell.dropped", dropped=self.dropped)
            return
        self._ensure_thread()

    def close(self, timeout: float = 2.0) -> None:
        """Send what is buffered for at most ``timeout`` seconds, then drop the rest; rings after this are dropped."""
        self._closing.set()
        if self._thread is not None:
            self._thread.join(timeout)
        self.dropped += self._buffer.qsize()

    def _ensure_thread(self) -> None:
        """The thread is made at the first ring: a thread made before a fork does not exist after it."""
        if self._thread is not None and self._thread.is_alive():
            return
        with self._start:
            if self._thread is None or not self._thread.is_alive():
                self._thread = threading.Thread(target=self._run, name="doorbell", daemon=True)
                self._thread.start()

    def _run(self) -> None:
        while True:
            try:
                task, argument = self._buffer.get(timeout=0.2)
            except queue.Empty:
                if self._closing.is_set():
                    return
                continue
            try:
                self._send(task, argument)
                self.rung += 1
            except Exception as error:  # noqa: BLE001 - whatever the broker says, the sweeper covers it
                self.failed += 1
                self._warn("doorbell.failed", failed=self.failed, error=repr(error))

    def _warn(self, event: str, **values: object) -> None:
        """One line a minute: a broker that is down must not fill the log."""
        now = time.monotonic()
        if now - self._warned_at >= _WARN_EVERY:
            self._warned_at = now
            _log.warning(event, **values)

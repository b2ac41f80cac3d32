"""Rings a worker without ever holding up or failing the caller: a lost ring is made up for by the sweeper."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable

import structlog

from shared.broker.task_names import TaskName

Ring = Callable[[TaskName, "int | str"], None]
"""What rings: ``(task, argument)``."""

Send = Callable[..., None]
"""What sends one message: ``(task, *arguments)``. May raise, or block for as long as the socket timeouts allow."""

CAPACITY = 5000
"""Ids, not payloads: full, the buffer takes less than a megabyte. One sweep fits."""
LARGEST_GROUP = 8
"""So many ids in one message keep it below 1 KB (R-22); a message costs as much as the insert of its row."""
GATHER_SECONDS = 0.02
"""After a message, rings are gathered for this long unless a whole group waits; the first one is never held up."""
_WARN_EVERY = 60.0

_log = structlog.get_logger(__name__)


class Doorbell:
    """A small bounded buffer and one daemon thread that sends.

    Rings for the same task that wait together go out as one message. A ring that finds the buffer full, or that the
    broker refuses, is dropped and counted: the row it speaks of is committed, and the sweeper finds every row that is
    due (law 2). ``rung``, ``dropped`` and ``failed`` count rings, ``messages`` what was sent for those that were rung.
    """

    def __init__(self, send: Send, capacity: int = CAPACITY) -> None:
        self.rung = 0
        self.messages = 0
        self.dropped = 0
        self.failed = 0
        self._send = send
        self._buffer: queue.Queue[tuple[TaskName, int | str]] = queue.Queue(capacity)
        self._held_back: tuple[TaskName, int | str] | None = None
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
        self.dropped += self._buffer.qsize() + (self._held_back is not None)

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
            task, arguments = self._next_group()
            if task is None:
                if self._closing.is_set():
                    return
                continue
            try:
                self._send(task, *arguments)
                self.rung += len(arguments)
                self.messages += 1
            except Exception as error:  # noqa: BLE001 - whatever the broker says, the sweeper covers it
                self.failed += len(arguments)
                self._warn("doorbell.failed", failed=self.failed, error=repr(error))
            if self._buffer.qsize() < LARGEST_GROUP:
                self._closing.wait(GATHER_SECONDS)

    def _next_group(self) -> tuple[TaskName | None, list[int | str]]:
        """What waits for one task, in order; nobody waits for company. No task when there is nothing."""
        try:
            task, argument = self._held_back or self._buffer.get(timeout=0.2)
        except queue.Empty:
            return None, []
        self._held_back = None
        group = [argument]
        while len(group) < LARGEST_GROUP:
            try:
                following = self._buffer.get_nowait()
            except queue.Empty:
                break
            if following[0] is not task:
                self._held_back = following
                break
            group.append(following[1])
        return task, group

    def _warn(self, event: str, **values: object) -> None:
        """One line a minute: a broker that is down must not fill the log."""
        now = time.monotonic()
        if now - self._warned_at >= _WARN_EVERY:
            self._warned_at = now
            _log.warning(event, **values)

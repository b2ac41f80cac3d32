"""Worker threads and beat inside the calling process, over ``memory://``."""

from __future__ import annotations

import threading
from typing import Any

import structlog
from celery import Celery
from celery.beat import EmbeddedService
from celery.worker import WorkController, state

from shared.domain.errors import MergecastError

_log = structlog.get_logger(__name__)


class EmbeddedBroker:
    """One worker with a pool of threads and one beat thread; at most one in a process (Celery's stop flag is global).

    Messages live in memory and die with the process: the sweeper rings again for every row after a restart.
    """

    def __init__(self, app: Celery, concurrency: int) -> None:
        self._app = app
        self._concurrency = concurrency
        self._ready = threading.Event()
        self._worker: threading.Thread | None = None
        self._beat: Any = None

    def start(self, timeout: float = 10.0) -> None:
        """Start both and return when the worker takes tasks; MergecastError when it does not within ``timeout``."""
        state.should_stop = None
        self._app.finalize()
        # Celery's tracer looks its app up by thread and falls back to the default one; pool threads know no other.
        self._app.set_default()
        controller = WorkController(
            app=self._app,
            pool="threads",
            concurrency=self._concurrency,
            hostname="embedded@localhost",
            without_gossip=True,
            without_mingle=True,
            without_heartbeat=True,
            ready_callback=self._on_ready,
        )
        self._worker = threading.Thread(target=controller.start, name="worker", daemon=True)
        self._worker.start()
        if not self._ready.wait(timeout):
            self.stop()
            raise MergecastError("The embedded worker did not start.", "The log says why.")
        # A forked beat (what the worker's own option starts) cannot reach this process's memory: it has to be a thread.
        self._beat = EmbeddedService(self._app, thread=True, scheduler_cls=self._app.conf.beat_scheduler)
        self._beat.start()

    def stop(self, timeout: float = 8.0) -> bool:
        """Take no more tasks, wait for the running ones; False when one still runs after ``timeout`` seconds.

        A thread cannot be killed. The row of a task that is left behind is leased, and is tried again by the next
        process when the lease ends.
        """
        if self._beat is not None:
            # Not its own stop(): that waits without a limit.
            self._beat.service.stop(wait=False)
        state.should_stop = 0  # type: ignore[assignment]  # an exit code; the stubs know only None
        if self._worker is not None:
            self._worker.join(timeout)
        if self._beat is not None:
            self._beat.join(1.5)
        clean = self._worker is None or not self._worker.is_alive()
        if clean:
            state.should_stop = None
        else:
            _log.warning("worker.abandoned", seconds=timeout)
        return clean

    @property
    def alive(self) -> bool:
        """Whether both threads run."""
        return all(thread is not None and thread.is_alive() for thread in (self._worker, self._beat))

    def _on_ready(self, _consumer: object) -> None:
        self._ready.set()

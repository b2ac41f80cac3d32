"""Ends a worker that is alive and deaf, so that whoever supervises it starts it again (R-21, C-65)."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta

import structlog

from shared.broker.task_names import TaskName

LOOKS = 12
"""How often it looks within the time that it waits before it acts."""
DEAF = os.EX_TEMPFAIL
"""The exit code of a process that was ended for being deaf."""

_log = structlog.get_logger(__name__)


@dataclass(frozen=True)
class Watch:
    """What a worker is watched by.

    ``unattended`` asks the database for how long due rows have waited while nobody, in any process, took or held one;
    None when nothing is due or somebody is at work. ``sweep`` is the task that rings for every due row.
    """

    unattended: Callable[[], timedelta | None]
    sweep: TaskName
    patience: timedelta


class Watchdog:
    """A thread outside of Celery's loop, since it is that loop that goes deaf.

    Silence counts from the start of this process at the earliest, and anew after each time that database or broker did
    not answer or this process itself was stopped. Half-way it rings the sweep itself: a beat that is missing is then no
    reason to think that nobody hears.
    """

    def __init__(
        self,
        watch: Watch,
        ping: Callable[[], object],
        ring: Callable[[TaskName], None],
        end: Callable[[], None],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._watch = watch
        self._ping = ping
        self._ring = ring
        self._end = end
        self._clock = clock
        self._listening_since = self._looked_at = clock()
        self._rung = False

    def start(self) -> None:
        """Look again and again until the process ends."""
        threading.Thread(target=self._run, name="watchdog", daemon=True).start()

    def look(self) -> None:
        """Look once: ring, or end the process, when that is due; raises what database and broker raise."""
        patience = self._watch.patience.total_seconds()
        before, self._looked_at = self._looked_at, self._clock()
        if self._looked_at - before > patience / 2:
            self._listening_since = self._looked_at
        try:
            unattended = self._watch.unattended()
            if unattended is None:
                self._rung = False
                return
            self._ping()
        except Exception:
            self._listening_since = self._clock()
            raise
        silent = min(unattended.total_seconds(), self._clock() - self._listening_since)
        if silent >= patience:
            _log.critical("worker.deaf", unattended_seconds=unattended.total_seconds(), silent_seconds=silent)
            self._end()
        elif silent >= patience / 2 and not self._rung:
            self._rung = True
            _log.warning("worker.silent", unattended_seconds=unattended.total_seconds(), rung=self._watch.sweep.value)
            self._ring(self._watch.sweep)

    def _run(self) -> None:
        while True:
            time.sleep(self._watch.patience.total_seconds() / LOOKS)
            try:
                self.look()
            except Exception as error:  # noqa: BLE001 - a database or broker that is away is no deafness
                _log.warning("watchdog.cannot_look", error=type(error).__name__)

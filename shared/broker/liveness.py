"""Starts the watchdog in the main process of a worker, and ends that process with all its children."""

from __future__ import annotations

import os
import signal
import threading
from typing import Any

import billiard
import redis
import structlog
from celery import Celery, signals

from shared.broker.condition import concerns, ping
from shared.broker.task_names import TaskName
from shared.broker.watchdog import DEAF, Watch, Watchdog
from shared.settings.model import Settings

_log = structlog.get_logger(__name__)


def watch_worker(app: Celery, settings: Settings, watch: Watch) -> None:
    """Have the worker of ``app`` watched from its start; over ``memory://`` there is no broker to be deaf to."""
    if settings.embedded:
        return

    def begin(**_: Any) -> None:
        def ring(task: TaskName) -> None:
            app.send_task(task.value)

        threading.Thread(target=_warn, args=(settings,), name="broker-condition", daemon=True).start()
        Watchdog(watch, lambda: ping(settings), ring, end_process).start()

    signals.worker_init.connect(begin, weak=False, dispatch_uid="mergecast.watchdog")


def _warn(settings: Settings) -> None:
    """Say once, at the start, what the broker may cost; it is waited for elsewhere."""
    try:
        for concern in concerns(settings):
            _log.warning("broker.concern", told=concern.told, mend=concern.mend)
    except redis.RedisError as error:
        _log.warning("broker.unavailable", error=type(error).__name__)


def end_process() -> None:
    """End this process and its children at once: nobody holds a lease, and an orderly stop would need the deaf loop."""
    for child in billiard.active_children():
        if child.pid is not None:
            os.kill(child.pid, signal.SIGKILL)
    os._exit(DEAF)

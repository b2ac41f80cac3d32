"""Makes the Celery app: tasks are registered from a mapping, never by importing a module."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from celery import Celery, signals

from shared.broker.configuration import celery_settings
from shared.broker.doorbell import Ring
from shared.broker.periodic import Periodic
from shared.broker.task_names import TaskName
from shared.settings.model import Settings

Handler = Callable[..., None]


def create_app(
    settings: Settings,
    handlers: Mapping[TaskName, Handler],
    timetable: Sequence[Periodic] = (),
    on_process_start: Callable[[], None] | None = None,
) -> Celery:
    """Return a Celery app that runs ``handlers`` and, as beat, rings ``timetable``.

    A process that only sends gives no handlers: tasks are sent by name. ``on_process_start`` is called in every
    child of a worker after the fork (and never in its parent), for what must not be shared across it (R-24).
    """
    app = Celery("mergecast", set_as_current=False)
    app.conf.update(celery_settings(settings, timetable))
    for name, handler in handlers.items():
        app.task(name=name.value, shared=False)(_as_task(handler))
    signals.setup_logging.connect(_leave_logging_alone, dispatch_uid="mergecast.logging")
    if on_process_start is not None:
        signals.worker_process_init.connect(_receiver(on_process_start), weak=False, dispatch_uid="mergecast.fork")
    return app


def sender(settings: Settings) -> Ring:
    """Return what sends one message at once: for the thread of a doorbell, whatever tasks its process runs itself."""
    app = create_app(settings, {})

    def send(task: TaskName, argument: int | str) -> None:
        ring_now(app, task, argument)

    return send


def ring_now(app: Celery, task: TaskName, argument: int | str | None = None) -> None:
    """Send one message now, in this thread; raises what the broker raises (``kombu.exceptions.OperationalError``)."""
    app.send_task(task.value, args=() if argument is None else (argument,))


def _as_task(handler: Handler) -> Callable[..., None]:
    """Celery reads the name and signature of a function; bound methods and partials have neither of their own."""

    def run(*arguments: int | str) -> None:
        handler(*arguments)

    return run


def _leave_logging_alone(**_: Any) -> None:
    """A receiver of this signal is how Celery is told that logging is set up already (by shared.telemetry)."""


def _receiver(callback: Callable[[], None]) -> Callable[..., None]:
    def receive(**_: Any) -> None:
        callback()

    return receive

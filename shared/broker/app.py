"""Makes the Celery app: tasks are registered from a mapping, never by importing a module."""

from __future__ import annotations

import base64
import secrets
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from celery import Celery, signals

from shared.broker.configuration import celery_settings
from shared.broker.doorbell import Send
from shared.broker.liveness import watch_worker
from shared.broker.periodic import Periodic
from shared.broker.task_names import TaskName
from shared.broker.transport import use_patient_transport
from shared.broker.watchdog import Watch
from shared.settings.model import Settings

Handler = Callable[..., None]

GROUP_SECONDS = 1.0
"""After this long no further argument of the same message is begun: another worker may have time for it."""


def create_app(
    settings: Settings,
    handlers: Mapping[TaskName, Handler],
    timetable: Sequence[Periodic] = (),
    on_process_start: Callable[[], None] | None = None,
    watch: Watch | None = None,
) -> Celery:
    """Return a Celery app that runs ``handlers`` and, as beat, rings ``timetable``.

    A process that only sends gives no handlers: tasks are sent by name. ``on_process_start`` is called in every
    child of a worker after the fork (and never in its parent), for what must not be shared across it (R-24).
    ``watch`` is what its watchdog looks at (R-21).
    """
    use_patient_transport()
    app = Celery("mergecast", set_as_current=False)
    app.conf.update(celery_settings(settings, timetable))
    for name, handler in handlers.items():
        app.task(name=name.value, shared=False)(_as_task(app, name, handler))
    signals.setup_logging.connect(_leave_logging_alone, dispatch_uid="mergecast.logging")
    if on_process_start is not None:
        signals.worker_process_init.connect(_receiver(on_process_start), weak=False, dispatch_uid="mergecast.fork")
    if watch is not None:
        watch_worker(app, settings, watch)
    return app


def sender(settings: Settings) -> Send:
    """Return what sends one message at once: for the thread of a doorbell, whatever tasks its process runs itself."""
    app = create_app(settings, {})

    def send(task: TaskName, *arguments: int | str) -> None:
        ring_now(app, task, *arguments)

    return send


def ring_now(app: Celery, task: TaskName, *arguments: int | str) -> None:
    """Send one message now, in this thread; raises what the broker raises (``kombu.exceptions.OperationalError``).

    Several arguments are so many calls of the task. The message stays below 1 KB (R-22): a short id, no second form of
    the arguments for people, and no name of this machine.
    """
    app.send_task(task.value, args=arguments, task_id=_short_id(), argsrepr="", kwargsrepr="", origin="-")


def _short_id() -> str:
    """Nothing is looked up by it: the delivery tag of the transport tells messages apart."""
    return base64.urlsafe_b64encode(secrets.token_bytes(6)).decode("ascii")


def _as_task(app: Celery, name: TaskName, handler: Handler) -> Callable[..., None]:
    """Celery reads the name and signature of a function; bound methods and partials have neither of their own."""

    def run(*arguments: int | str) -> None:
        if not arguments:
            handler()
            return
        _call_each(handler, arguments, hand_on)

    def hand_on(rest: Sequence[int | str]) -> None:
        for argument in rest:
            ring_now(app, name, argument)

    return run


def _call_each(
    handler: Handler, arguments: Sequence[int | str], hand_on: Callable[[Sequence[int | str]], None]
) -> None:
    """Call the handler for one argument after another; one that fails does not take the others with it.

    What is not begun in time is handed on, each as a message of its own, so that slow work spreads over the workers.
    A message that is lost on the way is made up for by the sweeper.
    """
    failure: Exception | None = None
    deadline = time.monotonic() + GROUP_SECONDS
    for place, argument in enumerate(arguments):
        if place and time.monotonic() > deadline:
            hand_on(arguments[place:])
            break
        try:
            handler(argument)
        except Exception as error:  # noqa: BLE001 - raised below, after the others had their turn
            failure = failure or error
    if failure is not None:
        raise failure


def _leave_logging_alone(**_: Any) -> None:
    """A receiver of this signal is how Celery is told that logging is set up already (by shared.telemetry)."""


def _receiver(callback: Callable[[], None]) -> Callable[..., None]:
    def receive(**_: Any) -> None:
        callback()

    return receive

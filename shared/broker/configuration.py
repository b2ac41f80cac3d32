"""Celery's settings, each with the reason why it differs from the default."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from kombu import Exchange
from kombu import Queue as KombuQueue

from shared.broker.periodic import Periodic
from shared.broker.task_names import Queue, TaskName
from shared.settings.model import Settings

_LONG_AGO = datetime(2000, 1, 1, tzinfo=UTC)


def celery_settings(settings: Settings, timetable: Sequence[Periodic] = ()) -> dict[str, Any]:
    """Return the whole configuration of the Celery app for these settings and this timetable."""
    return {
        # Celery warns about a memory transport without a host.
        "broker_url": "memory://localhost//" if settings.embedded else settings.broker.url.get_secret_value(),
        **_delivery(settings),
        **_worker(settings),
        **_publishing(),
        **_connection(settings),
        **_beat(timetable),
    }


def _delivery(settings: Settings) -> dict[str, Any]:
    """At least once: these four only work together (late ack, reject on lost, prefetch one, visibility timeout)."""
    return {
        # Acknowledged before the run (the default), a killed worker loses the task for ever (L2).
        "task_acks_late": True,
        # Late acknowledgement alone still counts a killed child as done. The endless loop of a task that kills its
        # process is stopped by the attempts of the row (L9).
        "task_reject_on_worker_lost": True,
        # More would wait behind a slow task, and be doubled with it when the worker dies.
        "worker_prefetch_multiplier": 1,
        # The documentation of Redis names the setting here too; the transport option below is the one that works.
        "visibility_timeout": settings.broker.visibility_timeout.total_seconds(),
        # Under the visibility timeout, or a slow task is delivered again while it runs (L7). The threads of the
        # embedded worker cannot be killed: there each door has a deadline of its own.
        "task_time_limit": settings.broker.hard_time_limit.total_seconds(),
        "task_soft_time_limit": settings.broker.soft_time_limit.total_seconds(),
        "task_annotations": {
            TaskName.KEEP_CLONES.value: _upkeep_limits(settings),
            TaskName.READ_MERGE.value: _reading_limits(settings, 3),
            TaskName.WORK_BATCH.value: _reading_limits(settings, 4),
        },
        # Results live in our tables; unread results fill the broker's memory.
        "task_ignore_result": True,
        "result_backend": None,
        # With no results there is nothing to expire; otherwise beat would ring a clean-up of its own every night.
        "result_expires": None,
        # Ids and dates need no pickle, and pickle from a broker is code execution.
        "task_serializer": "json",
        "accept_content": ["json"],
        # A message for a queue that nobody reads would wait for ever: only those below exist.
        # Each with its own exchange: without one they would all be bound to the default queue's.
        "task_queues": [KombuQueue(queue.value, Exchange(queue.value), routing_key=queue.value) for queue in Queue],
        "task_default_queue": Queue.ANALYSIS.value,
        "task_create_missing_queues": False,
        "task_routes": {name.value: {"queue": name.queue.value} for name in TaskName},
    }


def _upkeep_limits(settings: Settings) -> dict[str, float]:
    """Making a large clone takes longer than any analysis; each git of it has a deadline, and this is the last resort.

    It may pass the visibility timeout: whoever gets the task a second time finds the clone locked, or nothing due.
    """
    longest = settings.clones.deadline.total_seconds() * 4
    return {"soft_time_limit": longest, "time_limit": longest + 60}


def _reading_limits(settings: Settings, answers: int) -> dict[str, float]:
    """A reading (probe, question, repair) or a batch waits for so many answers, each with a deadline of its own.

    With the longest deadline a reading still ends below the default visibility timeout. A batch, and either of them
    where the broker's timeout is set shorter, may pass it: whoever gets the task a second time finds the row leased.
    """
    asked = answers * settings.model.deadline.total_seconds() + 60
    longest = max(settings.broker.soft_time_limit.total_seconds(), asked)
    return {"soft_time_limit": longest, "time_limit": longest + 60}


def _worker(settings: Settings) -> dict[str, Any]:
    return {
        "worker_concurrency": settings.worker.concurrency,
        # A leak ends with the process that has it; memory in KiB (300 MB).
        "worker_max_tasks_per_child": 500,
        "worker_max_memory_per_child": 300_000,
        # A stopped worker ends its task or gives it back within this time (R-23; needs the pool "prefork").
        "worker_soft_shutdown_timeout": 30.0,
        # Rows are leased and fenced, so a task that outlives its connection does no harm, while cancelling it means
        # work done twice (L10).
        "worker_cancel_long_running_tasks_on_connection_loss": False,
        # shared.telemetry owns the root logger and scrubs secrets; Celery must not replace its handlers.
        "worker_hijack_root_logger": False,
        # Swallows print in the whole process, which in the embedded service is also the web server.
        "worker_redirect_stdouts": False,
        # Events, and (by the flags of the embedded worker and the deployment) gossip and mingle, are not read by
        # anybody here and each has its own reconnect faults.
        "worker_send_task_events": False,
        "task_send_sent_event": False,
        "enable_utc": True,
        "timezone": "UTC",
    }


def _publishing() -> dict[str, Any]:
    """A ring that fails is made up for by the sweeper: trying for long would only hold up the next one (L11, L12)."""
    return {
        "task_publish_retry": True,
        "task_publish_retry_policy": {
            "max_retries": 1,
            "interval_start": 0.1,
            "interval_step": 0.1,
            "interval_max": 0.1,
        },
    }


def _connection(settings: Settings) -> dict[str, Any]:
    return {
        "broker_connection_retry_on_startup": True,
        # The default gives up after 100 tries, which leaves a worker that is alive and deaf.
        "broker_connection_max_retries": None,
        "broker_connection_timeout": 2.0,
        "broker_transport_options": _transport_options(settings),
    }


def _transport_options(settings: Settings) -> Mapping[str, Any]:
    if settings.embedded:
        # In memory nothing wakes the consumer: it looks this often (the default of one second gives 20 tasks/s).
        return {"polling_interval": 0.01}
    return {
        "visibility_timeout": settings.broker.visibility_timeout.total_seconds(),
        # Messages of dead workers come back within 10 s of the visibility timeout instead of 100 s.
        "unacked_restore_interval": 10,
        "unacked_restore_throttle": 1,
        # Without these a publish to a broker that accepts and never answers blocks for ever (L12).
        "socket_timeout": 5.0,
        "socket_connect_timeout": 2.0,
        "socket_keepalive": True,
        "health_check_interval": 25,
    }


def _beat(timetable: Sequence[Periodic]) -> dict[str, Any]:
    return {
        # Kept in memory: a schedule file can be broken or lost. So every entry is due when beat starts, which
        # is right here: each job asks the database what there is to do.
        "beat_scheduler": "celery.beat:Scheduler",
        "beat_schedule": {
            entry.task.value: {
                "task": entry.task.value,
                "schedule": entry.every,
                "last_run_at": _LONG_AGO,
                # Ticks that piled up while no worker was there are worth no more than the newest.
                "options": {"expires": entry.every.total_seconds()},
            }
            for entry in timetable
        },
    }

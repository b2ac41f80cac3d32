"""What the broker is told, checked where a wrong value loses or doubles work."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from pydantic import SecretStr, ValidationError
from redis.exceptions import ResponseError

from shared.broker.app import create_app
from shared.broker.configuration import celery_settings
from shared.broker.periodic import Periodic
from shared.broker.task_names import Queue, TaskName
from shared.domain.errors import InvalidInput
from shared.settings import load_settings
from shared.settings.language_model import ModelSettings
from shared.settings.model import BrokerSettings, Settings

REDIS = Settings(broker=BrokerSettings(url=SecretStr("redis://localhost:6379/0")))


def test_r20_at_least_once_needs_four_settings_together():
    values = celery_settings(REDIS)

    assert values["task_acks_late"] is True
    assert values["task_reject_on_worker_lost"] is True
    assert values["worker_prefetch_multiplier"] == 1
    visible = values["broker_transport_options"]["visibility_timeout"]
    assert values["task_soft_time_limit"] < values["task_time_limit"] < visible == 900


def test_r20_a_hard_limit_above_the_visibility_timeout_is_refused():
    with pytest.raises(ValidationError, match="visibility_timeout"):
        BrokerSettings(hard_time_limit=timedelta(seconds=900))


@pytest.mark.parametrize("hard", [900, 901])
def test_c66_a_start_with_a_hard_limit_at_or_above_the_visibility_timeout_is_one_clear_line(hard, monkeypatch):
    monkeypatch.setenv("MERGECAST_BROKER__HARD_TIME_LIMIT", str(hard))

    with pytest.raises(InvalidInput, match="hard_time_limit < visibility_timeout must hold") as refused:
        load_settings()

    assert "'broker'" in refused.value.message


def test_making_a_clone_has_more_time_than_an_analysis():
    limits = celery_settings(Settings())["task_annotations"]["reconciler.keep_clones"]

    assert limits["time_limit"] > limits["soft_time_limit"] > Settings().clones.deadline.total_seconds()


@pytest.mark.parametrize(("deadline", "soft"), [(60, 240), (230, 750)])
def test_a_reading_has_time_for_a_probe_and_two_answers_and_ends_below_the_visibility_timeout(deadline, soft):
    settings = Settings(model=ModelSettings(deadline=timedelta(seconds=deadline)))
    limits = celery_settings(settings)["task_annotations"]["analyzer.read_merge"]

    assert limits["soft_time_limit"] == soft
    assert soft < limits["time_limit"] < settings.broker.visibility_timeout.total_seconds()


def test_r22_no_result_is_kept_and_only_json_is_accepted():
    values = celery_settings(REDIS)

    assert values["task_ignore_result"] is True
    assert values["result_backend"] is None
    assert values["accept_content"] == [values["task_serializer"]] == ["json"]


def test_r23_a_stopping_worker_gets_its_time_and_r21_a_lost_broker_is_waited_for_without_end():
    values = celery_settings(REDIS)

    assert values["worker_soft_shutdown_timeout"] == 30
    assert values["broker_connection_max_retries"] is None
    assert values["worker_cancel_long_running_tasks_on_connection_loss"] is False
    assert values["broker_transport_options"]["unacked_restore_interval"] == 10


def test_c68_a_refused_command_ends_the_connection_and_not_the_worker():
    app = create_app(REDIS, {})

    assert ResponseError in app.connection_for_read().transport.connection_errors


def test_l12_a_silent_broker_cannot_hold_a_publisher_for_ever():
    options = celery_settings(REDIS)["broker_transport_options"]

    assert options["socket_timeout"] == 5
    assert options["socket_connect_timeout"] == 2
    assert celery_settings(REDIS)["task_publish_retry_policy"]["max_retries"] == 1


def test_the_memory_transport_gets_only_its_own_option():
    assert celery_settings(Settings())["broker_transport_options"] == {"polling_interval": 0.01}


def test_every_task_has_a_queue_that_is_declared():
    declared = {queue.name for queue in celery_settings(REDIS)["task_queues"]}

    assert declared == set(Queue)
    assert {name.queue.value for name in TaskName} <= declared


def test_only_what_is_handed_over_is_registered():
    app = create_app(Settings(), {TaskName.PUBLISH: print})

    assert [name for name in app.tasks if not name.startswith("celery.")] == ["publisher.publish"]


def test_c69_every_entry_of_the_timetable_is_due_when_beat_starts():
    app = create_app(Settings(), {}, timetable=(Periodic(TaskName.PRUNE_PAYLOADS, timedelta(days=1)),))

    entry = app.conf.beat_schedule["analyzer.prune_payloads"]

    assert datetime.now(UTC) - entry["last_run_at"] > timedelta(days=1)
    assert entry["options"] == {"expires": 86_400}
    assert app.conf.timezone == "UTC"
    assert app.conf.enable_utc

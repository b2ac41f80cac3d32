"""Every periodic job has a worker that runs it, and beat runs none itself."""

from __future__ import annotations

from services.analyzer import tasks as analyzer
from services.analyzer.readings import tasks as reader
from services.digest import tasks as digest
from services.publisher import tasks as publisher
from services.reconciler import tasks as reconciler
from services.scheduler.timetable import timetable
from shared.broker.app import create_app
from shared.broker.task_names import Queue, TaskName
from shared.settings import GitHubSettings, ModelSettings, RepositorySettings, Settings
from shared.store.session import Database

SETTINGS = Settings()
SERVICE_OF = {"reader": "analyzer"}
"""A second worker of that service, for a queue of its own."""


def ring(_task: TaskName, _argument: int | str) -> None:
    """Rings nobody."""


def handled(tmp_path) -> dict[str, set[TaskName]]:
    """The tasks of each worker."""
    database = Database(f"sqlite:///{tmp_path / 'unused.sqlite3'}")
    services = {
        "analyzer": analyzer,
        "reader": reader,
        "digest": digest,
        "publisher": publisher,
        "reconciler": reconciler,
    }
    return {
        name: set(service.handlers(service.make_runtime(SETTINGS, database, ring)))
        for name, service in services.items()
    }


def test_every_task_has_exactly_one_worker(tmp_path):
    workers = handled(tmp_path)

    assert set().union(*workers.values()) == set(TaskName)
    assert sum(map(len, workers.values())) == len(TaskName)


def test_a_worker_runs_only_tasks_of_its_own_queue(tmp_path):
    for name, tasks in handled(tmp_path).items():
        assert {task.partition(".")[0] for task in tasks} == {SERVICE_OF.get(name, name)}
        assert len({task.queue for task in tasks}) == 1


def test_every_job_of_the_timetable_is_a_task_and_stands_there_once():
    jobs = [entry.task for entry in timetable(SETTINGS)]

    assert len(set(jobs)) == len(jobs)
    assert {TaskName.SWEEP_DELIVERIES, TaskName.SWEEP_PUBLICATIONS, TaskName.BUILD_DUE} <= set(jobs)
    assert all(entry.every.total_seconds() >= 1 for entry in timetable(SETTINGS))


def test_r12_the_sweepers_come_every_thirty_seconds():
    every = {entry.task: entry.every.total_seconds() for entry in timetable(SETTINGS)}

    assert every[TaskName.SWEEP_DELIVERIES] == every[TaskName.SWEEP_PUBLICATIONS] == 30
    assert every[TaskName.BUILD_DUE] == 300


def test_clones_are_kept_by_the_minute_where_there_are_any_and_nobody_is_rung_otherwise():
    kept = Settings(repositories=(RepositorySettings(full_name="a/b", keep_clone=True),))
    every = {entry.task: entry.every.total_seconds() for entry in timetable(kept)}

    assert every[TaskName.KEEP_CLONES] == 60
    assert TaskName.KEEP_CLONES not in {entry.task for entry in timetable(SETTINGS)}


def test_hosts_are_asked_by_the_minute_where_they_may_be_asked_and_nobody_is_rung_otherwise():
    asked = Settings(github=GitHubSettings(anonymous=True))
    every = {entry.task: entry.every.total_seconds() for entry in timetable(asked)}

    assert every[TaskName.SWEEP_RECONCILIATIONS] == 60
    assert TaskName.SWEEP_RECONCILIATIONS not in {entry.task for entry in timetable(SETTINGS)}


def test_readings_are_swept_where_a_model_is_set_and_wait_in_a_queue_of_their_own():
    every = {entry.task: entry.every for entry in timetable(Settings(model=ModelSettings(name="any")))}

    assert every[TaskName.SWEEP_READINGS] == SETTINGS.worker.sweep_every
    assert TaskName.SWEEP_READINGS not in {entry.task for entry in timetable(SETTINGS)}
    assert TaskName.READ_MERGE.queue is TaskName.WORK_BATCH.queue is Queue.READING
    assert TaskName.SWEEP_READINGS.queue is TaskName.ANALYZE_DELIVERY.queue is Queue.ANALYSIS


def test_beat_registers_no_task_and_keeps_no_schedule_file():
    app = create_app(SETTINGS, {}, timetable(SETTINGS))

    assert [name for name in app.tasks if not name.startswith("celery.")] == []
    assert app.conf.beat_scheduler == "celery.beat:Scheduler"
    assert set(app.conf.beat_schedule) == {entry.task.value for entry in timetable(SETTINGS)}

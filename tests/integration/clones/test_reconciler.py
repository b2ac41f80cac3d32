"""The upkeep of clones as a task: what is due, what goes wrong with one, and inside the embedded service."""

from __future__ import annotations

import time
from datetime import timedelta
from pathlib import Path

import pytest

from services.analyzer import kept_history
from services.cli.clone_checks import kept_clones
from services.cli.embedded import EmbeddedService
from services.reconciler.tasks import ReconcilerRuntime, upkeep
from shared.settings import RepositorySettings, Settings, WorkerSettings
from shared.sources.git_history import upkeep as git_upkeep
from shared.sources.kept_clones import kept_clone
from shared.store import analyses, pull_requests, repositories
from shared.store.session import Database
from tests.git_repository import GitRepository
from tests.integration.workers import celery_processes
from tests.integration.workers.inbox import Clock, put
from tests.merge_payloads import FULL_NAME, merge_payload


def settings_of(tmp_path: Path, **urls: str) -> Settings:
    listed = tuple(
        RepositorySettings(full_name=f"lumen/{name}", keep_clone=True, clone_url=url) for name, url in urls.items()
    )
    return Settings(data_folder=tmp_path / "data", repositories=listed)


def clone_of(settings: Settings, clock: Clock, place: int = 0):
    return kept_clone(settings, settings.repositories[place], clock)


def test_each_clone_is_fetched_when_its_time_has_come(repository: GitRepository, tmp_path: Path) -> None:
    clock = Clock()
    settings = settings_of(tmp_path, lumen=f"file://{repository.path}")
    runtime = ReconcilerRuntime(settings, clock)
    done = []
    for minutes in (0, 14, 1, 14, 1):
        clock.move(timedelta(minutes=minutes))
        done.append(upkeep(runtime))
    assert done == [1, 0, 1, 0, 1]


def test_one_that_cannot_be_had_is_tried_every_five_minutes_and_leaves_the_others_alone(
    repository: GitRepository, tmp_path: Path
) -> None:
    clock = Clock()
    settings = settings_of(
        tmp_path, gone=f"file://{tmp_path}/gone", bad="http://x.invalid/a/b", lumen=f"file://{repository.path}"
    )
    runtime = ReconcilerRuntime(settings, clock)
    assert upkeep(runtime) == 1
    assert clone_of(settings, clock, 2).made
    gone = clone_of(settings, clock)
    first = gone.state().kept_at
    clock.move(timedelta(minutes=4))
    assert upkeep(runtime) == 0
    assert gone.state().kept_at == first
    clock.move(timedelta(minutes=1))
    upkeep(runtime)
    assert gone.state().kept_at == clock()


def test_a_fetch_before_an_analysis_puts_off_no_upkeep(repository: GitRepository, tmp_path: Path) -> None:
    clock = Clock()
    settings = settings_of(tmp_path, lumen=f"file://{repository.path}")
    runtime = ReconcilerRuntime(settings, clock)
    upkeep(runtime)
    for _ in range(14):
        clock.move(timedelta(minutes=1))
        clone_of(settings, clock).fetch(60, 0, unless=lambda: False)
    clock.move(timedelta(minutes=1))
    assert upkeep(runtime) == 1


def test_a_clone_that_was_taken_away_is_made_again_at_once(repository: GitRepository, tmp_path: Path) -> None:
    clock = Clock()
    settings = settings_of(tmp_path, lumen=f"file://{repository.path}")
    runtime = ReconcilerRuntime(settings, clock)
    upkeep(runtime)
    clone_of(settings, clock).folder.rename(tmp_path / "taken")
    clock.move(timedelta(minutes=1))
    assert upkeep(runtime) == 1


def test_no_further_clone_is_begun_when_the_time_is_over(repository: GitRepository, tmp_path: Path) -> None:
    clock = Clock()
    copy = GitRepository(tmp_path / "host" / "other")
    settings = settings_of(tmp_path, lumen=f"file://{repository.path}", other=f"file://{copy.path}")
    seconds = iter((0.0, 1.0, 1.0, 899.0, 901.0))
    assert upkeep(ReconcilerRuntime(settings, clock, lambda: next(seconds))) == 1
    assert [clone_of(settings, clock, place).made for place in (0, 1)] == [True, False]
    clock.move(timedelta(minutes=1))
    assert upkeep(ReconcilerRuntime(settings, clock)) == 1
    assert clone_of(settings, clock, 1).made


def test_doctor_tells_where_how_old_how_large_and_whether_the_remote_answers(
    repository: GitRepository, tmp_path: Path
) -> None:
    settings = settings_of(tmp_path, lumen=f"file://{repository.path}")
    made, answers = kept_clones(settings)
    assert (made.state, answers.state) == ("warning", "good")
    assert "no clone in" in made.told
    assert not settings.data_folder.exists(), "doctor changes nothing"

    database = Database(f"sqlite:///{tmp_path / 'unused.sqlite3'}")
    upkeep(ReconcilerRuntime(settings, database.now))
    made, answers = kept_clones(settings)
    assert (made.state, answers.state) == ("good", "good")
    assert str(settings.clones_folder) in made.told
    assert "MB, fetched 0 s ago" in made.told.replace(" 1 s", " 0 s").replace(" 2 s", " 0 s")

    repository.path.rename(repository.path.with_name("away"))
    made, answers = kept_clones(settings)
    assert (made.state, answers.state) == ("good", "warning")
    assert "does not answer" in answers.told


@pytest.mark.timeout(180)
def test_the_embedded_service_keeps_the_clone_and_reads_merges_from_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (git_upkeep, kept_history):
        monkeypatch.setattr(module, "SPACING", timedelta(seconds=1))
    host = GitRepository(tmp_path / "host" / "lumen")
    repository = RepositorySettings(full_name=FULL_NAME, keep_clone=True, clone_url=f"file://{host.path}")
    worker = WorkerSettings(sweep_every=timedelta(seconds=1))
    settings = Settings(data_folder=tmp_path / "data", repositories=(repository,), worker=worker)
    service = EmbeddedService(settings, port=0)
    service.start()
    try:
        database = Database(service.settings.database_url)
        now = database.now()
        _until(lambda: kept_clone(service.settings, repository, database.now).made)
        commit = host.commit("Keep the queue in order (#101)", {"lumen/queue.py": "x = 1\n"}, at=now)
        put(database, merge_payload(101, merge_commit_sha=commit, merged_at=now.isoformat()), now=now)
        _until(lambda: _whole_files(database) == 1)
        database.dispose()
    finally:
        service.stop()


def _whole_files(database: Database) -> int | None:
    with database.reading() as session:
        found = repositories.find(session, FULL_NAME)
        stored = pull_requests.get(session, found, 101) if found else None
        analysis = analyses.latest(session, stored.id) if stored else None
        return analysis.coverage.files_whole if analysis else None


def _until(holds, seconds: float = 60.0) -> None:
    deadline = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < deadline, "it did not come in time"
        time.sleep(0.1)


@pytest.mark.timeout(180)
def test_a_worker_of_the_queue_upkeep_and_a_beat_make_the_clone(
    repository: GitRepository, tmp_path: Path, redis_url: str, sqlite_url: str
) -> None:
    (tmp_path / "mergecast.toml").write_text(
        f'[[repositories]]\nfull_name = "lumen/lumen"\nkeep_clone = true\nclone_url = "file://{repository.path}"\n'
    )
    environment = {
        "MERGECAST_CONFIG": str(tmp_path / "mergecast.toml"),
        "MERGECAST_DATA_FOLDER": str(tmp_path / "data"),
        "MERGECAST_BROKER__URL": redis_url,
        "MERGECAST_DATABASE__URL": sqlite_url,
    }
    clone = clone_of(settings_of(tmp_path, lumen=f"file://{repository.path}"), Clock())
    started = []
    try:
        started.append(celery_processes.worker(tmp_path, environment, "reconciler", "upkeep", "--concurrency=1"))
        started.append(celery_processes.beat(tmp_path, environment))
        _until(lambda: clone.made)
        _until(lambda: clone.state().failure is None)
    finally:
        for process in started:
            process.kill()

"""PostgreSQL, a real Valkey, real worker and beat processes: the same path as in the embedded service."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from pydantic import SecretStr

from shared.broker.app import sender
from shared.broker.doorbell import Doorbell
from shared.broker.task_names import TaskName
from shared.domain.digest import Digest
from shared.domain.period import last_finished
from shared.settings import BrokerSettings, Settings
from shared.store import deliveries, digests, publications, repositories
from shared.store.session import Database
from tests.integration.workers.celery_processes import CeleryProcess, beat, worker
from tests.integration.workers.inbox import put
from tests.merge_payloads import FULL_NAME, merge_payload

Start = Callable[..., CeleryProcess]


@pytest.fixture
def environment(tmp_path: Path, redis_url: str, postgres_url: str) -> dict[str, str]:
    """Settings of every process: short leases, so that a lost worker is noticed within the test."""
    return {
        "MERGECAST_DATA_FOLDER": str(tmp_path / "data"),
        "MERGECAST_BROKER__URL": redis_url,
        "MERGECAST_DATABASE__URL": postgres_url,
        "MERGECAST_WORKER__LEASE": "PT3S",
        "MERGECAST_WORKER__RENEW_EVERY": "PT1S",
        "MERGECAST_WORKER__SWEEP_EVERY": "PT1S",
    }


@pytest.fixture
def start(tmp_path: Path, environment: dict[str, str]) -> Iterator[Start]:
    """Starts processes; each is ended at the end of the test."""
    started: list[CeleryProcess] = []

    def begin(make: Start, *arguments: str) -> CeleryProcess:
        process = make(tmp_path, environment, *arguments)
        started.append(process)
        return process

    yield begin
    for process in started:
        process.kill()


@pytest.fixture
def database(postgres_url: str) -> Iterator[Database]:
    """The database of the processes."""
    opened = Database(postgres_url)
    yield opened
    opened.dispose()


def until(holds: Callable[[], object], tmp_path: Path, seconds: float = 90.0) -> None:
    """Wait until it holds; the logs are shown when it does not."""
    deadline = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > deadline:
            raise AssertionError("".join(log.read_text()[-3000:] for log in tmp_path.glob("*.log")))
        time.sleep(0.1)


def done(database: Database) -> int:
    """How many deliveries are done."""
    with database.reading() as session:
        return deliveries.counts(session)["done"]


def sent(database: Database) -> int:
    """How many publications are sent."""
    with database.reading() as session:
        return publications.counts(session)["sent"]


def payload(number: int) -> bytes:
    """A merge of the last finished week, by the real clock."""
    start = last_finished(datetime.now(UTC)).start
    return merge_payload(number, merged_at=(start + timedelta(days=1, minutes=number)).isoformat())


def ring(environment: dict[str, str]) -> Callable[[TaskName, int | str], None]:
    """Sends one message through the real broker."""
    return sender(Settings(broker=BrokerSettings(url=SecretStr(environment["MERGECAST_BROKER__URL"]))))


def deliver_and_ring_for_half(database: Database, environment: dict[str, str], merges: int) -> None:
    """Deliveries of which the doorbell is rung for every other one only."""
    bell = Doorbell(ring(environment))
    for number in range(1, merges + 1):
        delivery = put(database, payload(number), now=database.now()).id
        if number % 2:
            bell.ring(TaskName.ANALYZE_DELIVERY, delivery)
    bell.close()
    assert (bell.rung, bell.failed) == (merges // 2, 0)


def test_r12_r20_r30_c69_rung_or_not_killed_or_not_each_merge_is_analysed_and_the_week_published_once(
    start, environment, database, tmp_path
):
    # What a scheduler that keeps a file would stumble over; ours keeps none and reads none.
    (tmp_path / "celerybeat-schedule").write_bytes(b"cut o")
    deliver_and_ring_for_half(database, environment, 40)
    first = start(worker, "analyzer", "analysis", "--concurrency=2")
    until(lambda: done(database) >= 5, tmp_path)
    first.kill()
    second = start(worker, "analyzer", "analysis", "--concurrency=2")
    for _ in range(3):
        start(beat)
    until(lambda: done(database) == 40, tmp_path)

    start(worker, "digest", "digest", "--pool=solo")
    start(worker, "publisher", "publishing", "--pool=solo")
    with database.reading() as session:
        repository_id = repositories.find(session, FULL_NAME)
    week = last_finished(datetime.now(UTC)).week
    ring(environment)(TaskName.BUILD_DIGEST, f"{repository_id}:{week}")
    until(lambda: sent(database), tmp_path)

    with database.reading() as session:
        assert [found.week for found in digests.weeks(session, repository_id)] == [week]
        assert len(publications.listing(session)) == 1
        stored = digests.get(session, repository_id, week)
    assert Digest.model_validate_json(stored.document).merged_total == 40
    document = tmp_path / "data" / "published" / FULL_NAME / week / "digest.json"
    assert document.read_text("utf-8") == stored.document
    assert (tmp_path / "celerybeat-schedule").read_bytes() == b"cut o"
    assert second.stop() == os.EX_OK

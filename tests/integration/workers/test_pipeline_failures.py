"""What fails is tried again, postponed, fenced off or dead and visible, on both engines."""

from __future__ import annotations

import threading
import weakref
from datetime import timedelta

from services.analyzer import pipeline
from services.analyzer.pipeline import AnalyzerRuntime, analyze_delivery
from shared.domain.errors import Permanent, Postponed, Transient
from shared.domain.pull_request import PullRequest
from shared.settings import Settings, WorkerSettings
from shared.store import deliveries, repositories
from shared.store.session import DatabaseUnavailable
from tests.builders import make_file, make_pull_request
from tests.integration.workers.inbox import NOW, Clock, Source, analyses_stored, make_runtime, put, row, stored
from tests.merge_payloads import merge_payload


def test_c11_a_dead_delivery_is_revived_by_its_redelivery_and_a_done_one_stays_done(database):
    source = Source([make_pull_request(101)])
    source.error = Transient("down")
    clock = Clock()
    runtime = make_runtime(database, source, clock)
    delivery = put(database, merge_payload(101), guid="g-1").id
    outcomes = []
    for _ in range(5):
        outcomes.append(analyze_delivery(runtime, delivery))
        clock.move(timedelta(hours=1))
    assert outcomes == ["retry", "retry", "retry", "retry", "dead"]

    again = put(database, merge_payload(101), guid="g-1", now=clock())
    assert (again.id, again.duplicate, again.revived) == (delivery, True, True)
    source.error = None
    assert analyze_delivery(runtime, delivery) == "done"

    assert put(database, merge_payload(101), guid="g-1", now=clock()).revived is False
    assert analyze_delivery(runtime, delivery) == "not-due"
    assert analyses_stored(database) == 1


def test_r11_the_ladder_of_waits_then_dead_and_visible(database):
    source = Source()
    source.error = Transient("the host is slow")
    clock = Clock()
    runtime = make_runtime(database, source, clock)
    delivery = put(database, merge_payload(101)).id
    waited = []

    for wait in (10, 60, 300, 1800):
        assert analyze_delivery(runtime, delivery) == "retry"
        waited.append((row(database, delivery).next_attempt_at - clock()).total_seconds())
        clock.move(timedelta(seconds=wait - 1))
        assert analyze_delivery(runtime, delivery) == "not-due"
        clock.move(timedelta(seconds=1))
    assert analyze_delivery(runtime, delivery) == "dead"

    assert waited == [10, 60, 300, 1800]
    assert row(database, delivery).status == "dead"
    assert "the host is slow" in row(database, delivery).last_error
    assert stored(database)[1], "a dead delivery's merge is known, so the digest can list it"


def test_c67_an_error_without_words_is_tried_five_times_and_dead_with_its_kind(database):
    source = Source()
    source.error = MemoryError()
    clock = Clock()
    runtime = make_runtime(database, source, clock)
    delivery = put(database, merge_payload(101)).id
    outcomes = []
    for _ in range(5):
        outcomes.append(analyze_delivery(runtime, delivery))
        clock.move(timedelta(hours=1))

    assert outcomes == ["retry", "retry", "retry", "retry", "dead"]
    assert row(database, delivery).last_error == "MemoryError"


class Greedy(Source):
    """A detail source that is out of memory, with much of it in its hands."""

    def __init__(self) -> None:
        super().__init__()
        self.held: weakref.ref[Source] | None = None

    def details(self, facts: PullRequest) -> PullRequest | None:
        much = Source()
        self.held = weakref.ref(much)
        raise MemoryError


def test_c67_what_the_failed_work_held_is_let_go_before_its_failure_is_written(database, monkeypatch):
    source = Greedy()
    still_held = []

    def fail(*arguments):
        still_held.append(source.held())
        return real(*arguments)

    real = deliveries.fail
    monkeypatch.setattr(deliveries, "fail", fail)
    delivery = put(database, merge_payload(101)).id

    assert analyze_delivery(make_runtime(database, source), delivery) == "retry"
    assert still_held == [None]


def test_permanent_is_dead_at_once_and_postponed_counts_no_try(database):
    source = Source()
    clock = Clock()
    runtime = make_runtime(database, source, clock)
    first, second = put(database, merge_payload(101)).id, put(database, merge_payload(102)).id

    source.error = Permanent("gone for good")
    assert analyze_delivery(runtime, first) == "dead"
    source.error = Postponed("limit reached", NOW + timedelta(hours=3))
    assert analyze_delivery(runtime, second) == "postponed"

    assert row(database, second).tries == 0
    clock.move(timedelta(hours=2))
    assert analyze_delivery(runtime, second) == "not-due"
    clock.move(timedelta(hours=1))
    source.error = None
    assert analyze_delivery(runtime, second) == "done"


def test_an_outage_of_the_database_counts_no_try(database, monkeypatch):
    runtime = make_runtime(database)
    delivery = put(database, merge_payload(101)).id

    def unavailable(*_args, **_kwargs):
        raise DatabaseUnavailable("The database does not serve.")

    with monkeypatch.context() as broken:
        broken.setattr(repositories, "ensure", unavailable)
        assert analyze_delivery(runtime, delivery) == "postponed"

    assert row(database, delivery).tries == 0


def test_a_payload_that_cannot_be_read_is_dead_at_once(database):
    broken = merge_payload(101, base=None)
    delivery = put(database, broken).id

    assert analyze_delivery(make_runtime(database), delivery) == "dead"
    assert "base.ref" in row(database, delivery).last_error


def test_r91_the_stored_error_holds_no_secret(database):
    source = Source()
    source.error = Transient("cannot reach https://robot:hunter2hunter2@example.org/api")
    delivery = put(database, merge_payload(101)).id
    analyze_delivery(make_runtime(database, source), delivery)

    assert "hunter2" not in row(database, delivery).last_error


class Stalled(Source):
    """A detail source that lets something happen while it is asked."""

    def __init__(self, during) -> None:
        super().__init__([make_pull_request(101)])
        self.during = during

    def details(self, facts: PullRequest) -> PullRequest | None:
        during, self.during = self.during, lambda: None
        during()
        return super().details(facts)


def test_r13_a_worker_that_lost_its_lease_writes_nothing(database):
    clock = Clock()
    delivery = put(database, merge_payload(101)).id
    quick = make_runtime(database, Source([make_pull_request(101, files=(make_file("by/the/second.py"),))]), clock)

    def overtaken() -> None:
        clock.move(timedelta(seconds=61))
        assert analyze_delivery(quick, delivery) == "done"

    slow = make_runtime(database, Stalled(overtaken), clock)
    assert analyze_delivery(slow, delivery) == "fenced"

    pull_request, _, _ = stored(database)
    assert [file.filename for file in pull_request.files] == ["by/the/second.py"]
    assert analyses_stored(database) == 1
    assert row(database, delivery).attempt == 2


def test_r13_a_long_examination_keeps_its_lease(database):
    settings = Settings(worker=WorkerSettings(lease=timedelta(seconds=2), renew_every=timedelta(milliseconds=200)))
    delivery = put(database, merge_payload(101)).id
    seen: list[str] = []

    def wait_longer_than_the_lease() -> None:
        threading.Event().wait(2.6)
        seen.append(analyze_delivery(runtime, delivery))

    runtime = AnalyzerRuntime(
        settings=settings,
        database=database,
        ring=lambda _task, _argument: None,
        sources=make_runtime(database, Stalled(wait_longer_than_the_lease)).sources,
        clock=database.now,
    )
    assert analyze_delivery(runtime, delivery) == "done"
    assert seen == ["not-due"]


def test_r20_a_delivery_that_kills_its_worker_is_dead_after_five_starts(database):
    clock = Clock()
    runtime = make_runtime(database, clock=clock)
    delivery = put(database, merge_payload(101)).id
    starts = 0
    for _ in range(8):
        starts += pipeline._claim(runtime, delivery) is not None
        clock.move(timedelta(minutes=2))

    assert starts == 5
    assert row(database, delivery).status == "dead"
    assert row(database, delivery).last_error == "worker lost"

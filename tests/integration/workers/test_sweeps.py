"""What nobody rang for is found, and old payloads are dropped, on both engines."""

from __future__ import annotations

from datetime import timedelta

from services.analyzer.pipeline import analyze_delivery
from services.analyzer.tasks import Rounds, handlers, prune_answers, prune_payloads, sweep_deliveries
from shared.broker.task_names import TaskName
from shared.domain.protocols import CachedAnswer
from shared.settings import Settings, WorkerSettings
from shared.store import deliveries
from shared.store.cached_answers import StoredAnswers
from tests.integration.workers.inbox import Clock, make_runtime, put, row
from tests.merge_payloads import merge_payload


def test_r12_the_sweeper_finds_what_no_doorbell_was_heard_for(database):
    clock = Clock()
    runtime = make_runtime(database, clock=clock)
    ids = [put(database, merge_payload(number)).id for number in range(1, 4)]
    analyze_delivery(runtime, ids[0])

    assert sweep_deliveries(runtime) == 2
    assert runtime.ring.rung == [(TaskName.ANALYZE_DELIVERY, ids[1]), (TaskName.ANALYZE_DELIVERY, ids[2])]
    for task, delivery in list(runtime.ring.rung):
        assert task is TaskName.ANALYZE_DELIVERY
        assert analyze_delivery(runtime, delivery) == "done"
    assert sweep_deliveries(runtime) == 0


def test_r12_a_tick_rings_for_no_more_than_its_limit(database):
    runtime = make_runtime(database, settings=Settings(worker=WorkerSettings(sweep_limit=2)))
    for number in range(1, 6):
        put(database, merge_payload(number))

    assert sweep_deliveries(runtime) == 2


def test_r11_a_busy_worker_takes_over_what_another_lost_without_waiting_for_the_end_of_the_queue(database):
    clock, seconds = Clock(), [0.0]
    runtime = make_runtime(database, clock=clock)
    first, second, waiting = (put(database, merge_payload(number)).id for number in (1, 2, 3))
    with database.transaction() as session:
        for delivery in (first, second):
            deliveries.claim(session, delivery, clock(), timedelta(seconds=60))
    rounds = Rounds(runtime, lambda: seconds[0])
    seen = []
    for at, moved in ((0, 0), (31, 31), (62, 31), (63, 1), (93, 30)):
        seconds[0] = at
        clock.move(timedelta(seconds=moved))
        rounds.go()
        seen.append([row(database, delivery).status for delivery in (first, second, waiting)])

    assert seen == [
        ["claimed", "claimed", "new"],
        ["claimed", "claimed", "new"],
        ["done", "claimed", "new"],
        ["done", "claimed", "new"],
        ["done", "done", "new"],
    ]


def test_payloads_of_processed_deliveries_are_pruned_after_thirty_days_and_stay_known(database):
    clock = Clock()
    runtime = make_runtime(database, clock=clock)
    delivery = put(database, merge_payload(101), guid="g-1").id
    waiting = put(database, merge_payload(102)).id
    analyze_delivery(runtime, delivery)

    clock.move(timedelta(days=29))
    assert prune_payloads(runtime) == 0
    clock.move(timedelta(days=2))
    assert prune_payloads(runtime) == 1

    assert row(database, delivery).payload_kept is False
    assert row(database, waiting).payload_kept is True
    assert put(database, merge_payload(101), guid="g-1", now=clock()).duplicate


def test_answers_of_the_host_are_pruned_after_thirty_days_with_the_payloads(database):
    clock = Clock()
    runtime, answers = make_runtime(database, clock=clock), StoredAnswers(database, clock)
    answers.put("token:1 /repositories/5", CachedAnswer(etag='"a"', body="{}"))

    clock.move(timedelta(days=30))
    assert prune_answers(runtime) == 0
    clock.move(timedelta(seconds=1))
    handlers(runtime)[TaskName.PRUNE_PAYLOADS]()

    assert answers.get("token:1 /repositories/5") is None

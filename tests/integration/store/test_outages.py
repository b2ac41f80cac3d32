"""A try that an outage of the database ended is not counted, whoever notices first (design law 6), on both engines."""

from __future__ import annotations

from datetime import timedelta

import pytest

from services.analyzer.pipeline import analyze_delivery
from shared.store import deliveries, leases, repositories
from shared.store.outages import OutageNotes, patiently
from shared.store.session import DatabaseUnavailable
from tests.integration.workers.inbox import Clock, analyses_stored, make_runtime, put, row
from tests.merge_payloads import merge_payload

LEASE = timedelta(seconds=60)


@pytest.fixture
def clock() -> Clock:
    """A clock that is moved by hand."""
    return Clock()


def take(database, delivery, clock):
    with database.transaction() as session:
        return deliveries.claim(session, delivery, clock(), LEASE)


def forgive(database, claim, clock):
    with database.transaction() as session:
        return deliveries.forgive(session, claim, clock())


def test_forgiving_a_try_that_nobody_noticed_makes_the_row_due_again(database, clock):
    delivery = put(database, merge_payload(101)).id
    claim = take(database, delivery, clock)

    assert forgive(database, claim, clock)
    assert (row(database, delivery).status, row(database, delivery).tries) == ("new", 0)
    assert take(database, delivery, clock).attempt == 2


def test_forgiving_a_try_that_was_counted_as_a_lost_worker_takes_only_the_count_back(database, clock):
    delivery = put(database, merge_payload(101)).id
    first = take(database, delivery, clock)
    clock.move(LEASE)
    second = take(database, delivery, clock)

    assert row(database, delivery).tries == 2
    assert forgive(database, first, clock)
    assert (row(database, delivery).status, row(database, delivery).tries) == ("claimed", 1)
    with database.transaction() as session:
        assert deliveries.finish(session, second, "done", None, clock()), "the newer attempt is not disturbed"
    assert not forgive(database, first, clock), "what is done stays as it is"


def test_forgiving_the_last_try_brings_a_row_back_that_died_of_the_count_and_no_other(database, clock):
    delivery = put(database, merge_payload(101)).id
    for _ in range(leases.MAX_TRIES):
        last = take(database, delivery, clock)
        clock.move(LEASE)
    assert take(database, delivery, clock) is None
    assert (row(database, delivery).status, row(database, delivery).last_error) == ("dead", leases.WORKER_LOST)

    assert forgive(database, last, clock)
    assert (row(database, delivery).status, row(database, delivery).tries) == ("new", leases.MAX_TRIES - 1)

    claim = take(database, delivery, clock)
    with database.transaction() as session:
        assert deliveries.bury(session, claim, "gone for good", clock())
    assert not forgive(database, last, clock)
    assert row(database, delivery).status == "dead"


def test_a_replay_between_is_not_touched(database, clock):
    delivery = put(database, merge_payload(101)).id
    claim = take(database, delivery, clock)
    with database.transaction() as session:
        deliveries.replay(session, delivery, clock())

    assert not forgive(database, claim, clock)
    assert (row(database, delivery).status, row(database, delivery).tries) == ("new", 0)


def test_an_outage_that_even_postponing_cannot_be_written_in_counts_no_try(database, monkeypatch, clock):
    """Ten outages in a row, each longer than a lease: twice as many as tries, and the delivery is still analysed."""
    runtime = make_runtime(database, clock=clock)
    delivery = put(database, merge_payload(101)).id

    def unavailable(*_args, **_kwargs):
        raise DatabaseUnavailable("The database does not serve.")

    for _ in range(10):
        with monkeypatch.context() as broken:
            broken.setattr(repositories, "ensure", unavailable)
            broken.setattr(deliveries, "postpone", unavailable)
            with pytest.raises(DatabaseUnavailable):
                analyze_delivery(runtime, delivery)
        clock.move(LEASE * 2)

    assert row(database, delivery).tries <= 1
    assert analyze_delivery(runtime, delivery) == "done"
    assert (row(database, delivery).tries, row(database, delivery).attempt) == (1, 11)
    assert analyses_stored(database) == 1


def test_a_claim_waits_a_little_for_the_database_so_that_an_outage_does_not_eat_the_queue():
    pauses: list[float] = []
    answers = iter([DatabaseUnavailable("down"), DatabaseUnavailable("down"), "claimed"])

    def ask() -> str:
        answer = next(answers)
        if isinstance(answer, Exception):
            raise answer
        return answer

    assert patiently(ask, pauses.append) == "claimed"
    assert pauses == [1.0, 1.0]

    def never() -> str:
        raise DatabaseUnavailable("down")

    pauses.clear()
    with pytest.raises(DatabaseUnavailable):
        patiently(never, pauses.append)
    assert pauses == [1.0] * 4


def test_notes_are_kept_while_the_database_is_still_away(database):
    notes: OutageNotes[int] = OutageNotes()
    notes.add(1)
    told: list[int] = []

    def refuse(_session, _claim):
        raise DatabaseUnavailable("down")

    def accept(_session, claim):
        told.append(claim)
        return True

    with pytest.raises(DatabaseUnavailable):
        notes.tell(database, refuse)
    notes.add(2)
    notes.tell(database, accept)
    notes.tell(database, accept)
    assert told == [1, 2]

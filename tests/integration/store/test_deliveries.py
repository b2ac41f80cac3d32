"""The inbox on both engines: stored once, held by one, retried on the ladder, fenced, revived, replayed."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from shared.store import deliveries
from shared.store.deliveries import Claim, DeliveryView, IncomingDelivery
from shared.store.session import Database

NOW = datetime(2026, 5, 6, 12, 0, tzinfo=UTC)
LEASE = timedelta(seconds=60)
WAITS = (timedelta(seconds=10), timedelta(minutes=1), timedelta(minutes=5), timedelta(minutes=30))


def incoming(guid: str = "g-1", **overrides: Any) -> IncomingDelivery:
    values = {
        "source": "hook:7",
        "guid": guid,
        "event": "pull_request",
        "action": "closed",
        "payload": b'{"a": "\xc3\xa9"}',
        "repository": "Lumen/lumen",
        "number": 101,
    }
    return IncomingDelivery(**(values | overrides))


def record(database: Database, delivery: IncomingDelivery | None = None, now: datetime = NOW) -> deliveries.Recorded:
    with database.transaction() as session:
        return deliveries.record(session, delivery or incoming(), now)


def claim(database: Database, row: int, now: datetime = NOW) -> Claim | None:
    with database.transaction() as session:
        return deliveries.claim(session, row, now, LEASE)


def claimed(database: Database, row: int, now: datetime = NOW) -> Claim:
    held = claim(database, row, now)
    assert held is not None
    return held


def fail(database: Database, held: Claim, now: datetime, jitter: float = 1.0) -> str:
    with database.transaction() as session:
        return deliveries.fail(session, held, "boom", now, WAITS, jitter)


def finish(database: Database, held: Claim, now: datetime = NOW) -> bool:
    with database.transaction() as session:
        return deliveries.finish(session, held, "done", "analysed", now)


def view(database: Database, row: int) -> DeliveryView:
    with database.reading() as session:
        return next(found for found in deliveries.listing(session) if found.id == row)


def due(database: Database, now: datetime = NOW) -> list[int]:
    with database.reading() as session:
        return deliveries.due(session, now, 100)


def die(database: Database, row: int, now: datetime = NOW) -> None:
    with database.transaction() as session:
        held = deliveries.claim(session, row, now, LEASE)
        assert held is not None
        assert deliveries.bury(session, held, "no use", now)


def test_r10_a_delivery_is_stored_once_by_source_and_guid(database: Database) -> None:
    first, again = record(database), record(database)
    other_hook = record(database, incoming(source="hook:8"))
    assert (first.duplicate, again.duplicate, other_hook.duplicate) == (False, True, False)
    assert first.id == again.id != other_hook.id
    with database.reading() as session:
        assert deliveries.counts(session) == {"new": 2, "claimed": 0, "parked": 0, "done": 0, "ignored": 0, "dead": 0}


def test_the_payload_comes_back_as_it_was_received(database: Database) -> None:
    body = bytes(range(256)) * 4
    held = claimed(database, record(database, incoming(payload=body)).id)
    assert held.payload == body
    assert (held.event, held.action, held.number) == ("pull_request", "closed", 101)


def test_r11_a_new_delivery_is_due_and_a_held_one_is_not(database: Database) -> None:
    row = record(database).id
    assert due(database) == [row]
    held = claimed(database, row)
    assert held.attempt == 1
    assert due(database) == []
    assert claim(database, row) is None
    assert finish(database, held)
    assert due(database, NOW + timedelta(days=9)) == []
    assert view(database, row).status == "done"
    assert view(database, row).processed_at == NOW


def test_r13_the_result_of_a_frozen_worker_is_fenced_off(database: Database) -> None:
    row = record(database).id
    frozen = claimed(database, row)
    later = NOW + LEASE + timedelta(seconds=1)
    newer = claimed(database, row, later)
    assert newer.attempt == 2
    with database.transaction() as session:
        assert not deliveries.renew(session, frozen, later, LEASE)
        assert not deliveries.finish(session, frozen, "done", None, later)
        assert not deliveries.bury(session, frozen, "late", later)
        assert not deliveries.postpone(session, frozen, "late", later, later)
        assert deliveries.fail(session, frozen, "late", later, WAITS, 1.0) == "fenced"
    assert view(database, row).status == "claimed"
    assert finish(database, newer, later)


def test_a_renewed_lease_is_not_taken_over(database: Database) -> None:
    row = record(database).id
    held = claimed(database, row)
    with database.transaction() as session:
        assert deliveries.renew(session, held, NOW + timedelta(seconds=50), LEASE)
    assert claim(database, row, NOW + timedelta(seconds=100)) is None
    assert claim(database, row, NOW + timedelta(seconds=110)) is not None


@pytest.mark.parametrize("jitter", [0.8, 1.0, 1.2])
def test_r14_the_ladder_of_tries_is_exact(database: Database, jitter: float) -> None:
    row = record(database).id
    now = NOW
    for wait in WAITS:
        assert fail(database, claimed(database, row, now), now, jitter) == "retry"
        shown = view(database, row)
        assert shown.status == "new"
        assert shown.last_error == "boom"
        assert shown.next_attempt_at == now + wait * jitter
        assert claim(database, row, shown.next_attempt_at - timedelta(milliseconds=1)) is None
        now = shown.next_attempt_at
    assert fail(database, claimed(database, row, now), now, jitter) == "dead"
    assert due(database, now + timedelta(days=9)) == []
    assert view(database, row).tries == 5


def test_r20_a_delivery_that_kills_its_workers_is_dead_after_five_starts(database: Database) -> None:
    row = record(database).id
    now, starts = NOW, 0
    while claim(database, row, now) is not None:
        starts += 1
        now += LEASE
    assert starts == 5
    shown = view(database, row)
    assert (shown.status, shown.last_error) == ("dead", "worker lost")


def test_a_lost_worker_counts_as_a_try_and_is_shown(database: Database) -> None:
    row = record(database).id
    claimed(database, row)
    claimed(database, row, NOW + LEASE)
    shown = view(database, row)
    assert (shown.attempt, shown.tries, shown.last_error) == (2, 2, "worker lost")


def test_postponing_does_not_count_as_a_try(database: Database) -> None:
    row = record(database).id
    now = NOW
    for _ in range(20):
        held = claimed(database, row, now)
        until = now + timedelta(minutes=40)
        with database.transaction() as session:
            assert deliveries.postpone(session, held, "rate limited", until, now)
        assert claim(database, row, until - timedelta(seconds=1)) is None
        now = until
    shown = view(database, row)
    assert (shown.attempt, shown.tries, shown.last_error) == (20, 0, "rate limited")
    assert fail(database, claimed(database, row, now), now) == "retry"


def test_c11_a_dead_delivery_is_revived_by_its_redelivery_once(database: Database) -> None:
    row = record(database).id
    die(database, row)
    assert record(database, now=NOW + LEASE) == deliveries.Recorded(id=row, duplicate=True, revived=True)
    assert record(database, now=NOW + LEASE) == deliveries.Recorded(id=row, duplicate=True, revived=False)
    assert due(database, NOW + LEASE) == [row]
    held = claimed(database, row, NOW + LEASE)
    assert (held.attempt, view(database, row).tries) == (2, 1)


def test_c11_a_done_delivery_stays_done(database: Database) -> None:
    row = record(database).id
    finish(database, claimed(database, row))
    assert record(database) == deliveries.Recorded(id=row, duplicate=True, revived=False)
    assert view(database, row).status == "done"


@pytest.mark.parametrize("state", ["new", "claimed", "done", "dead"])
def test_replay_runs_any_delivery_again(database: Database, state: str) -> None:
    row = record(database).id
    held = None
    if state == "dead":
        die(database, row)
    elif state != "new":
        held = claimed(database, row)
    if state == "done":
        assert held is not None
        finish(database, held)
    with database.transaction() as session:
        assert deliveries.replay(session, row, NOW + LEASE / 2)
    assert due(database, NOW + LEASE / 2) == [row]
    again = claimed(database, row, NOW + LEASE / 2)
    if held is not None:
        assert again.attempt > held.attempt
        assert not finish(database, held)
    assert view(database, row).tries == 1


def test_replay_of_what_is_not_there_says_so(database: Database) -> None:
    with database.transaction() as session:
        assert not deliveries.replay(session, 4711, NOW)


def test_pruning_takes_old_payloads_of_finished_work_only(database: Database) -> None:
    done, dead, new, fresh = (record(database, incoming(guid)).id for guid in ("done", "dead", "new", "fresh"))
    finish(database, claimed(database, done))
    die(database, dead)
    finish(database, claimed(database, fresh), NOW + timedelta(days=2))
    with database.transaction() as session:
        assert deliveries.prune_payloads(session, NOW + timedelta(days=1)) == 1
        assert deliveries.prune_payloads(session, NOW + timedelta(days=1)) == 0
    kept = {row: view(database, row).payload_kept for row in (done, dead, new, fresh)}
    assert kept == {done: False, dead: True, new: True, fresh: True}
    with database.transaction() as session:
        assert not deliveries.replay(session, done, NOW)
    assert view(database, done).payload_bytes == len(incoming().payload)


def test_r12_the_longest_waiting_come_first_and_age_is_told(database: Database) -> None:
    rows = [record(database, incoming(f"g-{n}"), NOW + timedelta(seconds=n)).id for n in (3, 1, 2)]
    later = NOW + timedelta(seconds=10)
    with database.reading() as session:
        assert deliveries.due(session, later, 2) == [rows[1], rows[2]]
        assert deliveries.oldest_due_age(session, later) == timedelta(seconds=9)
        assert deliveries.oldest_due_age(session, NOW) is None


def test_listing_is_newest_first_and_can_be_narrowed(database: Database) -> None:
    first = record(database, incoming("g-1")).id
    second = record(database, incoming("g-2", repository="other/place", number=None)).id
    die(database, first)
    with database.reading() as session:
        assert [row.id for row in deliveries.listing(session)] == [second, first]
        assert [row.id for row in deliveries.listing(session, limit=1)] == [second]
        assert [row.id for row in deliveries.listing(session, status="dead")] == [first]
        assert [row.id for row in deliveries.listing(session, repository="LUMEN/Lumen")] == [first]


def test_an_error_that_cannot_be_stored_as_it_is_does_no_harm(database: Database) -> None:
    held = claimed(database, record(database).id)
    with database.transaction() as session:
        assert deliveries.fail(session, held, "\x00bad\ud800" + "x" * 9000, NOW, WAITS, 1.0) == "retry"
    shown = view(database, held.id).last_error
    assert shown is not None
    assert shown.startswith("\ufffdbad\ufffdx")


def test_r41_hostile_headers_are_stored_and_told_apart(database: Database) -> None:
    guids = ["\x00", "\ud800", "g" * 9000, "g" * 9001, "\u202eguid", "🦆"]
    rows = {record(database, incoming(guid, action=guid, event=guid)).id for guid in guids}
    assert len(rows) == len(guids) - 1  # NUL and a lone surrogate are both replaced by U+FFFD
    assert all(record(database, incoming(guid)).duplicate for guid in guids)


def test_c46_a_number_beyond_64_bits_is_not_kept(database: Database) -> None:
    row = record(database, incoming(number=2**40)).id
    huge = record(database, incoming("g-2", number=2**70)).id
    assert (view(database, row).number, view(database, huge).number) == (2**40, None)

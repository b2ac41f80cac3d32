"""The outbox on both engines: one row a target, fenced senders, and doubt that stays until somebody looked."""

from __future__ import annotations

from datetime import timedelta

import pytest

from shared.domain.period import parse_week
from shared.store import digests, publications, repositories
from shared.store.publications import PublicationClaim, PublicationView
from shared.store.session import Database
from tests.builders import REPOSITORY

WEEK = parse_week("2026-W19")
NOW = WEEK.end + timedelta(hours=6)
LEASE = timedelta(seconds=60)
WAITS = (timedelta(seconds=10), timedelta(minutes=1))


@pytest.fixture
def digest(database: Database) -> int:
    with database.transaction() as session:
        repository = repositories.ensure(session, REPOSITORY, NOW)
        return digests.save(session, repository, "main", WEEK, "{}", {}, NOW, seal=True)


def ensure(database: Database, digest: int, target: str = "folder") -> int:
    with database.transaction() as session:
        return publications.ensure(session, digest, "files", target, NOW)


def claim(database: Database, row: int, now=NOW) -> PublicationClaim | None:
    with database.transaction() as session:
        return publications.claim(session, row, now, LEASE, max_tries=3)


def claimed(database: Database, row: int, now=NOW) -> PublicationClaim:
    held = claim(database, row, now)
    assert held is not None
    return held


def view(database: Database, row: int) -> PublicationView:
    with database.reading() as session:
        return next(found for found in publications.listing(session) if found.id == row)


def test_r30_a_target_has_one_publication(database: Database, digest: int) -> None:
    row = ensure(database, digest)
    assert ensure(database, digest) == row
    other = ensure(database, digest, "elsewhere")
    with database.reading() as session:
        assert publications.counts(session) == {"pending": 2, "sending": 0, "sent": 0, "unknown": 0, "failed": 0}
        assert publications.due(session, NOW, 10) == [row, other]
        assert publications.oldest_due_age(session, NOW + LEASE) == LEASE


def test_a_receipt_is_stored_and_the_work_is_over(database: Database, digest: int) -> None:
    row = ensure(database, digest)
    held = claimed(database, row)
    assert (held.digest_id, held.channel, held.target, held.uncertain) == (digest, "files", "folder", False)
    with database.transaction() as session:
        assert publications.renew(session, held, NOW, LEASE)
        assert publications.finish(session, held, NOW, external_id="42", url="https://example.org/42")
    shown = view(database, row)
    assert (shown.status, shown.external_id, shown.url, shown.sent_at) == ("sent", "42", "https://example.org/42", NOW)
    assert ensure(database, digest) == row
    assert claim(database, row, NOW + timedelta(days=9)) is None


def test_r13_a_sender_that_lost_its_lease_is_fenced_off(database: Database, digest: int) -> None:
    row = ensure(database, digest)
    old = claimed(database, row)
    later = NOW + LEASE
    new = claimed(database, row, later)
    assert new.uncertain
    with database.transaction() as session:
        assert not publications.finish(session, old, later)
        assert not publications.doubt(session, old, "?", later, later)
        assert not publications.bury(session, old, "?", later)
        assert publications.fail(session, old, "?", later, WAITS, 1.0) == "fenced"
        assert publications.finish(session, new, later)


def test_r80_a_doubt_stays_until_it_is_settled(database: Database, digest: int) -> None:
    row = ensure(database, digest)
    held = claimed(database, row)
    now = NOW + timedelta(minutes=1)
    with database.transaction() as session:
        assert publications.doubt(session, held, "no answer", now, NOW)
    assert view(database, row).status == "unknown"
    held = claimed(database, row, now)
    assert held.uncertain
    with database.transaction() as session:
        assert publications.postpone(session, held, "limit", now, now)
    assert claimed(database, row, now).uncertain


def test_r14_the_ladder_ends_in_failed(database: Database, digest: int) -> None:
    row = ensure(database, digest)
    now, results = NOW, []
    for _ in range(3):
        held = claimed(database, row, now)
        assert not held.uncertain
        with database.transaction() as session:
            results.append(publications.fail(session, held, "boom", now, WAITS, 1.0))
        now += timedelta(minutes=1)
    assert results == ["retry", "retry", "dead"]
    assert (view(database, row).status, view(database, row).last_error) == ("failed", "boom")


@pytest.mark.parametrize("state", ["sent", "failed", "pending"])
def test_replay_asks_for_a_look_first(database: Database, digest: int, state: str) -> None:
    row = ensure(database, digest)
    if state != "pending":
        held = claimed(database, row)
        with database.transaction() as session:
            done = publications.finish if state == "sent" else lambda s, c, now: publications.bury(s, c, "no", now)
            assert done(session, held, NOW)
    with database.transaction() as session:
        assert publications.replay(session, row, NOW)
        assert not publications.replay(session, 4711, NOW)
    assert claimed(database, row).uncertain


def test_listing_can_be_narrowed(database: Database, digest: int) -> None:
    first, second = ensure(database, digest), ensure(database, digest, "elsewhere")
    claimed(database, first)
    with database.reading() as session:
        assert [row.id for row in publications.listing(session, digest_id=digest)] == [second, first]
        assert [row.id for row in publications.listing(session, status="sending")] == [first]
        assert publications.listing(session, digest_id=4711) == []

"""Many writers at once: one row a key, one holder a row, no error shown, on both engines."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from itertools import count
from typing import TypeVar

import pytest
from sqlalchemy import func, select

from shared.domain.pull_request import RepositoryRef
from shared.store import analyses, deliveries, events, pull_requests, repositories
from shared.store.deliveries import IncomingDelivery
from shared.store.session import Database, Session
from shared.store.tables import AnalysisRow, DeliveryRow, PullRequestRow, RepositoryRow
from tests.builders import MERGED_AT, make_analysis, make_pull_request

NOW = datetime(2026, 5, 6, 12, 0, tzinfo=UTC)
LEASE = timedelta(seconds=60)
T = TypeVar("T")


def at_once(database: Database, writers: int, work: Callable[[Session, int], T]) -> list[T]:
    """Run ``work`` in a transaction of each of ``writers`` threads, begun together; an error in one is raised."""
    start = threading.Barrier(writers)

    def run(number: int) -> T:
        start.wait()
        with database.transaction() as session:
            return work(session, number)

    with ThreadPoolExecutor(writers) as pool:
        return list(pool.map(run, range(writers)))


@pytest.fixture
def writers(database: Database) -> int:
    return 32 if database.dialect == "postgresql" else 8


def total(database: Database, table: type) -> int | None:
    with database.reading() as session:
        return session.scalar(select(func.count()).select_from(table))


def delivery(guid: str, source: str = "hook:1") -> IncomingDelivery:
    return IncomingDelivery(source=source, guid=guid, event="pull_request", action="closed", payload=b"{}" * 10_000)


def test_r40_many_writers_of_one_delivery_make_one_row(database: Database, writers: int) -> None:
    for round_number in range(8):
        incoming = delivery(f"round-{round_number}")
        results = at_once(database, writers, lambda session, _: deliveries.record(session, incoming, NOW))  # noqa: B023
        assert len({result.id for result in results}) == 1
        assert sum(not result.duplicate for result in results) == 1
    assert total(database, DeliveryRow) == 8


def test_r40_a_dead_delivery_is_revived_by_one_of_many(database: Database, writers: int) -> None:
    incoming = delivery("dead")
    with database.transaction() as session:
        row = deliveries.record(session, incoming, NOW).id
        held = deliveries.claim(session, row, NOW, LEASE)
        assert held is not None
        deliveries.bury(session, held, "no", NOW)
    results = at_once(database, writers, lambda session, _: deliveries.record(session, incoming, NOW))
    assert sum(result.revived for result in results) == 1


def test_r13_one_of_many_claims_a_row(database: Database, writers: int) -> None:
    with database.transaction() as session:
        rows = [deliveries.record(session, delivery(f"g-{n}"), NOW).id for n in range(5)]
    for row in rows:
        held = at_once(database, writers, lambda session, _: deliveries.claim(session, row, NOW, LEASE))  # noqa: B023
        assert sum(claim is not None for claim in held) == 1


def test_r40_many_writers_of_one_merge_make_one_change(database: Database, writers: int) -> None:
    def work(session: Session, number: int) -> int:
        at = MERGED_AT + timedelta(seconds=number % 7)
        row = repositories.ensure(session, RepositoryRef(full_name="a/b", id=5), NOW)
        pull_request = make_pull_request(7, title=f"Title {number % 7}", updated_at=at)
        change = pull_requests.save_facts(session, row, pull_request, captured=number % 2 == 0, now=NOW)
        analyses.save(session, change, make_analysis(7), NOW)
        events.count_event(session, "issues", "opened", "unknown-event", NOW)
        return change

    assert len(set(at_once(database, writers, work))) == 1
    assert [total(database, table) for table in (RepositoryRow, PullRequestRow, AnalysisRow)] == [1, 1, 1]
    with database.reading() as session:
        row = repositories.find(session, "a/b")
        assert row is not None
        stored = pull_requests.get(session, row, 7)
        assert stored is not None
        assert (stored.pull_request.title, stored.captured) == ("Title 6", True)
        assert [counted.count for counted in events.event_counts(session)] == [writers]


@pytest.mark.parametrize("guids", [("same", "same"), ("one", "two")])
def test_c10_the_same_merge_twice_at_the_same_time(database: Database, guids: tuple[str, str]) -> None:
    def receive(session: Session, number: int) -> int:
        return deliveries.record(session, delivery(guids[number], f"hook:{len(set(guids)) * number}"), NOW).id

    def analyse(session: Session, number: int) -> bool:
        claim = deliveries.claim(session, rows[number], NOW, LEASE)
        if claim is None:
            return False
        repository = repositories.ensure(session, RepositoryRef(full_name="a/b", id=5), NOW)
        change = pull_requests.save_facts(session, repository, make_pull_request(7), captured=True, now=NOW)
        analyses.save(session, change, make_analysis(7), NOW)
        return deliveries.finish(session, claim, "done", None, NOW)

    rows = at_once(database, 2, receive)
    at_once(database, 2, analyse)
    assert total(database, PullRequestRow) == 1
    assert total(database, AnalysisRow) == 1
    with database.reading() as session:
        assert deliveries.due(session, NOW + LEASE * 2, 10) == []


def test_d05_a_name_that_changes_hands_under_load_ends_with_one_owner(database: Database, writers: int) -> None:
    def work(session: Session, number: int) -> int:
        return repositories.ensure(session, RepositoryRef(full_name=f"a/{number % 3}", id=number % 4), NOW)

    owners = at_once(database, writers, work)
    assert len(set(owners)) == 4
    with database.reading() as session:
        current = repositories.all_repositories(session)
    assert len({ref.full_name for _, ref in current}) == len(current)


def test_r42_writers_of_several_processes_are_never_locked_out(sqlite_url: str) -> None:
    """Each thread opens the file for itself, as another process would."""
    numbers = count()
    databases = [Database(sqlite_url) for _ in range(4)]

    def write(database: Database) -> int:
        for _ in range(25):
            with database.transaction() as session:
                deliveries.record(session, delivery(f"g-{next(numbers)}"), NOW)
        return 25

    with ThreadPoolExecutor(len(databases)) as pool:
        assert sum(pool.map(write, databases)) == 100
    assert total(databases[0], DeliveryRow) == 100
    for database in databases:
        database.dispose()


def test_readers_are_not_kept_waiting_by_a_writer(database: Database) -> None:
    with ThreadPoolExecutor(1) as pool, database.transaction() as session:
        deliveries.record(session, delivery("g"), NOW)
        assert pool.submit(total, database, DeliveryRow).result(timeout=10) == 0
    assert total(database, DeliveryRow) == 1


def test_a_reading_sees_one_unchanging_view(database: Database) -> None:
    def record() -> None:
        with database.transaction() as session:
            deliveries.record(session, delivery("g"), NOW)

    def counted(session: Session) -> int | None:
        return session.scalar(select(func.count()).select_from(DeliveryRow))

    with ThreadPoolExecutor(1) as pool, database.reading() as session:
        assert counted(session) == 0
        pool.submit(record).result(timeout=30)
        assert counted(session) == 0
    assert total(database, DeliveryRow) == 1

"""Repositories on both engines: by id, else by name; renames followed, reused names kept apart, rows joined."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from shared.domain.errors import InvalidInput
from shared.domain.period import parse_week
from shared.domain.pull_request import RepositoryRef
from shared.store import digests, pull_requests, repositories
from shared.store.pull_requests import CapturedBy
from shared.store.session import Database
from tests.builders import MERGED_AT, make_pull_request

NOW = datetime(2026, 5, 6, 12, 0, tzinfo=UTC)
WEEK = parse_week("2026-W19")


def ensure(database: Database, name: str, host_id: int | None = None, *, at: datetime = NOW, **more: object) -> int:
    with database.transaction() as session:
        return repositories.ensure(session, RepositoryRef(full_name=name, id=host_id, **more), at)


def ref(database: Database, row: int) -> RepositoryRef:
    with database.reading() as session:
        return repositories.ref_of(session, row)


def find(database: Database, name: str) -> int | None:
    with database.reading() as session:
        return repositories.find(session, name)


def merge(database: Database, row: int, number: int, *, captured: bool = True, title: str = "T") -> int:
    with database.transaction() as session:
        pull_request = make_pull_request(number, title=title)
        return pull_requests.save_facts(session, row, pull_request, captured=captured, now=NOW)


def numbers(database: Database, row: int) -> list[int]:
    with database.reading() as session:
        week = pull_requests.of_period(session, row, WEEK.start, WEEK.end)
        return [stored.pull_request.number for stored in week]


def test_a_repository_is_stored_once(database: Database) -> None:
    row = ensure(database, "lumen/lumen", 5, private=True, default_branch="main")
    assert ensure(database, "lumen/lumen", 5) == row
    assert ref(database, row) == RepositoryRef(full_name="lumen/lumen", id=5, private=True, default_branch="main")
    assert find(database, "LUMEN/Lumen") == row
    assert find(database, "lumen/other") is None


def test_another_host_is_another_repository(database: Database) -> None:
    assert ensure(database, "a/b", 5) != ensure(database, "a/b", 5, host="git.example.org")


def test_what_is_learned_later_is_kept(database: Database) -> None:
    row = ensure(database, "a/b", 5, default_branch="main")
    ensure(database, "a/b", 5, private=False, default_branch="trunk")
    ensure(database, "a/b", 5)
    assert ref(database, row) == RepositoryRef(full_name="a/b", id=5, private=False, default_branch="trunk")


def test_the_id_is_joined_when_it_is_learned(database: Database) -> None:
    row = ensure(database, "a/b")
    assert ensure(database, "A/b", 5) == row
    assert ensure(database, "a/b") == row
    assert ref(database, row) == RepositoryRef(full_name="A/b", id=5)


def test_a_rename_is_followed(database: Database) -> None:
    row = ensure(database, "old/name", 5)
    assert ensure(database, "new/name", 5) == row
    assert ref(database, row).full_name == "new/name"
    assert find(database, "new/name") == row
    assert find(database, "old/name") is None
    merge(database, row, 7)
    with database.reading() as session:
        stored = pull_requests.get(session, row, 7)
    assert stored is not None
    assert stored.pull_request.url == "https://github.com/new/name/pull/7"


def test_d05_a_number_reused_in_a_fresh_repository_stays_apart(database: Database) -> None:
    before = ensure(database, "a/b", 5)
    merge(database, before, 7, title="Before the import")
    after = ensure(database, "a/b", 6)
    merge(database, after, 7, title="After the import")
    assert before != after
    assert find(database, "a/b") == after
    for row, title in ((before, "Before the import"), (after, "After the import")):
        with database.reading() as session:
            stored = pull_requests.get(session, row, 7)
        assert stored is not None
        assert stored.pull_request.title == title
    with database.reading() as session:
        assert [row for row, _ in repositories.all_repositories(session)] == [after]


def test_d05_a_late_delivery_of_the_earlier_repository_takes_nothing_back(database: Database) -> None:
    before, after = ensure(database, "a/b", 5), ensure(database, "a/b", 6)
    assert ensure(database, "a/b", 5) == before
    assert ensure(database, "a/b") == after
    assert find(database, "a/b") == after


def test_a_repository_set_aside_comes_back_under_a_new_name(database: Database) -> None:
    before, after = ensure(database, "a/b", 5), ensure(database, "a/b", 6)
    assert ensure(database, "a/archive", 5) == before
    with database.reading() as session:
        assert {row for row, _ in repositories.all_repositories(session)} == {before, after}
    assert find(database, "a/archive") == before


def test_a_repository_set_aside_comes_back_under_its_name_when_it_is_told_later_to_have_it(database: Database) -> None:
    first, second = ensure(database, "a/b", 5), ensure(database, "a/b", 6)
    later = NOW + timedelta(hours=1)
    assert ensure(database, "a/b", 5, at=later) == first
    assert find(database, "a/b") == first
    ensure(database, "a/elsewhere", 6, at=later)
    with database.reading() as session:
        named = {row: found.full_name for row, found in repositories.all_repositories(session)}
    assert named == {first: "a/b", second: "a/elsewhere"}


@pytest.mark.parametrize("known", [True, False])
def test_what_is_told_late_takes_a_name_from_nobody_who_was_told_to_have_it_since(
    database: Database, known: bool
) -> None:
    first = ensure(database, "a/old", 5) if known else None
    second = ensure(database, "a/b", 6, at=NOW + timedelta(hours=2))

    late = ensure(database, "a/b", 5, at=NOW + timedelta(hours=1))

    assert find(database, "a/b") == second
    assert first in (None, late)
    assert ensure(database, "a/new", 5, at=NOW + timedelta(hours=3)) == late
    with database.reading() as session:
        named = {row: found.full_name for row, found in repositories.all_repositories(session)}
    assert named == {late: "a/new", second: "a/b"}


def test_names_may_be_swapped(database: Database) -> None:
    first, second = ensure(database, "a/x", 1), ensure(database, "a/y", 2)
    assert ensure(database, "a/y", 1) == first
    assert ensure(database, "a/x", 2) == second
    assert (find(database, "a/y"), find(database, "a/x")) == (first, second)


def test_two_rows_of_one_repository_are_joined(database: Database) -> None:
    by_id = ensure(database, "old/name", 5)
    merge(database, by_id, 1, title="From the webhook")
    merge(database, by_id, 2, captured=False)
    by_name = ensure(database, "new/name")
    for number in (1, 2, 3):
        merge(database, by_name, number, title="From a clone")
    with database.transaction() as session:
        digests.save(session, by_name, "main", WEEK, "{}", {3: "condensed"}, NOW + timedelta(days=9), seal=True)
    assert ensure(database, "new/name", 5) == by_id
    assert find(database, "new/name") == by_id
    assert numbers(database, by_id) == [1, 2, 3]
    with database.reading() as session:
        kept = pull_requests.get(session, by_id, 1)
        assert kept is not None
        assert kept.pull_request.title == "From the webhook"
        assert digests.last_sealed_week(session, by_id) == "2026-W19"
        assert [row for row, _ in repositories.all_repositories(session)] == [by_id]


@pytest.mark.parametrize(
    ("known", "joined", "news"),
    [
        ("backfill", "delivery", True),
        ("delivery", "backfill", True),
        ("backfill", "backfill", False),
        (None, "backfill", False),
    ],
)
def test_a_merge_of_two_joined_rows_is_news_if_it_was_news_in_one(
    database: Database, known: CapturedBy | None, joined: CapturedBy, news: bool
) -> None:
    by_id, by_name = ensure(database, "old/name", 5), ensure(database, "new/name")
    with database.transaction() as session:
        for row, how in ((by_id, known), (by_name, joined)):
            told = make_pull_request(1)
            pull_requests.save_facts(session, row, told, captured=how is not None, now=NOW, by=how or "delivery")

    ensure(database, "new/name", 5)

    with database.reading() as session:
        assert pull_requests.any_news(session, by_id, WEEK.start, WEEK.end) is news
    assert numbers(database, by_id) == [1]


def test_c46_ids_beyond_32_bits(database: Database) -> None:
    row = ensure(database, "a/b", 5_000_000_000)
    assert ref(database, row).id == 5_000_000_000
    with pytest.raises(InvalidInput, match="not one that a host gives"):
        ensure(database, "a/c", 2**63)


def test_an_unknown_row_is_a_key_error(database: Database) -> None:
    with database.reading() as session, pytest.raises(KeyError):
        repositories.ref_of(session, 4711)


def test_merged_at_of_the_builders_lies_in_the_week() -> None:
    assert WEEK.contains(MERGED_AT)

"""Digests on both engines: rebuilt until sealed, then never changed; what comes late is told once."""

from __future__ import annotations

import json
from datetime import timedelta

import pytest

from shared.domain.digest import State
from shared.domain.errors import InvalidInput
from shared.domain.period import Period, parse_week
from shared.store import digests, pull_requests, repositories
from shared.store.session import Database
from tests.builders import MERGED_AT, REPOSITORY, make_pull_request

W19 = parse_week("2026-W19")
W20 = W19.next()
W21 = W20.next()
AFTER = W19.end + timedelta(hours=6)


@pytest.fixture
def repository(database: Database) -> int:
    with database.transaction() as session:
        return repositories.ensure(session, REPOSITORY, AFTER)


def document(**fields: object) -> str:
    return json.dumps({"merged_total": 0, **fields}, ensure_ascii=False)


def save(
    database: Database,
    repository: int,
    period: Period = W19,
    text: str = "{}",
    entries: dict[int, State] | None = None,
    *,
    seal: bool = False,
) -> int:
    with database.transaction() as session:
        now = period.end + timedelta(hours=6)
        return digests.save(session, repository, "main", period, text, entries or {}, now, seal=seal)


def merge(database: Database, repository: int, number: int, weeks_later: int = 0) -> None:
    with database.transaction() as session:
        pull_request = make_pull_request(number, merged_at=MERGED_AT + timedelta(weeks=weeks_later))
        pull_requests.save_facts(session, repository, pull_request, captured=True, now=AFTER)


def get(database: Database, repository: int, week: str = "2026-W19", timezone: str | None = None):
    with database.reading() as session:
        return digests.get(session, repository, week, timezone)


def late(database: Database, repository: int, period: Period) -> list[int]:
    with database.reading() as session:
        return digests.late_numbers(session, repository, period)


def test_a_digest_comes_back_byte_for_byte(database: Database, repository: int) -> None:
    text = '{ "title":"é\\u0000🦆",\n "late": [] }'
    row = save(database, repository, text=text)
    stored = get(database, repository)
    assert (stored.id, stored.document, stored.sealed_at, stored.revision) == (row, text, None, 1)
    assert get(database, repository, "2026-W20") is None


def test_r30_a_week_has_one_digest_and_is_rebuilt_in_place(database: Database, repository: int) -> None:
    first = save(database, repository, text=document(a=1))
    assert save(database, repository, text=document(a=1)) == first
    assert get(database, repository).revision == 1
    assert save(database, repository, text=document(a=2)) == first
    assert (get(database, repository).document, get(database, repository).revision) == (document(a=2), 2)


def test_r32_a_sealed_digest_keeps_its_snapshot(database: Database, repository: int) -> None:
    row = save(database, repository, text=document(a=1), entries={1: "condensed"}, seal=True)
    sealed = get(database, repository)
    assert sealed.sealed_at == AFTER
    for seal in (True, False):
        assert save(database, repository, text=document(a=2), entries={2: "featured"}, seal=seal) == row
    assert get(database, repository) == sealed
    for number in (1, 2):
        merge(database, repository, number)
    assert late(database, repository, W20) == [2]


def test_d07_a_week_that_is_not_over_cannot_be_sealed(database: Database, repository: int) -> None:
    with pytest.raises(InvalidInput, match="not over"), database.transaction() as session:
        digests.save(session, repository, "main", W19, "{}", {}, W19.end - timedelta(seconds=1), seal=True)
    assert get(database, repository) is None


def test_the_same_week_in_another_zone_is_another_digest(database: Database, repository: int) -> None:
    shanghai = parse_week("2026-W19", "Asia/Shanghai")
    utc = save(database, repository, text=document(zone="UTC"), seal=True)
    other = save(database, repository, shanghai, text=document(zone="Shanghai"))
    assert utc != other
    assert get(database, repository).id == utc
    assert get(database, repository, timezone="Asia/Shanghai").id == other
    assert get(database, repository, timezone="Europe/Paris") is None


def test_weeks_are_listed_newest_first(database: Database, repository: int) -> None:
    save(database, repository, W20)
    save(database, repository, W19, seal=True)
    with database.reading() as session:
        listed = digests.weeks(session, repository)
        assert digests.last_sealed_week(session, repository) == "2026-W19"
        assert digests.last_sealed_week(session, repository, "Asia/Shanghai") is None
    assert [(week.week, week.sealed_at is not None) for week in listed] == [("2026-W20", False), ("2026-W19", True)]
    assert (listed[1].start, listed[1].end) == (W19.start, W19.end)


def test_r32_what_comes_after_the_seal_is_late_once(database: Database, repository: int) -> None:
    merge(database, repository, 1)
    save(database, repository, W19, entries={1: "featured"}, seal=True)
    assert late(database, repository, W20) == []
    merge(database, repository, 2)
    assert late(database, repository, W19) == []
    assert late(database, repository, W20) == [2]
    save(database, repository, W20, text=document(late=[2]))
    assert late(database, repository, W20) == [2]
    assert late(database, repository, W21) == [2]
    save(database, repository, W20, text=document(late=[2]), seal=True)
    assert late(database, repository, W20) == [2]
    assert late(database, repository, W21) == []


def test_merges_into_other_branches_are_not_late(database: Database, repository: int) -> None:
    merge(database, repository, 1)
    save(database, repository, W19, text=document(elsewhere={"release": [1]}), seal=True)
    assert late(database, repository, W20) == []


def test_merges_of_a_week_without_a_sealed_digest_are_not_late(database: Database, repository: int) -> None:
    merge(database, repository, 1)
    save(database, repository, W19)
    assert late(database, repository, W20) == []

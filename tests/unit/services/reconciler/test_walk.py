"""Walks down a list that moves while it is read (C-22): nothing that was updated in time is missed."""

from __future__ import annotations

import random
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import pytest

from services.reconciler.walk import MOST_LEGS, Walk, begin, step
from shared.domain.errors import Transient

NOON = datetime(2026, 5, 6, 12, tzinfo=UTC)
FLOOR = NOON - timedelta(days=3)
SIZE = 5


@dataclass(frozen=True)
class ListedPage:
    """What a walk sees of a page."""

    numbers: tuple[int, ...]
    oldest_update: datetime | None
    cursor: str | None


class Host:
    """A host's list of pull requests, newest update first, by place in the order or by page number."""

    def __init__(self, stable: bool) -> None:
        self.stable = stable
        self.now = NOON
        self.updated: dict[int, datetime] = {}
        self.read = 0

    def page(self, cursor: str | None) -> ListedPage:
        self.read += 1
        order = sorted(self.updated, key=lambda number: (self.updated[number], number), reverse=True)
        place = 0
        if cursor is not None and self.stable:
            at, number = cursor.split("|")
            after = (datetime.fromisoformat(at), int(number))
            place = next((i for i, n in enumerate(order) if (self.updated[n], n) < after), len(order))
        elif cursor is not None:
            place = int(cursor) * SIZE
        found = tuple(order[place : place + SIZE])
        more = place + SIZE < len(order)
        last = f"{self.updated[found[-1]].isoformat()}|{found[-1]}" if found else None
        following = (last if self.stable else str(place // SIZE + 1)) if more else None
        return ListedPage(found, min((self.updated[n] for n in found), default=None), following)

    def touch(self, number: int) -> None:
        self.updated[number] = self.now

    def updates(self, page: ListedPage) -> dict[int, datetime]:
        return {number: self.updated[number] for number in page.numbers}


def walked(host: Host, between=lambda _page: None, walk: Walk | None = None) -> tuple[Walk, set[int]]:
    """Walk to the end; ``between`` happens after each page."""
    walk = walk or begin(host.now, FLOOR)
    seen: set[int] = set()
    while not walk.done:
        page = host.page(walk.cursor)
        seen |= set(page.numbers)
        host.now += timedelta(seconds=1)
        walk = step(walk, page, host.updates(page), host.now, stable=host.stable)
        between(host.read)
    return walk, seen


def with_merges(stable: bool, count: int) -> Host:
    host = Host(stable)
    host.updated = {number: NOON - timedelta(hours=1, minutes=count - number) for number in range(1, count + 1)}
    return host


@pytest.mark.parametrize("stable", [True, False])
def test_a_list_of_one_page_takes_one_request(stable: bool) -> None:
    host = with_merges(stable, 4)
    walk, seen = walked(host)
    assert (host.read, seen) == (1, {1, 2, 3, 4})
    assert (walk.began, walk.floor) == (NOON, FLOOR)


@pytest.mark.parametrize("stable", [True, False])
def test_an_empty_list_is_walked_at_once(stable: bool) -> None:
    host = Host(stable)
    assert walked(host)[1] == set()
    assert host.read == 1


@pytest.mark.parametrize("stable", [True, False])
def test_it_stops_at_what_was_updated_before_the_floor(stable: bool) -> None:
    host = with_merges(stable, 7)
    host.updated |= {number: FLOOR - timedelta(days=number) for number in range(100, 200)}
    _, seen = walked(host)
    assert set(range(1, 8)) <= seen
    assert host.read <= 5


def test_c22_with_cursors_that_stay_one_look_at_the_head_finds_what_moved_there() -> None:
    host = with_merges(True, 12)
    walk, seen = walked(host, lambda read: host.touch(1) if read == 2 else None)
    assert seen == set(range(1, 13))
    assert host.read == 4
    assert walk.until >= NOON - timedelta(hours=2)


def test_c22_with_page_numbers_the_list_is_walked_until_two_walks_agree() -> None:
    host = with_merges(False, 12)
    walked(host)
    assert host.read == 6, "a list at rest is walked twice"

    host = with_merges(False, 12)

    def leaves(read: int) -> None:
        if read == 1:
            del host.updated[12]

    _, seen = walked(host, leaves)
    assert seen == set(range(1, 13)), "one slipped over the edge of a page, and was seen by the next walk"
    assert host.read == 9


@pytest.mark.parametrize("stable", [True, False])
@pytest.mark.parametrize("seed", range(40))
def test_c22_nothing_is_missed_however_the_list_moves(stable: bool, seed: int) -> None:
    chance = random.Random(seed)
    host = with_merges(stable, 23)

    def moves(read: int) -> None:
        for number in chance.sample(sorted(host.updated), 2) if read < 8 else ():
            host.touch(number)

    _, seen = walked(host, moves)
    assert seen == set(range(1, 24))


@pytest.mark.parametrize("stable", [True, False])
def test_a_walk_goes_on_from_what_was_kept_of_it(stable: bool) -> None:
    host = with_merges(stable, 12)
    page = host.page(None)
    kept = step(begin(host.now, FLOOR), page, host.updates(page), host.now, stable=stable).model_dump_json()
    _, seen = walked(host, walk=Walk.model_validate_json(kept))
    assert seen | set(page.numbers) == set(range(1, 13))


def test_more_than_a_page_of_one_time_at_the_head_is_at_rest_when_it_was_seen_twice() -> None:
    host = with_merges(True, 4)
    host.updated |= dict.fromkeys(range(10, 10 + 3 * SIZE), NOON)
    walk, seen = walked(host)
    assert seen == {*range(1, 5), *range(10, 10 + 3 * SIZE)}
    assert walk.legs == 2


def test_c22_what_joins_a_head_of_one_time_is_not_taken_for_rest() -> None:
    host = with_merges(True, 30)
    host.updated |= dict.fromkeys(range(100, 100 + 2 * SIZE), NOON)

    def moves(read: int) -> None:
        if read == 4:
            host.updated[1] = NOON

    walk, seen = walked(host, moves)
    assert seen == {*range(1, 31), *range(100, 100 + 2 * SIZE)}
    assert walk.legs == 3


@pytest.mark.parametrize("ahead", [timedelta(minutes=10), timedelta(minutes=-10)])
def test_c22_a_clock_that_differs_from_the_hosts_misses_nothing(ahead: timedelta) -> None:
    host = with_merges(True, 23)
    walk = begin(host.now + ahead, FLOOR)
    seen: set[int] = set()
    while not walk.done:
        page = host.page(walk.cursor)
        listed = page.numbers if host.read > 1 else ()
        seen |= set(page.numbers)
        host.now += timedelta(seconds=1)
        told = {number: host.updated[number] for number in listed}
        walk = step(walk, page, told, host.now + ahead, stable=True)
        if host.read == 1:
            host.touch(1)
            host.now += timedelta(minutes=3)
    assert seen == set(range(1, 24)), "the first page had no merge that tells the time of the head"


def test_what_could_not_be_read_is_counted_over_all_pages() -> None:
    walk = begin(NOON, FLOOR).without(1).without(0)
    host = with_merges(True, 12)
    page = host.page(None)
    assert step(walk, page, host.updates(page), NOON, stable=True).without(2).left_out == 3


def test_a_list_that_never_rests_is_left_for_later() -> None:
    host = with_merges(False, 40)

    def moves(read: int) -> None:
        host.updated[1000 + read] = host.now

    with pytest.raises(Transient, match="did not come to rest"):
        walked(host, moves)
    assert host.read >= MOST_LEGS * 40 // SIZE

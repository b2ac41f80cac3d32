"""Searching a source backwards in time."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest

from services.cli.looking_back import BEGINNING, find_merge, recent_weeks, windows
from shared.domain.errors import InvalidInput
from shared.domain.protocols import Progress, SourceTexts
from shared.domain.pull_request import PullRequest, RepositoryRef
from tests.builders import REPOSITORY, make_pull_request

NOW = datetime(2026, 11, 30, 9, tzinfo=UTC)


class Shelf:
    """A source that notes what it was asked for."""

    def __init__(self, *merges: PullRequest) -> None:
        self._merges = merges
        self.asked: list[tuple[datetime, datetime]] = []

    @property
    def repository(self) -> RepositoryRef:
        return REPOSITORY

    def merged_between(self, start: datetime, end: datetime, progress: Progress | None = None) -> Iterator[PullRequest]:
        yield from (merge for merge in self._merges if start <= merge.merged_at < end)

    def merge_times(self, start: datetime, end: datetime) -> Iterator[tuple[int, datetime]]:
        self.asked.append((start, end))
        yield from ((merge.number, merge.merged_at) for merge in self.merged_between(start, end))

    def conventions(self) -> dict[str, str]:
        return {}

    def sources(self, pull_request: PullRequest) -> SourceTexts:
        return {}


def test_windows_touch_and_reach_from_the_beginning_to_tomorrow() -> None:
    stretches = list(windows(NOW))

    assert stretches[0][1] == NOW + timedelta(days=1)
    assert stretches[-1][0] == BEGINNING
    assert all(later[0] == earlier[1] for later, earlier in pairwise(stretches))


def test_the_newest_week_is_found_without_reading_everything() -> None:
    shelf = Shelf(
        make_pull_request(1, merged_at=NOW - timedelta(days=3000)),
        make_pull_request(2, merged_at=NOW - timedelta(days=9)),
    )

    assert recent_weeks(shelf, "UTC", NOW) == {"2026-W47": 1}
    assert len(shelf.asked) == 1


def test_an_old_merge_is_found_too() -> None:
    shelf = Shelf(make_pull_request(1, merged_at=datetime(2012, 2, 29, tzinfo=UTC)))

    assert recent_weeks(shelf, "UTC", NOW) == {"2012-W09": 1}
    assert find_merge(shelf, 1, NOW, lambda _done, _total: None).number == 1


def test_a_source_without_merges_has_no_newest_week() -> None:
    assert not recent_weeks(Shelf(), "UTC", NOW)


def test_a_number_that_is_not_there_is_refused() -> None:
    with pytest.raises(InvalidInput, match="lumen/lumen has no merge #7"):
        find_merge(Shelf(make_pull_request(1)), 7, NOW, lambda _done, _total: None)

"""Searches a source backwards in time, so that what is recent is found without reading all of a long history."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

from shared.domain.errors import InvalidInput
from shared.domain.period import week_of
from shared.domain.protocols import MergeSource, Progress
from shared.domain.pull_request import PullRequest

BEGINNING = datetime(1970, 1, 1, tzinfo=UTC)
_REACHES = (timedelta(weeks=5), timedelta(weeks=26), timedelta(days=730))


def windows(present: datetime) -> Iterator[tuple[datetime, datetime]]:
    """Yield half-open stretches of time, the newest first, that together reach from the beginning to tomorrow."""
    end = present + timedelta(days=1)
    for reach in _REACHES:
        start = present - reach
        yield start, end
        end = start
    yield BEGINNING, end


def recent_weeks(source: MergeSource, timezone: str, present: datetime) -> Counter[str]:
    """Return how many merges each week has, such as ``2026-W19``, in the newest stretch that has any at all."""
    counted: Counter[str] = Counter()
    for start, end in windows(present):
        counted.update(week_of(merged_at, timezone).week for _, merged_at in source.merge_times(start, end))
        if counted:
            break
    return counted


def find_merge(source: MergeSource, number: int, present: datetime, report: Progress) -> PullRequest:
    """Return the merge ``number`` of the source; InvalidInput when it has none."""
    for start, end in windows(present):
        for known, merged_at in source.merge_times(start, end):
            if known == number:
                return _read(source, number, merged_at, report)
    raise InvalidInput(f"{source.repository.full_name} has no merge #{number}.", "Check the number and the source.")


def _read(source: MergeSource, number: int, merged_at: datetime, report: Progress) -> PullRequest:
    near = source.merged_between(merged_at, merged_at + timedelta(seconds=1), report)
    return next(merge for merge in near if merge.number == number)

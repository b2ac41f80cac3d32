"""When a query that fails at one merge is given up."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from shared.sources.github_api.failing import FAILURES, PATIENCE, FailingQueries

NOW = datetime(2026, 5, 6, 12, 0, tzinfo=UTC)


def failed(times: int, number: int = 1) -> FailingQueries:
    failing = FailingQueries()
    for _ in range(times):
        failing.failed(number, NOW)
    return failing


@pytest.mark.parametrize(
    ("times", "after", "given_up"),
    [
        (0, PATIENCE, False),
        (FAILURES - 1, 10 * PATIENCE, False),
        (FAILURES, PATIENCE - timedelta(seconds=1), False),
        (FAILURES, PATIENCE, True),
        (10 * FAILURES, timedelta(0), False),
    ],
)
def test_a_query_is_given_up_after_enough_failures_over_enough_time(
    times: int, after: timedelta, given_up: bool
) -> None:
    failing = failed(times)

    assert failing.give_up(1, NOW + after) is given_up
    assert failing.is_given_up(1) is given_up
    assert not failing.is_given_up(2)


def test_a_merge_that_was_read_begins_anew() -> None:
    failing = failed(FAILURES)
    assert failing.give_up(1, NOW + PATIENCE)
    failing.over(1)

    assert not failing.is_given_up(1)
    failing.failed(1, NOW + PATIENCE)
    assert not failing.give_up(1, NOW + 3 * PATIENCE)


def test_no_more_than_a_thousand_merges_are_remembered() -> None:
    failing = failed(FAILURES)
    for number in range(2, 1_002):
        failing.failed(number, NOW)

    assert not failing.give_up(1, NOW + PATIENCE)
    for _ in range(FAILURES - 1):
        failing.failed(1_001, NOW)
    assert failing.give_up(1_001, NOW + PATIENCE)

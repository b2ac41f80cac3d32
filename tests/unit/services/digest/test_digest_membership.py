"""Which merges belong to a digest."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from services.digest.aggregate import aggregate
from shared.domain.period import parse_week, week_of
from tests.unit.services.digest.weeks import WEEK, last_week, make_failure, make_frame, make_merge


@pytest.mark.parametrize(
    ("merged_at", "inside"),
    [
        (WEEK.start, True),
        (WEEK.start - timedelta(microseconds=1), False),
        (WEEK.end - timedelta(microseconds=1), True),
        (WEEK.end, False),
    ],
)
def test_the_window_is_half_open(merged_at: datetime, inside: bool) -> None:
    digest = aggregate([make_merge(1, merged_at=merged_at)], make_frame())

    assert digest.merged_total == int(inside)


@pytest.mark.parametrize(
    ("zone", "merged_at"),
    [
        ("Asia/Shanghai", datetime(2026, 5, 10, 15, 30, tzinfo=UTC)),
        ("America/Los_Angeles", datetime(2026, 5, 11, 6, 30, tzinfo=UTC)),
    ],
)
def test_c53_sunday_evening_belongs_to_the_week_of_the_digests_zone(zone: str, merged_at: datetime) -> None:
    """The merge is made on Sunday 2026-05-10 at 23:30 local time."""
    merge = make_merge(7, merged_at=merged_at)

    ours = aggregate([merge], make_frame(period=parse_week("2026-W19", zone)))
    next_one = aggregate([merge], make_frame(period=parse_week("2026-W20", zone)))

    assert (ours.merged_total, next_one.merged_total) == (1, 0)
    assert week_of(merged_at, zone).week == "2026-W19"


@pytest.mark.parametrize(
    ("frame", "members", "elsewhere"),
    [
        ({}, [1, 2], {"feature-a": (4,), "master": (5,), "release/1.x": (3,)}),
        ({"branches": ("release/*",)}, [1, 2, 3], {"feature-a": (4,), "master": (5,)}),
        ({"branches": ("master",)}, [1, 2, 5], {"feature-a": (4,), "release/1.x": (3,)}),
    ],
    ids=["default branch only", "a pattern", "the default branch was renamed in midweek"],
)
def test_c15_other_branches_are_only_counted(
    frame: dict[str, Any], members: list[int], elsewhere: dict[str, tuple[int, ...]]
) -> None:
    merges = [
        make_merge(1),
        make_merge(2),
        make_merge(3, base_ref="release/1.x"),
        make_merge(4, base_ref="feature-a"),
        make_merge(5, base_ref="master"),
    ]

    digest = aggregate(merges, make_frame(**frame))

    assert [listed.number for listed in digest.pull_requests] == members
    assert digest.elsewhere == elsewhere
    assert digest.merged_total == len(members)


def test_a_number_that_comes_twice_counts_once_and_the_analysed_one_wins() -> None:
    digest = aggregate([make_failure(3), make_merge(3, title="Known"), make_failure(3)], make_frame())

    assert digest.merged_total == 1
    assert digest.ledger.failed == ()
    assert digest.pull_requests[0].title == "Known"


def test_late_merges_are_listed_apart_and_not_counted() -> None:
    late = last_week([make_merge(8), make_merge(9, base_ref="feature-a")])

    digest = aggregate([make_merge(1)], make_frame(), late=[*late, make_merge(1)])

    assert digest.late == (8,)
    assert digest.merged_total == 1


def test_the_week_before_is_unknown_empty_or_counted() -> None:
    merges = [make_merge(1, areas=("web",))]

    unknown = aggregate(merges, make_frame())
    empty = aggregate(merges, make_frame(), earlier=[])
    counted = aggregate(merges, make_frame(), earlier=last_week([make_merge(2, areas=("web",)), make_merge(3)]))

    assert unknown.previous is None
    assert unknown.areas[0].previous is None
    assert empty.previous is not None
    assert (empty.previous.week, empty.previous.merged_total) == ("2026-W18", 0)
    assert empty.areas[0].previous == 0
    assert counted.previous is not None
    assert counted.previous.merged_total == 2
    assert counted.areas[0].previous == 1

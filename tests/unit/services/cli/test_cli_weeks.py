"""Which week a command is about."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from services.cli.weeks import chosen_week
from shared.domain.errors import InvalidInput

WEDNESDAY = datetime(2026, 5, 13, 12, tzinfo=UTC)


def test_the_last_finished_week_is_the_default() -> None:
    assert chosen_week(None, "UTC", WEDNESDAY).week == "2026-W19"


def test_so_far_without_a_week_means_the_present_one() -> None:
    assert chosen_week(None, "UTC", WEDNESDAY, so_far=True).week == "2026-W20"


def test_an_unfinished_week_is_refused_unless_so_far() -> None:
    with pytest.raises(InvalidInput, match=r"not over until 2026-05-18 00:00 UTC.*--so-far"):
        chosen_week("2026-W20", "UTC", WEDNESDAY)

    assert chosen_week("2026-W20", "UTC", WEDNESDAY, so_far=True).week == "2026-W20"


@pytest.mark.parametrize("so_far", [False, True])
def test_d07_a_future_week_is_always_refused(so_far: bool) -> None:
    with pytest.raises(InvalidInput, match="has not begun"):
        chosen_week("2026-W21", "UTC", WEDNESDAY, so_far=so_far)


@pytest.mark.parametrize(
    "text", ["", "19", "2026-19", "2026-W54", "2025-W53", "2026-W00", "W19-2026", "2026-W19\n2026"]
)
def test_a_malformed_week_is_refused(text: str) -> None:
    with pytest.raises(InvalidInput, match="is not an ISO week"):
        chosen_week(text, "UTC", WEDNESDAY)


def test_c53_the_zone_decides_which_week_is_over() -> None:
    sunday_night = datetime(2026, 5, 10, 17, tzinfo=UTC)

    assert chosen_week(None, "UTC", sunday_night).week == "2026-W18"
    assert chosen_week(None, "Asia/Shanghai", sunday_night).week == "2026-W19"


def test_a_week_is_over_at_its_end_and_not_before() -> None:
    end = datetime(2026, 5, 11, tzinfo=UTC)

    assert chosen_week("2026-W19", "UTC", end).week == "2026-W19"
    with pytest.raises(InvalidInput):
        chosen_week("2026-W19", "UTC", end - timedelta(microseconds=1))

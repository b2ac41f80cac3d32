"""Week arithmetic (R-31, C-53, C-54): every instant in exactly one week, weeks touch, labels follow the ISO calendar."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.domain.errors import InvalidInput
from shared.domain.period import last_finished, parse_week, week_of, zone_of

ZONES = (
    "UTC",
    "America/New_York",
    "Asia/Shanghai",
    "Asia/Kathmandu",
    "Australia/Lord_Howe",
    "Pacific/Apia",
    "America/Santiago",
)
instants = st.datetimes(datetime(2005, 1, 1), datetime(2035, 1, 1), timezones=st.just(UTC))


@given(instant=instants, zone=st.sampled_from(ZONES))
def test_r31_an_instant_lies_in_exactly_one_week(instant: datetime, zone: str) -> None:
    week = week_of(instant, zone)
    local = instant.astimezone(zone_of(zone)).date()
    year, number, _ = local.isocalendar()

    assert week.contains(instant)
    assert not week.previous().contains(instant)
    assert not week.next().contains(instant)
    assert week.week == f"{year:04d}-W{number:02d}"


@pytest.mark.parametrize("zone", ZONES)
def test_r31_weeks_of_thirty_years_touch_without_gap_or_overlap(zone: str) -> None:
    week = week_of(datetime(2005, 1, 5, tzinfo=UTC), zone)
    lengths = set()
    while week.start.year < 2035:
        following = week.next()
        assert week.end == following.start
        assert following.previous() == week
        assert parse_week(week.week, zone) == week
        lengths.add((week.end - week.start) // timedelta(hours=1))
        week = following
    assert lengths <= {144, 167, 168, 169}
    assert (144 in lengths) == (zone == "Pacific/Apia"), "only Apia skipped a whole day, in 2011"


@pytest.mark.parametrize("zone", ZONES)
@pytest.mark.parametrize("week", ["2026-W13", "2026-W19", "2026-W44", "2020-W53", "2021-W01"])
def test_r31_merges_one_second_around_each_edge(zone: str, week: str) -> None:
    period = parse_week(week, zone)
    second = timedelta(seconds=1)

    assert period.contains(period.start)
    assert not period.contains(period.start - second)
    assert period.contains(period.end - second)
    assert not period.contains(period.end)


def test_c53_sunday_night_belongs_to_the_week_of_the_digests_zone() -> None:
    merged = datetime(2026, 5, 10, 15, 30, tzinfo=UTC)

    assert week_of(merged, "Asia/Shanghai").week == "2026-W19"
    assert week_of(merged + timedelta(minutes=31), "Asia/Shanghai").week == "2026-W20"
    assert week_of(merged + timedelta(minutes=31), "America/Los_Angeles").week == "2026-W19"


def test_c54_a_due_moment_in_the_hour_that_does_not_come_still_finishes_one_week() -> None:
    before, after = datetime(2026, 3, 29, 0, 59, tzinfo=UTC), datetime(2026, 3, 29, 1, 1, tzinfo=UTC)

    assert last_finished(before, "Europe/Berlin") == last_finished(after, "Europe/Berlin")
    assert last_finished(datetime(2026, 3, 29, 22, 0, tzinfo=UTC), "Europe/Berlin").week == "2026-W13"


def test_years_with_53_weeks_are_told_from_those_with_52() -> None:
    assert parse_week("2020-W53").monday == date(2020, 12, 28)
    with pytest.raises(InvalidInput, match="2021-W53"):
        parse_week("2021-W53")


@pytest.mark.parametrize("text", ["", "2026", "2026-19", "2026-W00", "2026-W54", "26-W19", "0000-W01", "2026-W1٩", "x"])
def test_malformed_weeks_are_refused_with_the_way_out(text: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        parse_week(text)
    assert "2026-W19" in caught.value.way_out


@pytest.mark.parametrize("name", ["Mars/Olympus", "", "../etc/passwd", "UTC\x00"])
def test_unknown_zones_are_refused(name: str) -> None:
    with pytest.raises(InvalidInput):
        zone_of(name)

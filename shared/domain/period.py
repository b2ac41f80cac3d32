"""ISO weeks as half-open periods in a time zone (R-31)."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pydantic import AwareDatetime

from shared.domain.errors import InvalidInput
from shared.domain.value import Value

_WEEK = re.compile(r"(\d{4})-W(\d{2})", re.ASCII)


class Period(Value):
    """One ISO week: ``start`` (inclusive) and ``end`` (exclusive) in UTC; 167 and 169 hours are legal lengths."""

    week: str
    start: AwareDatetime
    end: AwareDatetime
    timezone: str

    def contains(self, instant: datetime) -> bool:
        """Whether the aware ``instant`` lies in this week."""
        return self.start <= instant < self.end

    @property
    def monday(self) -> date:
        """The local date on which the week begins."""
        return _monday(self.week)

    def previous(self) -> Period:
        """The week before, in the same zone."""
        return _period(self.monday - timedelta(days=7), self.timezone)

    def next(self) -> Period:
        """The week after, in the same zone."""
        return _period(self.monday + timedelta(days=7), self.timezone)


def zone_of(name: str) -> ZoneInfo:
    """Return the IANA zone called ``name``; InvalidInput when there is none."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise InvalidInput(
            f"There is no time zone '{name}'.", "Use an IANA name such as UTC or Asia/Shanghai."
        ) from error


def parse_week(text: str, timezone: str = "UTC") -> Period:
    """Return the week named like ``2026-W19``; InvalidInput when the text is not an ISO week of its year."""
    matched = _WEEK.fullmatch(text.strip())
    try:
        if matched is None:
            raise ValueError(text)
        return _period(date.fromisocalendar(int(matched[1]), int(matched[2]), 1), timezone)
    except (ValueError, OverflowError) as error:
        raise InvalidInput(
            f"'{text}' is not an ISO week.", "Write it like 2026-W19 (weeks run from 01 to 52 or 53)."
        ) from error


def week_of(instant: datetime, timezone: str = "UTC") -> Period:
    """Return the week in which the aware ``instant`` lies, by the calendar of ``timezone``."""
    local = instant.astimezone(zone_of(timezone)).date()
    return _period(local - timedelta(days=local.weekday()), timezone)


def last_finished(now: datetime, timezone: str = "UTC") -> Period:
    """Return the newest week that is over at the aware ``now``."""
    return week_of(now, timezone).previous()


def _monday(week: str) -> date:
    return date.fromisocalendar(int(week[:4]), int(week[6:]), 1)


def _period(monday: date, timezone: str) -> Period:
    year, number, _ = monday.isocalendar()
    return Period(
        week=f"{year:04d}-W{number:02d}",
        start=_midnight(monday, timezone),
        end=_midnight(monday + timedelta(days=7), timezone),
        timezone=timezone,
    )


def _midnight(day: date, timezone: str) -> datetime:
    """The first instant of the local ``day`` in UTC.

    A midnight that summer time skips becomes the instant of the jump (fold=0 is the offset before it). Where a whole
    day was skipped (Apia, 2011-12-30) its beginning and end coincide. So weeks always touch.
    """
    return datetime(day.year, day.month, day.day, tzinfo=zone_of(timezone)).astimezone(UTC)

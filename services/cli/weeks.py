"""Which week of what a command is about."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from shared.domain.errors import InvalidInput
from shared.domain.period import Period, last_finished, parse_week, week_of


@dataclass(frozen=True)
class Wish:
    """What a person asked of a digest, beside its source; None and empty mean the default."""

    repository: str | None = None
    week: str | None = None
    timezone: str | None = None
    branch: str | None = None
    languages: tuple[str, ...] = ()
    so_far: bool = False


def chosen_week(week: str | None, timezone: str, present: datetime, *, so_far: bool = False) -> Period:
    """Return the week asked for: by default the last finished one, with ``so_far`` the present one.

    InvalidInput for text that is no ISO week, for a week that has not begun, and, without ``so_far``, for one that is
    not over at ``present``.
    """
    if week is None:
        return week_of(present, timezone) if so_far else last_finished(present, timezone)
    period = parse_week(week, timezone)
    if present < period.start:
        raise InvalidInput(f"Week {period.week} has not begun yet.", f"It starts at {_shown(period.start)}.")
    if present < period.end and not so_far:
        raise InvalidInput(
            f"Week {period.week} is not over until {_shown(period.end)}.",
            "Add --so-far for a digest of what is there, marked as unfinished.",
        )
    return period


def _shown(instant: datetime) -> str:
    return f"{instant:%Y-%m-%d %H:%M} UTC"

"""Moments as GitHub keeps and writes them: aware, in UTC, whole seconds."""

from __future__ import annotations

from datetime import UTC, datetime


def whole(moment: datetime) -> datetime:
    """Return the moment in UTC without its fraction of a second; GitHub keeps none."""
    if moment.tzinfo is None:
        raise ValueError(f"{moment!r} has no zone.")
    return moment.astimezone(UTC).replace(microsecond=0)


def written(moment: datetime | None) -> str | None:
    """Return the moment, which is in UTC, as GitHub's JSON has it, or None for none."""
    return None if moment is None else f"{moment.isoformat()[:19]}Z"

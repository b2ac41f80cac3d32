"""How many merges of a period the host knows and how many were captured, or why that is not known."""

from __future__ import annotations

from typing import Literal

from pydantic import AwareDatetime

from shared.domain.value import Value


class Completeness(Value):
    """How many merges the host knows and how many were captured, as of ``checked_at``."""

    known_to_host: int
    captured: int
    checked_at: AwareDatetime
    missing: tuple[int, ...] = ()
    """Merges that the host knows and the digest does not have."""


class CompletenessGap(Value):
    """Why it is not known how many merges the host knows.

    ``not-asked``: the host's API is not asked about this repository; ``blind``: the host refuses to show it since
    ``since``; ``not-reached``: it was last reached at ``since``, if ever; ``not-covered``: what was merged before
    ``since`` was not compared; ``left-out``: of what it lists from ``since`` on, something cannot be read.
    """

    why: Literal["not-asked", "blind", "not-reached", "not-covered", "left-out"]
    since: AwareDatetime | None = None

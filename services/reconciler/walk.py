"""A walk down the host's list of pull requests, newest update first, that misses nothing that moves (C-22); pure."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Protocol

from pydantic import AwareDatetime

from shared.domain.errors import Transient
from shared.domain.value import Value

SKEW = timedelta(minutes=2)
"""The host's clock and ours may differ by so much; counts only where the head of the list tells no time."""
MOST_LEGS = 8
"""A list that is not at rest for so long is looked at again later."""


class Page(Protocol):
    """What a walk must know of a page of the list."""

    @property
    def oldest_update(self) -> datetime | None:
        """The smallest ``updated_at`` on it; None when it is empty."""

    @property
    def cursor(self) -> str | None:
        """Where the list goes on; None at its end."""


class Walk(Value):
    """Where a walk stands: legs, each from the newest update down to ``until``, until one finds the list at rest."""

    began: AwareDatetime
    floor: AwareDatetime
    """How far back the walk has to go, by time of update."""
    until: AwareDatetime
    """How far back this leg has to go."""
    head: AwareDatetime
    """What is updated while this leg goes on is newer, by the host's clock."""
    cursor: str | None = None
    legs: int = 1
    pages: int = 0
    """Pages of this leg."""
    seen: tuple[int, ...] = ()
    """Merges that this leg has seen, where legs are compared."""
    before: tuple[int, ...] | None = None
    """Merges that the leg before has seen."""
    done: bool = False


def begin(now: datetime, floor: datetime) -> Walk:
    """Return a walk that begins now, at the head of the list."""
    return Walk(began=now, floor=floor, until=floor, head=now - SKEW)


def step(walk: Walk, page: Page, updates: Mapping[int, datetime], now: datetime, *, stable: bool) -> Walk:
    """Return where the walk stands after ``page``; ``updates`` says when each merge on it was updated.

    With cursors that stay at their item (``stable``) only what was updated meanwhile can have slipped by, to the head:
    further legs look there. Page numbers let anything slip by, so whole legs are walked until two saw the same. A leg
    of one page needs neither: the list does not move within an answer. Transient when it never comes to rest.
    """
    recent = () if stable else (number for number, at in updates.items() if at >= walk.floor)
    seen = tuple(sorted({*walk.seen, *recent}))
    head = max(updates.values(), default=walk.head) if walk.pages == 0 else walk.head
    on = walk.model_copy(update={"pages": walk.pages + 1, "seen": seen, "cursor": page.cursor, "head": head})
    reached = page.cursor is None or page.oldest_update is None or page.oldest_update < walk.until
    if not reached:
        return on
    if on.pages == 1 or (not stable and walk.before == seen):
        return on.model_copy(update={"done": True, "cursor": None})
    if walk.legs >= MOST_LEGS:
        raise Transient("The host's list of pull requests did not come to rest.", "It is walked again.")
    until = max(walk.floor, head) if stable else walk.floor
    again = {"cursor": None, "pages": 0, "legs": walk.legs + 1, "head": now - SKEW, "until": until}
    return on.model_copy(update=again | {"before": None if stable else seen, "seen": ()})

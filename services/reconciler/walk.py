"""A walk down the host's list of pull requests, newest update first, that misses nothing that moves (C-22); pure."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Protocol

from pydantic import AwareDatetime

from shared.domain.errors import Transient
from shared.domain.value import Value

SKEW = timedelta(minutes=2)
"""The host's clock and ours may differ by so much; counts only where the list is empty and tells no time."""
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
    seen: dict[int, AwareDatetime] = {}
    """Merges that this leg has seen and the next is compared by, with their time of update."""
    before: dict[int, AwareDatetime] | None = None
    """Those of the leg before."""
    left_out: int = 0
    """Entries of the list that could not be read."""
    done: bool = False

    def without(self, left_out: int) -> Walk:
        """Return this walk with so many more entries that could not be read."""
        return self if not left_out else self.model_copy(update={"left_out": self.left_out + left_out})


def begin(now: datetime, floor: datetime) -> Walk:
    """Return a walk that begins now, at the head of the list."""
    return Walk(began=now, floor=floor, until=floor, head=now - SKEW)


def step(walk: Walk, page: Page, updates: Mapping[int, datetime], now: datetime, *, stable: bool) -> Walk:
    """Return where the walk stands after ``page``; ``updates`` says when each merge on it was updated.

    With cursors that stay at their item (``stable``) only what was updated meanwhile can have slipped by, to the head:
    further legs look there, until one saw what the one before saw there, at the same times. Page numbers let anything
    slip by, so whole legs are walked until two saw the same merges. A leg of one page needs neither: the list does not
    move within an answer. Transient when it never comes to rest.
    """
    head = max(updates.values(), default=page.oldest_update or walk.head) if walk.pages == 0 else walk.head
    down_to = (head if walk.legs == 1 else walk.until) if stable else walk.floor
    seen = walk.seen | {number: at for number, at in updates.items() if at >= down_to}
    on = walk.model_copy(update={"pages": walk.pages + 1, "seen": seen, "cursor": page.cursor, "head": head})
    reached = page.cursor is None or page.oldest_update is None or page.oldest_update < walk.until
    if not reached:
        return on
    if on.pages == 1 or _at_rest(walk.before, seen, stable=stable):
        return on.model_copy(update={"done": True, "cursor": None})
    if walk.legs >= MOST_LEGS:
        raise Transient("The host's list of pull requests did not come to rest.", "It is walked again.")
    until = max(walk.floor, head) if stable else walk.floor
    before = {number: at for number, at in seen.items() if at >= until}
    again = {"cursor": None, "pages": 0, "legs": walk.legs + 1, "head": now - SKEW, "until": until}
    return on.model_copy(update=again | {"before": before, "seen": {}})


def _at_rest(before: dict[int, datetime] | None, seen: dict[int, datetime], *, stable: bool) -> bool:
    """Comments change times all the time: where whole legs are compared, only what is listed counts."""
    if before is None:
        return False
    return before == seen if stable else before.keys() == seen.keys()

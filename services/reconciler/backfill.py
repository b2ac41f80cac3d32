"""Takes in a stretch of the past: lists merges page by page and records them at the one door of the inbox."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import structlog
from pydantic import AwareDatetime

from shared.domain.pull_request import RepositoryRef
from shared.domain.value import Value
from shared.sources.github_api import GitHubApi, ListedPage, delivery_payload
from shared.sources.github_payloads import instant, whole
from shared.store import backfills, deliveries, pull_requests
from shared.store.backfills import Backfill, BackfillClaim
from shared.store.deliveries import IncomingDelivery
from shared.store.session import Database, Session

KEPT_FOR_OTHERS = 500
"""Requests of an hour's budget that a listing leaves to the merges of today."""
_SKEW = timedelta(minutes=1)
"""The host's clock and ours may differ by so much."""

_log = structlog.get_logger(__name__)


class Lost(Exception):
    """Another process holds this backfill by now; raised to roll back what was listed."""


class Place(Value):
    """Where a listing stands, as it is kept in the row.

    A listing is one walk from the newest update down to the beginning of the stretch, and then short ones over what
    moved to the head meanwhile (C-22), until one of them was a single page: within that nothing can move.
    """

    at: str | None = None
    """The host's cursor; None before the first page of a walk."""
    down_to: AwareDatetime
    began: AwareDatetime
    pages: int = 0
    new: int = 0
    """Merges that this walk has found and the store did not have."""


@dataclass(frozen=True)
class Listing:
    """What a backfill lists: the host's list of one repository.

    ``stable``: the host's cursor names an item, not a page number. Else items can slip from page to page while they
    are read, and whole walks are repeated until one finds nothing new.
    """

    api: GitHubApi
    repository: RepositoryRef
    stable: bool

    @property
    def keep(self) -> int:
        """Requests that are left to others; without a credential there are too few to leave any."""
        return KEPT_FOR_OTHERS if self.stable else 0


def list_page(database: Database, listing: Listing, backfill: Backfill, held: BackfillClaim) -> Backfill:
    """Read one page of the host's list, record the merges of the stretch in it, and return the backfill as it is then.

    What a page brings and the place after it are committed together, so a killed process loses nothing and repeats one
    page at most. The host's errors pass (Postponed, Parked, Absent); Lost when another process has taken over.
    """
    began = database.now()
    place = _place(backfill, began)
    page = listing.api.merges(place.at, keep=listing.keep)
    within = [pull for pull in page.merges if _within(pull, backfill)]
    now = database.now()
    with database.transaction() as session:
        new = _record(session, backfill, listing.repository, within, now)
        after, ended = _after(place, page, new, began, backfill.since, stable=listing.stable)
        if not backfills.advance(
            session,
            held,
            now,
            cursor=after.model_dump_json(),
            listed=page.listed,
            found=new,
            ended=ended,
        ):
            raise Lost
        listed = backfills.get(session, backfill.id)
    _log.info("backfill.listed", repository=listing.repository.full_name, listed=page.listed, new=new, ended=ended)
    return listed


def _place(backfill: Backfill, now: datetime) -> Place:
    if backfill.cursor is None:
        return Place(down_to=backfill.since, began=now)
    return Place.model_validate_json(backfill.cursor)


def _after(
    place: Place, page: ListedPage, new: int, now: datetime, since: datetime, *, stable: bool
) -> tuple[Place, bool]:
    """Return where the listing goes on, and whether it is at its end."""
    pages, found = place.pages + 1, place.new + new
    reached = page.oldest_update is not None and page.oldest_update < place.down_to
    if page.cursor is not None and not reached:
        return place.model_copy(update={"at": page.cursor, "pages": pages, "new": found}), False
    if pages == 1 or (not stable and not found):
        return place, True
    down_to = max(since, place.began - _SKEW) if stable else since
    return Place(down_to=down_to, began=now), False


def _within(pull: dict[str, Any], backfill: Backfill) -> bool:
    merged_at = instant(pull.get("merged_at"))
    return merged_at is not None and backfill.since <= merged_at < backfill.until


def _record(
    session: Session, backfill: Backfill, repository: RepositoryRef, merges: Sequence[dict[str, Any]], now: datetime
) -> int:
    """Record those that were never captured, and return how many of them are new to the inbox."""
    numbers = {number: pull for pull in merges if (number := whole(pull.get("number"), least=1)) is not None}
    stored = pull_requests.of_numbers(session, backfill.repository_id, numbers, details=False)
    captured = {found.pull_request.number for found in stored if found.captured}
    incoming = [
        IncomingDelivery(
            source=backfill.source,
            guid=str(number),
            event="pull_request",
            action="closed",
            payload=delivery_payload(repository, pull),
            repository=repository.full_name,
            number=number,
        )
        for number, pull in sorted(numbers.items())
        if number not in captured
    ]
    if not incoming:
        return 0
    return sum(not recorded.duplicate for recorded in deliveries.record_all(session, incoming, now))

"""Takes in a stretch of the past: lists merges page by page and records them at the one door of the inbox."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import structlog

from services.reconciler.walk import Walk, begin, step
from shared.domain.errors import Transient
from shared.domain.pull_request import RepositoryRef
from shared.sources.github_api import GitHubApi, ListedPage, delivery_payload
from shared.sources.github_payloads import instant, whole
from shared.store import backfills, deliveries
from shared.store.backfills import Backfill, BackfillClaim
from shared.store.deliveries import IncomingDelivery
from shared.store.session import Database, Session

KEPT_FOR_OTHERS = 500
"""Requests of an hour's budget that a listing leaves to the merges of today."""

_log = structlog.get_logger(__name__)


class Lost(Exception):
    """Another process holds this backfill by now; raised to roll back what was listed."""


@dataclass(frozen=True)
class Listing:
    """What a backfill lists: the host's list of one repository.

    ``stable``: the host's cursor names an item, not a page number (see ``walk``).
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
    page at most. The host's errors pass (Postponed, Parked, Absent); Lost when another process has taken over;
    Transient when the list does not come to rest, and then the next one to ask begins anew.
    """
    walk = _walk(database, backfill)
    page = listing.api.merges(walk.cursor, keep=listing.keep)
    now = database.now()
    within = [pull for pull in page.merges if _within(pull, backfill)]
    # Where whole legs are compared, the merges of today would never let two be the same.
    updates = _updates(page.merges if listing.stable else within)
    after, restless = _after(walk, page, updates, now, stable=listing.stable)
    with database.transaction() as session:
        new = _record(session, backfill, listing.repository, within, now, again=walk.legs == 1)
        if not backfills.advance(
            session,
            held,
            now,
            cursor=None if after is None else after.model_dump_json(),
            listed=page.listed,
            found=new,
            ended=after is not None and after.done,
        ):
            raise Lost
        listed = backfills.get(session, backfill.id)
    _log.info("backfill.listed", repository=listing.repository.full_name, listed=page.listed, new=new)
    if restless is not None:
        raise restless
    return listed


def _walk(database: Database, backfill: Backfill) -> Walk:
    if backfill.cursor is None:
        return begin(database.now(), backfill.since)
    return Walk.model_validate_json(backfill.cursor)


def _after(
    walk: Walk, page: ListedPage, updates: dict[int, datetime], now: datetime, *, stable: bool
) -> tuple[Walk | None, Transient | None]:
    """Where the walk stands after the page; none, and why, when it has to begin anew."""
    try:
        return step(walk, page, updates, now, stable=stable), None
    except Transient as error:
        return None, error


def _within(pull: dict[str, Any], backfill: Backfill) -> bool:
    merged_at = instant(pull.get("merged_at"))
    return merged_at is not None and backfill.since <= merged_at < backfill.until


def _updates(pulls: Sequence[dict[str, Any]]) -> dict[int, datetime]:
    told = ((whole(pull.get("number"), least=1), instant(pull.get("updated_at"))) for pull in pulls)
    return {number: at for number, at in told if number is not None and at is not None}


def _record(
    session: Session,
    backfill: Backfill,
    repository: RepositoryRef,
    merges: Sequence[dict[str, Any]],
    now: datetime,
    *,
    again: bool,
) -> int:
    """Record those that have not become an analysis, and return how many of them are work now.

    Not ``again``: those that were captured are left alone, though their analysis failed: it was tried a moment ago.
    """
    numbers = {number: pull for pull in merges if (number := whole(pull.get("number"), least=1)) is not None}
    settled = backfills.settled(session, backfill, repository.full_name, numbers, or_captured=not again)
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
        if number not in settled
    ]
    if not incoming:
        return 0
    recorded = deliveries.record_all(session, incoming, now)
    return sum(not one.duplicate or one.revived for one in recorded)

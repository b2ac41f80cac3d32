"""Merged pull requests: the newest facts of each, details beside them, periods by ``merged_at`` (R-08, R-32)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from typing import Any, Literal

from sqlalchemy import Select, and_, func, null, or_, select, update
from sqlalchemy.orm import Session
from sqlmodel import col

from shared.domain.errors import InvalidInput
from shared.domain.pull_request import PullRequest, RepositoryRef
from shared.domain.value import Value
from shared.store.columns import LARGEST_ID, key_text
from shared.store.facts import bare, first_learned, join
from shared.store.repositories import ref_of
from shared.store.tables import PullRequestRow
from shared.store.upserts import UNSYNCHRONISED, insert_new

_BATCH = 200

CapturedBy = Literal["delivery", "reconciliation", "ingest", "backfill"]
"""How a merge was captured; what only a backfill brought is history, not news."""


class StoredPullRequest(Value):
    """A pull request with its row; ``captured`` when its merge itself was seen, not only a later event of it."""

    id: int
    pull_request: PullRequest
    captured: bool


def save_facts(
    session: Session,
    repository_id: int,
    pull_request: PullRequest,
    *,
    captured: bool,
    now: datetime,
    by: CapturedBy = "delivery",
) -> int:
    """Store what an event told of the pull request and return its row.

    Facts are joined by ``updated_at``, not by arrival (see ``facts``); ``captured`` only ever becomes True, ``by`` the
    first that captured it, or the first other than a backfill. Files and review, where the pull request has them, are
    stored as its details. InvalidInput when the number cannot be stored.
    """
    if pull_request.number > LARGEST_ID:
        raise InvalidInput(f"The pull request number {pull_request.number} is not one that a host gives.")
    told = bare(pull_request)
    key = {"repository_id": repository_id, "number": told.number}
    how = by if captured else None
    times = {"created_at": now, "changed_at": now} | _capture(how, now)
    row = insert_new(
        session,
        PullRequestRow,
        key | times | _columns(told, first_learned(told)),
        key=("repository_id", "number"),
    )
    if row is None:
        row = _join(session, key, told, how, now)
    if pull_request.files is not None:
        save_details(session, row, pull_request, now)
    return row


def save_details(session: Session, row_id: int, pull_request: PullRequest, now: datetime) -> None:
    """Store files, commits and review as the detail source gave them; the last reading wins. Facts stay as they are."""
    session.execute(
        update(PullRequestRow)
        .where(col(PullRequestRow.id) == row_id)
        .values(details=pull_request.model_dump_json(), changed_at=now),
        execution_options=UNSYNCHRONISED,
    )


def get(session: Session, repository_id: int, number: int, *, details: bool = True) -> StoredPullRequest | None:
    """Return the pull request ``number``, captured or not; None when the store does not have it."""
    found = of_numbers(session, repository_id, (number,), details=details)
    return found[0] if found else None


def of_numbers(
    session: Session, repository_id: int, numbers: Iterable[int], *, details: bool = True
) -> list[StoredPullRequest]:
    """Return those of ``numbers`` that the store has, captured or not, oldest merge first."""
    wanted = sorted({number for number in numbers if 0 < number <= LARGEST_ID})
    found: list[StoredPullRequest] = []
    for some in _batches(wanted):
        found += _load(session, repository_id, _rows(details).where(col(PullRequestRow.number).in_(some)))
    return sorted(found, key=lambda stored: (stored.pull_request.merged_at, stored.pull_request.number))


def of_period(
    session: Session, repository_id: int, start: datetime, end: datetime, *, details: bool = True
) -> list[StoredPullRequest]:
    """Return the captured merges with ``start <= merged_at < end``, on any branch, oldest first.

    Without ``details`` the files and the review are not read from the database.
    """
    merged_at = col(PullRequestRow.merged_at)
    return _load(
        session,
        repository_id,
        _rows(details).where(col(PullRequestRow.captured), merged_at >= start, merged_at < end),
    )


def any_news(session: Session, repository_id: int, start: datetime, end: datetime) -> bool:
    """Return whether a merge with ``start <= merged_at < end`` was captured other than by a backfill."""
    row = PullRequestRow
    within = (col(row.repository_id) == repository_id, col(row.merged_at) >= start, col(row.merged_at) < end)
    other = col(row.captured_by).is_distinct_from("backfill")
    return session.scalar(select(col(row.id)).where(*within, col(row.captured), other).limit(1)) is not None


def iterate(
    session: Session, repository_id: int, start: datetime | None = None, end: datetime | None = None
) -> Iterator[PullRequest]:
    """Yield the captured merges with their details, oldest first, some at a time: a whole store does not fit memory."""
    merged_at, number = col(PullRequestRow.merged_at), col(PullRequestRow.number)
    query = _rows(details=True).where(col(PullRequestRow.captured))
    if start is not None:
        query = query.where(merged_at >= start)
    if end is not None:
        query = query.where(merged_at < end)
    page = query
    while some := _load(session, repository_id, page.limit(_BATCH)):
        yield from (stored.pull_request for stored in some)
        last = some[-1].pull_request
        page = query.where(or_(merged_at > last.merged_at, and_(merged_at == last.merged_at, number > last.number)))


def numbers_by_merge_commit(session: Session, repository_id: int, shas: Iterable[str]) -> dict[str, int]:
    """Return the number of the pull request that each known merge commit made; the lowest where several share it."""
    found: dict[str, int] = {}
    asked = {key_text(sha): sha for sha in shas}
    for some in _batches(list(asked)):
        sha = col(PullRequestRow.merge_commit_sha)
        rows = session.execute(
            select(sha, func.min(col(PullRequestRow.number)))
            .where(col(PullRequestRow.repository_id) == repository_id, sha.in_(some))
            .group_by(sha)
        )
        found |= {asked[key]: number for key, number in rows if key is not None}
    return found


def _join(session: Session, key: dict[str, int], told: PullRequest, how: CapturedBy | None, now: datetime) -> int:
    """Join ``told`` with what the row knows, under the lock of the row."""
    row, facts, learned, was_captured, captured_at, captured_by = session.execute(
        select(
            col(PullRequestRow.id),
            col(PullRequestRow.facts),
            col(PullRequestRow.learned),
            col(PullRequestRow.captured),
            col(PullRequestRow.captured_at),
            col(PullRequestRow.captured_by),
        )
        .where(*(getattr(PullRequestRow, name) == value for name, value in key.items()))
        .with_for_update()
    ).one()
    known, known_times = PullRequest.model_validate_json(facts), json.loads(learned)
    joined, times = join(known, known_times, told)
    values = _columns(joined, times)
    is_news = how is not None and (not was_captured or (captured_by == "backfill" and how != "backfill"))
    if is_news:
        values |= _capture(how, captured_at or now)
    if joined != known or times != known_times or is_news:
        session.execute(
            update(PullRequestRow).where(col(PullRequestRow.id) == row).values(changed_at=now, **values),
            execution_options=UNSYNCHRONISED,
        )
    return row


def _capture(how: CapturedBy | None, now: datetime) -> dict[str, Any]:
    return {"captured": how is not None, "captured_at": None if how is None else now, "captured_by": how}


def _columns(facts: PullRequest, learned: dict[str, str]) -> dict[str, Any]:
    author_id = facts.user.id
    return {
        "title": facts.title,
        "author": facts.user.shown,
        "author_id": author_id if author_id is not None and abs(author_id) <= LARGEST_ID else None,
        "base_ref": facts.base_ref,
        "merge_commit_sha": None if facts.merge_commit_sha is None else key_text(facts.merge_commit_sha),
        "merged_at": facts.merged_at,
        "updated_at": facts.updated_at,
        "additions": min(facts.additions, LARGEST_ID),
        "deletions": min(facts.deletions, LARGEST_ID),
        "changed_files": min(facts.changed_files, LARGEST_ID),
        "facts": facts.model_dump_json(),
        "learned": json.dumps(learned),
    }


def _rows(details: bool) -> Select[int, bool, str, str | None]:
    return select(
        col(PullRequestRow.id),
        col(PullRequestRow.captured),
        col(PullRequestRow.facts),
        col(PullRequestRow.details) if details else null().label("details"),
    ).order_by(col(PullRequestRow.merged_at), col(PullRequestRow.number))


def _load(session: Session, repository_id: int, query: Select[int, bool, str, str | None]) -> list[StoredPullRequest]:
    rows = session.execute(query.where(col(PullRequestRow.repository_id) == repository_id)).all()
    if not rows:
        return []
    repository = ref_of(session, repository_id)
    return [
        StoredPullRequest(id=row, captured=captured, pull_request=assemble(facts, details, repository))
        for row, captured, facts, details in rows
    ]


def assemble(facts: str, details: str | None, repository: RepositoryRef) -> PullRequest:
    """Return the value that the two stored documents make, under the repository's newest name."""
    pull_request = PullRequest.model_validate_json(facts).model_copy(update={"repository": repository})
    if details is None:
        return pull_request
    return pull_request.with_details(PullRequest.model_validate_json(details))


def _batches(items: Sequence[Any]) -> Iterator[Sequence[Any]]:
    """Statements have a limit of parameters."""
    return (items[place : place + _BATCH] for place in range(0, len(items), _BATCH))

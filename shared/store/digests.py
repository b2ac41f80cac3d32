"""Digests: one row a repository and week, rebuilt until it is sealed and never changed after (R-30, R-32)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from sqlalchemy import Select, delete, insert, select, update
from sqlalchemy.orm import Session, aliased
from sqlmodel import col

from shared.domain.digest import State
from shared.domain.errors import InvalidInput
from shared.domain.period import Period
from shared.domain.value import Value
from shared.store.tables import DigestEntryRow, DigestRow, PullRequestRow
from shared.store.upserts import UNSYNCHRONISED, insert_new, one_at_a_time


class StoredDigest(Value):
    """A digest as it was made; ``document`` is its ``digest.json`` byte for byte, ``sealed_at`` None until sealed."""

    id: int
    repository_id: int
    week: str
    timezone: str
    branch: str
    document: str
    sealed_at: datetime | None
    revision: int


class DigestWeek(Value):
    """One week that has a digest, without its document."""

    id: int
    week: str
    timezone: str
    branch: str
    start: datetime
    end: datetime
    sealed_at: datetime | None
    revision: int


def save(
    session: Session,
    repository_id: int,
    branch: str,
    period: Period,
    digest_json: str,
    entries: Mapping[int, State],
    now: datetime,
    *,
    seal: bool,
) -> int:
    """Store the digest of a week and return its row; with ``seal`` it is the last word.

    ``entries`` gives each pull request number of the window its state. What the document lists as ``late`` and
    ``elsewhere`` is remembered too, as told. A sealed digest keeps its snapshot: saving over it changes nothing and
    returns its row, so that two builders at once do no harm; ``get`` tells what stands. InvalidInput when a week is
    to be sealed that is not over at ``now`` (D-07).
    """
    if seal and now < period.end:
        raise InvalidInput(f"The week {period.week} is not over yet, so its digest cannot be sealed.")
    one_at_a_time(session, f"digests of {repository_id}")
    key = {"repository_id": repository_id, "week": period.week, "timezone": period.timezone}
    told = {"branch": branch, "document": digest_json, "changed_at": now, "sealed_at": now if seal else None}
    window = {"starts_at": period.start, "ends_at": period.end}
    row = insert_new(session, DigestRow, key | window | told | {"revision": 1, "created_at": now}, key=tuple(key))
    if row is None:
        row, document, revision, sealed_at = session.execute(
            select(col(DigestRow.id), col(DigestRow.document), col(DigestRow.revision), col(DigestRow.sealed_at)).where(
                *(getattr(DigestRow, name) == value for name, value in key.items())
            )
        ).one()
        if sealed_at is not None:
            return row
        told["revision"] = revision + (document != digest_json)
        session.execute(
            update(DigestRow).where(col(DigestRow.id) == row).values(**told), execution_options=UNSYNCHRONISED
        )
    _save_entries(session, row, digest_json, entries)
    return row


def get(session: Session, repository_id: int, week: str, timezone: str | None = None) -> StoredDigest | None:
    """Return the digest of a week; without a ``timezone`` the sealed one, else the one changed last."""
    columns = [getattr(DigestRow, name) for name in StoredDigest.model_fields]
    query = select(*columns).where(col(DigestRow.repository_id) == repository_id, col(DigestRow.week) == week)
    if timezone is not None:
        query = query.where(col(DigestRow.timezone) == timezone)
    sealed_first = col(DigestRow.sealed_at).is_(None)
    row = session.execute(query.order_by(sealed_first, col(DigestRow.changed_at).desc()).limit(1)).mappings().first()
    return None if row is None else StoredDigest.model_validate(dict(row))


def weeks(session: Session, repository_id: int) -> list[DigestWeek]:
    """Return the weeks that have a digest, newest first."""
    query: Select[*tuple[Any, ...]] = select(
        col(DigestRow.id),
        col(DigestRow.week),
        col(DigestRow.timezone),
        col(DigestRow.branch),
        col(DigestRow.starts_at).label("start"),
        col(DigestRow.ends_at).label("end"),
        col(DigestRow.sealed_at),
        col(DigestRow.revision),
    ).where(col(DigestRow.repository_id) == repository_id)
    rows = session.execute(query.order_by(col(DigestRow.starts_at).desc(), col(DigestRow.id))).mappings()
    return [DigestWeek.model_validate(dict(row)) for row in rows]


def last_sealed_week(session: Session, repository_id: int, timezone: str | None = None) -> str | None:
    """Return the newest week whose digest is sealed, such as ``2026-W19``; None when none is."""
    query = select(col(DigestRow.week)).where(
        col(DigestRow.repository_id) == repository_id, col(DigestRow.sealed_at).is_not(None)
    )
    if timezone is not None:
        query = query.where(col(DigestRow.timezone) == timezone)
    return session.scalar(query.order_by(col(DigestRow.starts_at).desc()).limit(1))


def late_numbers(session: Session, repository_id: int, period: Period) -> list[int]:
    """Return the captured merges of earlier weeks, sealed in this zone, that no other sealed digest has told (R-32).

    They belong into the late list of the digest of ``period``; sealed there, they are late no more.
    """
    digest, other = aliased(DigestRow), aliased(DigestRow)
    told = (
        select(col(DigestEntryRow.number))
        .join(other, col(other.id) == col(DigestEntryRow.digest_id))
        .where(
            col(other.repository_id) == repository_id,
            col(other.timezone) == period.timezone,
            col(other.week) != period.week,
            col(other.sealed_at).is_not(None),
        )
    )
    query = (
        select(col(PullRequestRow.number))
        .join(digest, col(digest.repository_id) == col(PullRequestRow.repository_id))
        .where(
            col(PullRequestRow.repository_id) == repository_id,
            col(PullRequestRow.captured),
            col(PullRequestRow.merged_at) >= col(digest.starts_at),
            col(PullRequestRow.merged_at) < col(digest.ends_at),
            col(digest.timezone) == period.timezone,
            col(digest.sealed_at).is_not(None),
            col(digest.ends_at) <= period.start,
            col(PullRequestRow.number).not_in(told),
        )
    )
    return list(session.scalars(query.order_by(col(PullRequestRow.merged_at), col(PullRequestRow.number))))


def _save_entries(session: Session, digest_id: int, digest_json: str, entries: Mapping[int, State]) -> None:
    document: dict[str, Any] = json.loads(digest_json)
    states: dict[int, str] = dict.fromkeys(document.get("late", ()), "late")
    for numbers in document.get("elsewhere", {}).values():
        states |= dict.fromkeys(numbers, "elsewhere")
    states |= entries
    session.execute(
        delete(DigestEntryRow).where(col(DigestEntryRow.digest_id) == digest_id), execution_options=UNSYNCHRONISED
    )
    if states:
        rows = [{"digest_id": digest_id, "number": number, "state": state} for number, state in sorted(states.items())]
        session.execute(insert(DigestEntryRow), rows)

"""What arrived and was not stored as work: counted events and the last ping of each hook."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import func, select, update
from sqlalchemy.orm import Session
from sqlmodel import col

from shared.domain.text import clean_text
from shared.domain.value import Value
from shared.store.columns import LARGEST_ID, key_text
from shared.store.tables import EventCountRow, PingRow
from shared.store.upserts import UNSYNCHRONISED, insert_or_change

MOST_KINDS = 200
"""Different counters that are kept; kinds met later are counted together as ``other``."""

OTHER = "other"


class EventCount(Value):
    """How many events of one kind were answered for one ``reason``; ``action`` is empty when the event has none."""

    event: str
    action: str
    reason: str
    count: int
    first_at: datetime
    last_at: datetime


class Ping(Value):
    """The last ping of one hook and what it tells of the hook's settings."""

    hook: str
    hook_id: int | None
    zen: str
    events: tuple[str, ...]
    content_type: str | None
    repository: str | None
    problems: tuple[str, ...]
    received_at: datetime


def count_event(session: Session, event: str, action: str | None, reason: str, now: datetime) -> None:
    """Count one event; ``reason`` is a slug of a closed set, event names come from outside and are bounded here."""
    key = {"event": key_text(event), "action": key_text(action or ""), "reason": key_text(reason)}
    if _counted(session, key, now):
        return
    kinds = session.scalar(select(func.count()).select_from(EventCountRow)) or 0
    if kinds >= MOST_KINDS:
        key |= {"event": OTHER, "action": ""}
    insert_or_change(
        session,
        EventCountRow,
        {**key, "count": 1, "first_at": now, "last_at": now},
        key=("event", "action", "reason"),
        changes={"count": col(EventCountRow.count) + 1, "last_at": now},
    )


def remember_ping(
    session: Session,
    now: datetime,
    *,
    hook_id: int | None,
    zen: str,
    events: Sequence[str],
    content_type: str | None,
    repository: str | None,
    problems: Sequence[str] = (),
) -> None:
    """Keep this ping as the last one of its hook (of its repository when the hook has no id)."""
    known = hook_id is not None and 0 <= hook_id <= LARGEST_ID
    told: dict[str, Any] = {
        "hook_id": hook_id if known else None,
        "zen": clean_text(zen),
        "events": json.dumps([clean_text(name) for name in events]),
        "content_type": content_type and clean_text(content_type),
        "repository": repository and clean_text(repository),
        "problems": json.dumps([clean_text(problem) for problem in problems]),
        "received_at": now,
    }
    hook = key_text(f"hook:{hook_id}" if known else repository or "unknown")
    insert_or_change(session, PingRow, {"hook": hook, **told}, key=("hook",), changes=told)


def event_counts(session: Session) -> list[EventCount]:
    """Return every counter, the largest first."""
    rows = session.scalars(
        select(EventCountRow)
        .execution_options(populate_existing=True)
        .order_by(col(EventCountRow.count).desc(), col(EventCountRow.event))
    )
    return [EventCount.model_validate(row.model_dump()) for row in rows]


def last_pings(session: Session, limit: int = 50) -> list[Ping]:
    """Return the last ping of each hook, the newest first."""
    rows = session.scalars(
        select(PingRow).execution_options(populate_existing=True).order_by(col(PingRow.received_at).desc()).limit(limit)
    )
    lists = ("events", "problems")
    return [
        Ping.model_validate(row.model_dump() | {name: json.loads(getattr(row, name)) for name in lists}) for row in rows
    ]


def _counted(session: Session, key: dict[str, str], now: datetime) -> bool:
    changed = session.execute(
        update(EventCountRow)
        .where(*(getattr(EventCountRow, name) == value for name, value in key.items()))
        .values(count=col(EventCountRow.count) + 1, last_at=now)
        .returning(col(EventCountRow.event)),
        execution_options=UNSYNCHRONISED,
    )
    return changed.scalar_one_or_none() is not None

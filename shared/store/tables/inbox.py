"""Tables of what comes in: deliveries, what was counted without being stored, pings."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import BigInteger, Index, LargeBinary, Text, UniqueConstraint
from sqlmodel import Field

from shared.store.columns import BIG_ID, Row


class LeasedRow(Row):
    """Columns of a row that one worker at a time holds; the rules are in ``leases``."""

    id: int = Field(default=None, primary_key=True, sa_type=BIG_ID)
    status: str = Field(sa_type=Text)
    attempt: int = Field(default=0, sa_type=BigInteger)
    """Fencing number: grows with every claim and never falls."""
    tries: int = Field(default=0, sa_type=BigInteger)
    """Claims that count on the ladder: a postponed one does not."""
    next_attempt_at: datetime
    lease_until: datetime | None = None
    last_error: str | None = Field(default=None, sa_type=Text)
    changed_at: datetime


class DeliveryRow(LeasedRow, table=True):
    """A webhook delivery as received, or a synthetic one."""

    __tablename__ = "deliveries"
    __table_args__ = (
        UniqueConstraint("source", "guid"),
        Index(None, "status", "next_attempt_at"),
        Index(None, "repository"),
    )

    source: str = Field(sa_type=Text)
    guid: str = Field(sa_type=Text)
    event: str = Field(sa_type=Text)
    action: str | None = Field(default=None, sa_type=Text)
    repository: str | None = Field(default=None, sa_type=Text)
    """Full name as it is compared."""
    number: int | None = Field(default=None, sa_type=BigInteger)
    payload: bytes | None = Field(default=None, sa_type=LargeBinary)
    """The body as received; None after pruning."""
    payload_bytes: int = Field(default=0, sa_type=BigInteger)
    note: str | None = Field(default=None, sa_type=Text)
    received_at: datetime
    processed_at: datetime | None = None


class EventCountRow(Row, table=True):
    """How many authentic events of one kind were answered for one reason without being stored."""

    __tablename__ = "event_counts"

    event: str = Field(primary_key=True, sa_type=Text)
    action: str = Field(primary_key=True, sa_type=Text)
    """Empty when the event has no action."""
    reason: str = Field(primary_key=True, sa_type=Text)
    count: int = Field(default=0, sa_type=BigInteger)
    first_at: datetime
    last_at: datetime


class PingRow(Row, table=True):
    """The last ping of each hook."""

    __tablename__ = "pings"

    hook: str = Field(primary_key=True, sa_type=Text)
    """``hook:<id>``, else the repository, else ``unknown``."""
    hook_id: int | None = Field(default=None, sa_type=BigInteger)
    zen: str = Field(sa_type=Text)
    events: str = Field(sa_type=Text)
    """JSON list of event names."""
    content_type: str | None = Field(default=None, sa_type=Text)
    repository: str | None = Field(default=None, sa_type=Text)
    problems: str = Field(sa_type=Text)
    """JSON list of sentences."""
    received_at: datetime

"""Tables of the code host: what may be asked, what was answered, what it knows, what its repositories wish."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import BigInteger, Index, Text, UniqueConstraint
from sqlmodel import Field

from shared.store.columns import BIG_ID, Row
from shared.store.tables.inbox import LeasedRow


class RequestBudgetRow(Row, table=True):
    """What one credential may still ask of one resource; every process draws on the same row (R-50)."""

    __tablename__ = "request_budgets"

    credential: str = Field(primary_key=True, sa_type=Text)
    """A name that tells nothing secret: ``installation:9``, ``token:<digest>``, ``anonymous``."""
    resource: str = Field(primary_key=True, sa_type=Text)
    request_limit: int | None = Field(default=None, sa_type=BigInteger)
    remaining: int | None = Field(default=None, sa_type=BigInteger)
    reset_at: datetime | None = None
    wait_until: datetime | None = None
    """Nothing may be asked before; the host said so."""
    backoffs: int = Field(default=0, sa_type=BigInteger)
    """Refusals in a row that named no time; each doubles the wait."""
    minute_at: datetime | None = None
    minute_count: int = Field(default=0, sa_type=BigInteger)
    """Requests since ``minute_at``: more than so many a minute provoke the secondary limit."""
    changed_at: datetime


class CachedAnswerRow(Row, table=True):
    """An answer with its ETag, kept because asking whether it still holds costs nothing."""

    __tablename__ = "cached_answers"

    key: str = Field(primary_key=True, sa_type=Text)
    etag: str = Field(sa_type=Text)
    body: str = Field(sa_type=Text)
    kept_at: datetime


class InstallationRow(Row, table=True):
    """What became of an installation of the GitHub App: ``active``, ``suspended`` or ``deleted``."""

    __tablename__ = "installations"

    installation_id: int = Field(primary_key=True, sa_type=BigInteger, sa_column_kwargs={"autoincrement": False})
    account: str = Field(sa_type=Text)
    state: str = Field(sa_type=Text)
    told_at: datetime
    """The time of the event that told it, so that a late one changes nothing."""


class ReconciliationRow(LeasedRow, table=True):
    """How far one repository's merges have been compared with what the host knows."""

    __tablename__ = "reconciliations"
    __table_args__ = (UniqueConstraint("repository_id"), Index(None, "status", "next_attempt_at"))

    repository_id: int = Field(foreign_key="repositories.id", sa_type=BigInteger)
    covered_since: datetime | None = None
    """Every merge updated at the host from here on to ``watermark`` is known."""
    watermark: datetime | None = None
    checked_at: datetime | None = None
    """When the host was last asked with success."""
    tried_at: datetime | None = None
    """When a comparison last came to an end, whatever the end."""
    awaited_since: datetime | None = None
    """Since when a digest whose grace is over waits for a comparison that nobody has tried."""
    left_out_since: datetime | None = None
    """The last walk met entries that cannot be read; merges updated at the host from here on may be missing."""
    blind_since: datetime | None = None
    blind_reason: str | None = Field(default=None, sa_type=Text)
    progress: str | None = Field(default=None, sa_type=Text)
    """JSON: how far a walk that is not finished has come, and the look at failed deliveries."""


class KnownMergeRow(Row, table=True):
    """A merge that the host lists, whether it was captured or not."""

    __tablename__ = "known_merges"
    __table_args__ = (Index(None, "repository_id", "merged_at"),)

    repository_id: int = Field(foreign_key="repositories.id", primary_key=True, sa_type=BigInteger)
    number: int = Field(primary_key=True, sa_type=BigInteger)
    merged_at: datetime
    base_ref: str = Field(sa_type=Text)
    seen_at: datetime


class BackfillRow(LeasedRow, table=True):
    """One stretch of the past that is being taken in: how far the listing has come."""

    __tablename__ = "backfills"
    __table_args__ = (UniqueConstraint("repository_id", "since", "until"),)

    repository_id: int = Field(foreign_key="repositories.id", sa_type=BigInteger)
    since: datetime
    until: datetime
    cursor: str | None = Field(default=None, sa_type=Text)
    """Where the listing goes on; None before its first page."""
    listed: int = Field(default=0, sa_type=BigInteger)
    """Pull requests that the listing has shown."""
    found: int = Field(default=0, sa_type=BigInteger)
    """Merges of the stretch among them."""
    listed_at: datetime | None = None
    """When the listing had reached its end."""
    created_at: datetime


class ConventionFileRow(Row, table=True):
    """A file of a watched repository that says how it is to be read: its text, and the last good one."""

    __tablename__ = "convention_files"

    id: int = Field(default=None, primary_key=True, sa_type=BIG_ID)
    repository_id: int = Field(foreign_key="repositories.id", sa_type=BigInteger)
    path: str = Field(sa_type=Text)
    text: str | None = Field(default=None, sa_type=Text)
    """None when the repository has no such file (any more)."""
    good: str | None = Field(default=None, sa_type=Text)
    """The last text without a fault: it stays in force while ``error`` is set."""
    error: str | None = Field(default=None, sa_type=Text)
    read_at: datetime
    changed_at: datetime

    __table_args__ = (UniqueConstraint("repository_id", "path"),)

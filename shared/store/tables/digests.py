"""Tables of what goes out: digests, the state of each pull request in them, publications."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import BigInteger, Index, Text, UniqueConstraint
from sqlmodel import Field

from shared.store.columns import BIG_ID, Row
from shared.store.tables.inbox import LeasedRow


class DigestRow(Row, table=True):
    """The digest of one repository and period; sealed, it never changes again."""

    __tablename__ = "digests"
    __table_args__ = (UniqueConstraint("repository_id", "week", "timezone"),)

    id: int = Field(default=None, primary_key=True, sa_type=BIG_ID)
    repository_id: int = Field(foreign_key="repositories.id", sa_type=BigInteger)
    week: str = Field(sa_type=Text)
    timezone: str = Field(sa_type=Text)
    starts_at: datetime
    ends_at: datetime
    branch: str = Field(sa_type=Text)
    document: str = Field(sa_type=Text)
    """``digest.json`` exactly as it was made."""
    revision: int = Field(default=1, sa_type=BigInteger)
    """Grows with each rebuild that changed the document."""
    created_at: datetime
    changed_at: datetime
    sealed_at: datetime | None = None


class DigestEntryRow(Row, table=True):
    """One pull request's one state in a digest: that of the ledger, or ``late`` or ``elsewhere``."""

    __tablename__ = "digest_entries"

    digest_id: int = Field(foreign_key="digests.id", primary_key=True, sa_type=BigInteger)
    number: int = Field(primary_key=True, sa_type=BigInteger)
    state: str = Field(sa_type=Text)


class PublicationRow(LeasedRow, table=True):
    """One digest on one target of one channel."""

    __tablename__ = "publications"
    __table_args__ = (UniqueConstraint("digest_id", "channel", "target"), Index(None, "status", "next_attempt_at"))

    digest_id: int = Field(foreign_key="digests.id", sa_type=BigInteger)
    channel: str = Field(sa_type=Text)
    target: str = Field(sa_type=Text)
    external_id: str | None = Field(default=None, sa_type=Text)
    url: str | None = Field(default=None, sa_type=Text)
    created_at: datetime
    sent_at: datetime | None = None

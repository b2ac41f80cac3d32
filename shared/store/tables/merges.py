"""Tables of what was merged and what was found in it: repositories, pull requests, analyses, tags, relations."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import BigInteger, Float, Index, Text, UniqueConstraint
from sqlmodel import Field

from shared.store.columns import BIG_ID, Row


class RepositoryRow(Row, table=True):
    """A repository by the host's numeric id or, until that is learned, by its name."""

    __tablename__ = "repositories"
    __table_args__ = (UniqueConstraint("host", "host_id"), UniqueConstraint("host", "name_key"))

    id: int = Field(default=None, primary_key=True, sa_type=BIG_ID)
    host: str = Field(sa_type=Text)
    host_id: int | None = Field(default=None, sa_type=BigInteger)
    full_name: str = Field(sa_type=Text)
    name_key: str = Field(sa_type=Text)
    """The name as it is compared; a repository that lost its name to another has ``name#row`` here."""
    private: bool | None = None
    default_branch: str | None = Field(default=None, sa_type=Text)
    set_aside_at: datetime | None = None
    """When another repository took over the name."""
    created_at: datetime
    changed_at: datetime


class PullRequestRow(Row, table=True):
    """A merged pull request: columns to search by, and two documents that hold the whole value."""

    __tablename__ = "pull_requests"
    __table_args__ = (
        UniqueConstraint("repository_id", "number"),
        Index(None, "repository_id", "merged_at"),
        Index(None, "repository_id", "merge_commit_sha"),
    )

    id: int = Field(default=None, primary_key=True, sa_type=BIG_ID)
    repository_id: int = Field(foreign_key="repositories.id", sa_type=BigInteger)
    number: int = Field(sa_type=BigInteger)
    title: str = Field(sa_type=Text)
    author: str = Field(sa_type=Text)
    author_id: int | None = Field(default=None, sa_type=BigInteger)
    base_ref: str = Field(sa_type=Text)
    merge_commit_sha: str | None = Field(default=None, sa_type=Text)
    merged_at: datetime
    updated_at: datetime | None = None
    additions: int = Field(sa_type=BigInteger)
    deletions: int = Field(sa_type=BigInteger)
    changed_files: int = Field(sa_type=BigInteger)
    captured: bool = False
    captured_at: datetime | None = None
    captured_by: str | None = Field(default=None, sa_type=Text)
    """How its merge was captured; None until then, and for what was captured before this was noted."""
    facts: str = Field(sa_type=Text)
    """JSON of the PullRequest without its details."""
    learned: str = Field(sa_type=Text)
    """JSON: for each fact that later events may lack, the time of the event that told it."""
    details: str | None = Field(default=None, sa_type=Text)
    """JSON of the PullRequest as its detail source gave it, files and patches included."""
    created_at: datetime
    changed_at: datetime


class AnalysisRow(Row, table=True):
    """One immutable examination; the newest of a pull request is in force."""

    __tablename__ = "analyses"
    __table_args__ = (UniqueConstraint("pull_request_id", "fingerprint"),)

    id: int = Field(default=None, primary_key=True, sa_type=BIG_ID)
    pull_request_id: int = Field(foreign_key="pull_requests.id", sa_type=BigInteger)
    fingerprint: str = Field(sa_type=Text)
    ruleset_version: str = Field(sa_type=Text)
    prompt_version: str | None = Field(default=None, sa_type=Text)
    model: str | None = Field(default=None, sa_type=Text)
    change_type: str = Field(sa_type=Text)
    importance: int = Field(sa_type=BigInteger)
    summary: str = Field(sa_type=Text)
    document: str = Field(sa_type=Text)
    """JSON of the whole Analysis."""
    examined_at: datetime
    """When this result was last reached: an old one that comes out again is in force again."""


class TagRow(Row, table=True):
    """A tag of an analysis, to search by; its evidence is in the analysis' document."""

    __tablename__ = "tags"
    __table_args__ = (Index(None, "namespace", "value"),)

    analysis_id: int = Field(foreign_key="analyses.id", primary_key=True, sa_type=BigInteger)
    namespace: str = Field(primary_key=True, sa_type=Text)
    value: str = Field(primary_key=True, sa_type=Text)
    origin: str = Field(sa_type=Text)
    rule: str = Field(sa_type=Text)


class RelationRow(Row, table=True):
    """From one pull request to another of its repository, as an analysis found it."""

    __tablename__ = "relations"

    analysis_id: int = Field(foreign_key="analyses.id", primary_key=True, sa_type=BigInteger)
    kind: str = Field(primary_key=True, sa_type=Text)
    source: int = Field(primary_key=True, sa_type=BigInteger)
    towards: str = Field(primary_key=True, sa_type=Text)
    """``#<number>``, else ``commit:<sha>``, else empty: the target as part of the key."""
    target: int | None = Field(default=None, sa_type=BigInteger)
    target_commit: str | None = Field(default=None, sa_type=Text)
    label: str | None = Field(default=None, sa_type=Text)
    confidence: float = Field(sa_type=Float)
    evidence: str = Field(sa_type=Text)

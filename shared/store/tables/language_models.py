"""Tables of the language model: which merges it reads, every call, what was learned of a model, batches."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import BigInteger, Float, Index, Text, UniqueConstraint
from sqlmodel import Field

from shared.store.columns import BIG_ID, Row
from shared.store.tables.inbox import LeasedRow


class ReadingRow(LeasedRow, table=True):
    """One analysis by rules that a model is to read, once for its prompt and model.

    Waits as ``new`` or ``retry``, is held as ``reading``, lies in a batch as ``batched``; ends as ``done`` (an analysis
    with the reading is stored), ``rules`` (no reading will come, ``last_error`` says why), ``superseded`` (the facts
    changed before it was read) or ``dead``.
    """

    __tablename__ = "readings"
    __table_args__ = (
        UniqueConstraint("pull_request_id", "base_fingerprint", "model", "prompt_version"),
        Index(None, "status", "next_attempt_at"),
        Index(None, "batch_id"),
    )

    pull_request_id: int = Field(foreign_key="pull_requests.id", sa_type=BigInteger)
    base_fingerprint: str = Field(sa_type=Text)
    """The analysis by rules that the model's answer is added to."""
    model: str = Field(sa_type=Text)
    prompt_version: str = Field(sa_type=Text)
    importance: int = Field(sa_type=BigInteger)
    """By rules: the weightier is read first."""
    asked_by: str = Field(sa_type=Text)
    """``capture``, ``backfill`` or ``reanalyze``."""
    input_hash: str | None = Field(default=None, sa_type=Text)
    """Of what was shown: an answer to the same question is used again."""
    answer: str | None = Field(default=None, sa_type=Text)
    """The text of the answer as it came, kept with the settling of its call; claims are checked after."""
    fingerprint: str | None = Field(default=None, sa_type=Text)
    """Of the analysis that was stored."""
    batch_id: int | None = Field(default=None, sa_type=BigInteger)
    earlier_calls: int = Field(default=0, sa_type=BigInteger)
    """Calls of earlier askings: a person who asks anew gives the reading two more."""
    created_at: datetime
    done_at: datetime | None = None


class ModelCallRow(Row, table=True):
    """One call of a model: reserved and committed before it is sent, settled after.

    ``status``: ``reserved``, then ``answered``, ``refused`` (the server did not serve), ``cut`` (an answer that cannot
    be used whole), ``timeout``, ``unsent`` (no connection, nothing was sent) or ``unsettled`` (its sender was lost).
    """

    __tablename__ = "model_calls"
    __table_args__ = (Index(None, "reserved_at"), Index(None, "reading_id"), Index(None, "pull_request_id"))

    id: int = Field(default=None, primary_key=True, sa_type=BIG_ID)
    purpose: str = Field(sa_type=Text)
    """``read``, ``repair``, ``probe``, ``batch`` or ``eval``."""
    model: str = Field(sa_type=Text)
    mode: str = Field(default="", sa_type=Text)
    reading_id: int | None = Field(default=None, sa_type=BigInteger)
    pull_request_id: int | None = Field(default=None, sa_type=BigInteger)
    attempt: int | None = Field(default=None, sa_type=BigInteger)
    """That of the reading when this was reserved: the answer is kept only while it holds the row."""
    status: str = Field(sa_type=Text)
    reserved_at: datetime
    settled_at: datetime | None = None
    reserved_tokens: int = Field(sa_type=BigInteger)
    """The most that it may take, in and out; counts until it is settled, for good when nobody tells what it took."""
    reserved_cost: float | None = Field(default=None, sa_type=Float)
    input_tokens: int = Field(default=0, sa_type=BigInteger)
    cached_tokens: int = Field(default=0, sa_type=BigInteger)
    output_tokens: int = Field(default=0, sa_type=BigInteger)
    cost: float | None = Field(default=None, sa_type=Float)
    """US dollars; None when no price is known."""
    seconds: float | None = Field(default=None, sa_type=Float)
    finish_reason: str | None = Field(default=None, sa_type=Text)
    error: str | None = Field(default=None, sa_type=Text)


class ModelStateRow(Row, table=True):
    """What was learned of one model on one server, and whether it may be asked now."""

    __tablename__ = "model_states"

    server: str = Field(primary_key=True, sa_type=Text)
    model: str = Field(primary_key=True, sa_type=Text)
    learned: str = Field(default="{}", sa_type=Text)
    """JSON: the mode and the parameters that the server takes."""
    failures: int = Field(default=0, sa_type=BigInteger)
    """In a row; an answer ends it."""
    openings: int = Field(default=0, sa_type=BigInteger)
    """How often in a row the breaker has opened: each doubles its time."""
    wait_until: datetime | None = None
    """Nothing is asked before: the breaker is open, or the server said so."""
    wait_why: str | None = Field(default=None, sa_type=Text)
    probe_until: datetime | None = None
    """One process at a time tries whether a model serves again."""
    failing_since: datetime | None = None
    last_answer_at: datetime | None = None
    changed_at: datetime


class ModelBatchRow(LeasedRow, table=True):
    """A batch of readings at the server's Batch API.

    Waits as ``new``, ``retry`` or ``submitted``, is held as ``working``; ends as ``done``, ``failed`` (its readings
    wait again, for single calls) or ``dead``.
    """

    __tablename__ = "model_batches"
    __table_args__ = (Index(None, "status", "next_attempt_at"),)

    server: str = Field(sa_type=Text)
    model: str = Field(sa_type=Text)
    external_id: str | None = Field(default=None, sa_type=Text)
    size: int = Field(sa_type=BigInteger)
    created_at: datetime
    submitted_at: datetime | None = None
    done_at: datetime | None = None

"""Tables of the language model: readings, calls, what was learned of models, batches."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

_identity = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
_moment = sa.DateTime(timezone=True)


def upgrade() -> None:
    """Add the tables; what is there stays as it is."""
    _add_readings()
    _add_model_calls()
    _add_model_states()
    _add_model_batches()


def downgrade() -> None:
    """Take the tables away again."""
    for table in ("model_batches", "model_states", "model_calls", "readings"):
        op.drop_table(table)


def _leased() -> list[sa.Column[Any]]:
    return [
        sa.Column("id", _identity, nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("attempt", sa.BigInteger(), nullable=False),
        sa.Column("tries", sa.BigInteger(), nullable=False),
        sa.Column("next_attempt_at", _moment, nullable=False),
        sa.Column("lease_until", _moment, nullable=True),
        sa.Column("last_error", sa.Text(), nullable=True),
        sa.Column("changed_at", _moment, nullable=False),
    ]


def _add_readings() -> None:
    op.create_table(
        "readings",
        *_leased(),
        sa.Column("pull_request_id", sa.BigInteger(), nullable=False),
        sa.Column("base_fingerprint", sa.Text(), nullable=False),
        sa.Column("model", sa.Text(), nullable=False),
        sa.Column("prompt_version", sa.Text(), nullable=False),
        sa.Column("importance", sa.BigInteger(), nullable=False),
        sa.Column("asked_by", sa.Text(), nullable=False),
        sa.Column("input_hash", sa.Text(), nullable=True),
        sa.Column("answer", sa.Text(), nullable=True),
        sa.Column("fingerprint", sa.Text(), nullable=True),
        sa.Column("batch_id", sa.BigInteger(), nullable=True),
        sa.Column("earlier_calls", sa.BigInteger(), nullable=False),
        sa.Column("created_at", _moment, nullable=False),
        sa.Column("done_at", _moment, nullable=True),
        sa.ForeignKeyConstraint(
            ["pull_request_id"], ["pull_requests.id"], name=op.f("fk_readings_pull_request_id_pull_requests")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_readings")),
        sa.UniqueConstraint(
            "pull_request_id",
            "base_fingerprint",
            "model",
            "prompt_version",
            name=op.f("uq_readings_pull_request_id_base_fingerprint_model_prompt_version"),
        ),
    )
    op.create_index(op.f("ix_readings_status_next_attempt_at"), "readings", ["status", "next_attempt_at"])
    op.create_index(op.f("ix_readings_batch_id"), "readings", ["batch_id"])


def _add_model_calls() -> None:
    op.create_table(
        "model_calls",
        sa.Column("id", _identity, nullable=False),
        sa.Column("purpose", sa.Text(), nullable=False),
        sa.Column("model", sa.Text(), nullable=False),
        sa.Column("mode", sa.Text(), nullable=False),
        sa.Column("reading_id", sa.BigInteger(), nullable=True),
        sa.Column("pull_request_id", sa.BigInteger(), nullable=True),
        sa.Column("attempt", sa.BigInteger(), nullable=True),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("reserved_at", _moment, nullable=False),
        sa.Column("settled_at", _moment, nullable=True),
        sa.Column("reserved_tokens", sa.BigInteger(), nullable=False),
        sa.Column("reserved_cost", sa.Float(), nullable=True),
        sa.Column("input_tokens", sa.BigInteger(), nullable=False),
        sa.Column("cached_tokens", sa.BigInteger(), nullable=False),
        sa.Column("output_tokens", sa.BigInteger(), nullable=False),
        sa.Column("cost", sa.Float(), nullable=True),
        sa.Column("seconds", sa.Float(), nullable=True),
        sa.Column("finish_reason", sa.Text(), nullable=True),
        sa.Column("error", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_model_calls")),
    )
    for column in ("reserved_at", "reading_id", "pull_request_id"):
        op.create_index(op.f(f"ix_model_calls_{column}"), "model_calls", [column])


def _add_model_states() -> None:
    op.create_table(
        "model_states",
        sa.Column("server", sa.Text(), nullable=False),
        sa.Column("model", sa.Text(), nullable=False),
        sa.Column("learned", sa.Text(), nullable=False),
        sa.Column("failures", sa.BigInteger(), nullable=False),
        sa.Column("openings", sa.BigInteger(), nullable=False),
        sa.Column("wait_until", _moment, nullable=True),
        sa.Column("wait_why", sa.Text(), nullable=True),
        sa.Column("probe_until", _moment, nullable=True),
        sa.Column("failing_since", _moment, nullable=True),
        sa.Column("last_answer_at", _moment, nullable=True),
        sa.Column("changed_at", _moment, nullable=False),
        sa.PrimaryKeyConstraint("server", "model", name=op.f("pk_model_states")),
    )


def _add_model_batches() -> None:
    op.create_table(
        "model_batches",
        *_leased(),
        sa.Column("server", sa.Text(), nullable=False),
        sa.Column("model", sa.Text(), nullable=False),
        sa.Column("external_id", sa.Text(), nullable=True),
        sa.Column("size", sa.BigInteger(), nullable=False),
        sa.Column("created_at", _moment, nullable=False),
        sa.Column("submitted_at", _moment, nullable=True),
        sa.Column("done_at", _moment, nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_model_batches")),
    )
    op.create_index(op.f("ix_model_batches_status_next_attempt_at"), "model_batches", ["status", "next_attempt_at"])

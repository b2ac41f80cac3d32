"""Tables of the code host: budgets, answers, installations, comparisons, conventions; and how a merge was captured."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

_identity = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
_moment = sa.DateTime(timezone=True)


def upgrade() -> None:
    """Add the tables and the column; what is there stays as it is."""
    _add_request_budgets()
    _add_cached_answers()
    _add_installations()
    _add_reconciliations()
    _add_known_merges()
    _add_backfills()
    _add_convention_files()
    op.add_column("pull_requests", sa.Column("captured_by", sa.Text(), nullable=True))


def downgrade() -> None:
    """Take the tables and the column away again."""
    op.drop_column("pull_requests", "captured_by")
    for table in (
        "convention_files",
        "backfills",
        "known_merges",
        "reconciliations",
        "installations",
        "cached_answers",
        "request_budgets",
    ):
        op.drop_table(table)


def _add_request_budgets() -> None:
    op.create_table(
        "request_budgets",
        sa.Column("credential", sa.Text(), nullable=False),
        sa.Column("resource", sa.Text(), nullable=False),
        sa.Column("request_limit", sa.BigInteger(), nullable=True),
        sa.Column("remaining", sa.BigInteger(), nullable=True),
        sa.Column("reset_at", _moment, nullable=True),
        sa.Column("wait_until", _moment, nullable=True),
        sa.Column("backoffs", sa.BigInteger(), nullable=False),
        sa.Column("minute_at", _moment, nullable=True),
        sa.Column("minute_count", sa.BigInteger(), nullable=False),
        sa.Column("changed_at", _moment, nullable=False),
        sa.PrimaryKeyConstraint("credential", "resource", name=op.f("pk_request_budgets")),
    )


def _add_cached_answers() -> None:
    op.create_table(
        "cached_answers",
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("etag", sa.Text(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("kept_at", _moment, nullable=False),
        sa.PrimaryKeyConstraint("key", name=op.f("pk_cached_answers")),
    )


def _add_installations() -> None:
    op.create_table(
        "installations",
        sa.Column("installation_id", sa.BigInteger(), nullable=False, autoincrement=False),
        sa.Column("account", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("told_at", _moment, nullable=False),
        sa.PrimaryKeyConstraint("installation_id", name=op.f("pk_installations")),
    )


def _add_reconciliations() -> None:
    op.create_table(
        "reconciliations",
        sa.Column("id", _identity, nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("attempt", sa.BigInteger(), nullable=False),
        sa.Column("tries", sa.BigInteger(), nullable=False),
        sa.Column("next_attempt_at", _moment, nullable=False),
        sa.Column("lease_until", _moment, nullable=True),
        sa.Column("last_error", sa.Text(), nullable=True),
        sa.Column("changed_at", _moment, nullable=False),
        sa.Column("repository_id", sa.BigInteger(), nullable=False),
        sa.Column("covered_since", _moment, nullable=True),
        sa.Column("watermark", _moment, nullable=True),
        sa.Column("checked_at", _moment, nullable=True),
        sa.Column("tried_at", _moment, nullable=True),
        sa.Column("awaited_since", _moment, nullable=True),
        sa.Column("left_out_since", _moment, nullable=True),
        sa.Column("blind_since", _moment, nullable=True),
        sa.Column("blind_reason", sa.Text(), nullable=True),
        sa.Column("progress", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(
            ["repository_id"], ["repositories.id"], name=op.f("fk_reconciliations_repository_id_repositories")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_reconciliations")),
        sa.UniqueConstraint("repository_id", name=op.f("uq_reconciliations_repository_id")),
    )
    op.create_index(op.f("ix_reconciliations_status_next_attempt_at"), "reconciliations", ["status", "next_attempt_at"])


def _add_known_merges() -> None:
    op.create_table(
        "known_merges",
        sa.Column("repository_id", sa.BigInteger(), nullable=False),
        sa.Column("number", sa.BigInteger(), nullable=False),
        sa.Column("merged_at", _moment, nullable=False),
        sa.Column("base_ref", sa.Text(), nullable=False),
        sa.Column("seen_at", _moment, nullable=False),
        sa.ForeignKeyConstraint(
            ["repository_id"], ["repositories.id"], name=op.f("fk_known_merges_repository_id_repositories")
        ),
        sa.PrimaryKeyConstraint("repository_id", "number", name=op.f("pk_known_merges")),
    )
    op.create_index(op.f("ix_known_merges_repository_id_merged_at"), "known_merges", ["repository_id", "merged_at"])


def _add_backfills() -> None:
    op.create_table(
        "backfills",
        sa.Column("id", _identity, nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("attempt", sa.BigInteger(), nullable=False),
        sa.Column("tries", sa.BigInteger(), nullable=False),
        sa.Column("next_attempt_at", _moment, nullable=False),
        sa.Column("lease_until", _moment, nullable=True),
        sa.Column("last_error", sa.Text(), nullable=True),
        sa.Column("changed_at", _moment, nullable=False),
        sa.Column("repository_id", sa.BigInteger(), nullable=False),
        sa.Column("since", _moment, nullable=False),
        sa.Column("until", _moment, nullable=False),
        sa.Column("cursor", sa.Text(), nullable=True),
        sa.Column("listed", sa.BigInteger(), nullable=False),
        sa.Column("found", sa.BigInteger(), nullable=False),
        sa.Column("listed_at", _moment, nullable=True),
        sa.Column("created_at", _moment, nullable=False),
        sa.ForeignKeyConstraint(
            ["repository_id"], ["repositories.id"], name=op.f("fk_backfills_repository_id_repositories")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_backfills")),
        sa.UniqueConstraint("repository_id", "since", "until", name=op.f("uq_backfills_repository_id_since_until")),
    )


def _add_convention_files() -> None:
    op.create_table(
        "convention_files",
        sa.Column("id", _identity, nullable=False),
        sa.Column("repository_id", sa.BigInteger(), nullable=False),
        sa.Column("path", sa.Text(), nullable=False),
        sa.Column("text", sa.Text(), nullable=True),
        sa.Column("good", sa.Text(), nullable=True),
        sa.Column("error", sa.Text(), nullable=True),
        sa.Column("read_at", _moment, nullable=False),
        sa.Column("changed_at", _moment, nullable=False),
        sa.ForeignKeyConstraint(
            ["repository_id"], ["repositories.id"], name=op.f("fk_convention_files_repository_id_repositories")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_convention_files")),
        sa.UniqueConstraint("repository_id", "path", name=op.f("uq_convention_files_repository_id_path")),
    )

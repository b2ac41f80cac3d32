"""The first tables: inbox, merges and analyses, digests and publications."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

_identity = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
_moment = sa.DateTime(timezone=True)


def upgrade() -> None:
    """Add the tables, those first that others refer to."""
    for add in (
        _add_deliveries,
        _add_event_counts,
        _add_pings,
        _add_repositories,
        _add_digests,
        _add_pull_requests,
        _add_analyses,
        _add_digest_entries,
        _add_publications,
        _add_relations,
        _add_tags,
    ):
        add()


def downgrade() -> None:
    """Take every table away, and with it what is stored."""
    for table in (
        "tags",
        "relations",
        "publications",
        "digest_entries",
        "analyses",
        "pull_requests",
        "digests",
        "repositories",
        "pings",
        "event_counts",
        "deliveries",
    ):
        op.drop_table(table)


def _add_deliveries() -> None:
    op.create_table(
        "deliveries",
        sa.Column("id", _identity, nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("attempt", sa.BigInteger(), nullable=False),
        sa.Column("tries", sa.BigInteger(), nullable=False),
        sa.Column("next_attempt_at", _moment, nullable=False),
        sa.Column("lease_until", _moment, nullable=True),
        sa.Column("last_error", sa.Text(), nullable=True),
        sa.Column("changed_at", _moment, nullable=False),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("guid", sa.Text(), nullable=False),
        sa.Column("event", sa.Text(), nullable=False),
        sa.Column("action", sa.Text(), nullable=True),
        sa.Column("repository", sa.Text(), nullable=True),
        sa.Column("number", sa.BigInteger(), nullable=True),
        sa.Column("payload", sa.LargeBinary(), nullable=True),
        sa.Column("payload_bytes", sa.BigInteger(), nullable=False),
        sa.Column("note", sa.Text(), nullable=True),
        sa.Column("received_at", _moment, nullable=False),
        sa.Column("processed_at", _moment, nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_deliveries")),
        sa.UniqueConstraint("source", "guid", name=op.f("uq_deliveries_source_guid")),
    )
    op.create_index(op.f("ix_deliveries_repository"), "deliveries", ["repository"])
    op.create_index(op.f("ix_deliveries_status_next_attempt_at"), "deliveries", ["status", "next_attempt_at"])


def _add_event_counts() -> None:
    op.create_table(
        "event_counts",
        sa.Column("event", sa.Text(), nullable=False),
        sa.Column("action", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("count", sa.BigInteger(), nullable=False),
        sa.Column("first_at", _moment, nullable=False),
        sa.Column("last_at", _moment, nullable=False),
        sa.PrimaryKeyConstraint("event", "action", "reason", name=op.f("pk_event_counts")),
    )


def _add_pings() -> None:
    op.create_table(
        "pings",
        sa.Column("hook", sa.Text(), nullable=False),
        sa.Column("hook_id", sa.BigInteger(), nullable=True),
        sa.Column("zen", sa.Text(), nullable=False),
        sa.Column("events", sa.Text(), nullable=False),
        sa.Column("content_type", sa.Text(), nullable=True),
        sa.Column("repository", sa.Text(), nullable=True),
        sa.Column("problems", sa.Text(), nullable=False),
        sa.Column("received_at", _moment, nullable=False),
        sa.PrimaryKeyConstraint("hook", name=op.f("pk_pings")),
    )


def _add_repositories() -> None:
    op.create_table(
        "repositories",
        sa.Column("id", _identity, nullable=False),
        sa.Column("host", sa.Text(), nullable=False),
        sa.Column("host_id", sa.BigInteger(), nullable=True),
        sa.Column("full_name", sa.Text(), nullable=False),
        sa.Column("name_key", sa.Text(), nullable=False),
        sa.Column("private", sa.Boolean(), nullable=True),
        sa.Column("default_branch", sa.Text(), nullable=True),
        sa.Column("set_aside_at", _moment, nullable=True),
        sa.Column("created_at", _moment, nullable=False),
        sa.Column("changed_at", _moment, nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_repositories")),
        sa.UniqueConstraint("host", "host_id", name=op.f("uq_repositories_host_host_id")),
        sa.UniqueConstraint("host", "name_key", name=op.f("uq_repositories_host_name_key")),
    )


def _add_digests() -> None:
    op.create_table(
        "digests",
        sa.Column("id", _identity, nullable=False),
        sa.Column("repository_id", sa.BigInteger(), nullable=False),
        sa.Column("week", sa.Text(), nullable=False),
        sa.Column("timezone", sa.Text(), nullable=False),
        sa.Column("starts_at", _moment, nullable=False),
        sa.Column("ends_at", _moment, nullable=False),
        sa.Column("branch", sa.Text(), nullable=False),
        sa.Column("document", sa.Text(), nullable=False),
        sa.Column("revision", sa.BigInteger(), nullable=False),
        sa.Column("created_at", _moment, nullable=False),
        sa.Column("changed_at", _moment, nullable=False),
        sa.Column("sealed_at", _moment, nullable=True),
        sa.ForeignKeyConstraint(
            ["repository_id"], ["repositories.id"], name=op.f("fk_digests_repository_id_repositories")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_digests")),
        sa.UniqueConstraint("repository_id", "week", "timezone", name=op.f("uq_digests_repository_id_week_timezone")),
    )


def _add_pull_requests() -> None:
    op.create_table(
        "pull_requests",
        sa.Column("id", _identity, nullable=False),
        sa.Column("repository_id", sa.BigInteger(), nullable=False),
        sa.Column("number", sa.BigInteger(), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("author", sa.Text(), nullable=False),
        sa.Column("author_id", sa.BigInteger(), nullable=True),
        sa.Column("base_ref", sa.Text(), nullable=False),
        sa.Column("merge_commit_sha", sa.Text(), nullable=True),
        sa.Column("merged_at", _moment, nullable=False),
        sa.Column("updated_at", _moment, nullable=True),
        sa.Column("additions", sa.BigInteger(), nullable=False),
        sa.Column("deletions", sa.BigInteger(), nullable=False),
        sa.Column("changed_files", sa.BigInteger(), nullable=False),
        sa.Column("captured", sa.Boolean(), nullable=False),
        sa.Column("captured_at", _moment, nullable=True),
        sa.Column("facts", sa.Text(), nullable=False),
        sa.Column("learned", sa.Text(), nullable=False),
        sa.Column("details", sa.Text(), nullable=True),
        sa.Column("created_at", _moment, nullable=False),
        sa.Column("changed_at", _moment, nullable=False),
        sa.ForeignKeyConstraint(
            ["repository_id"], ["repositories.id"], name=op.f("fk_pull_requests_repository_id_repositories")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_pull_requests")),
        sa.UniqueConstraint("repository_id", "number", name=op.f("uq_pull_requests_repository_id_number")),
    )
    op.create_index(
        op.f("ix_pull_requests_repository_id_merge_commit_sha"), "pull_requests", ["repository_id", "merge_commit_sha"]
    )
    op.create_index(op.f("ix_pull_requests_repository_id_merged_at"), "pull_requests", ["repository_id", "merged_at"])


def _add_analyses() -> None:
    op.create_table(
        "analyses",
        sa.Column("id", _identity, nullable=False),
        sa.Column("pull_request_id", sa.BigInteger(), nullable=False),
        sa.Column("fingerprint", sa.Text(), nullable=False),
        sa.Column("ruleset_version", sa.Text(), nullable=False),
        sa.Column("prompt_version", sa.Text(), nullable=True),
        sa.Column("model", sa.Text(), nullable=True),
        sa.Column("change_type", sa.Text(), nullable=False),
        sa.Column("importance", sa.BigInteger(), nullable=False),
        sa.Column("summary", sa.Text(), nullable=False),
        sa.Column("document", sa.Text(), nullable=False),
        sa.Column("examined_at", _moment, nullable=False),
        sa.ForeignKeyConstraint(
            ["pull_request_id"], ["pull_requests.id"], name=op.f("fk_analyses_pull_request_id_pull_requests")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_analyses")),
        sa.UniqueConstraint("pull_request_id", "fingerprint", name=op.f("uq_analyses_pull_request_id_fingerprint")),
    )


def _add_digest_entries() -> None:
    op.create_table(
        "digest_entries",
        sa.Column("digest_id", sa.BigInteger(), nullable=False),
        sa.Column("number", sa.BigInteger(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["digest_id"], ["digests.id"], name=op.f("fk_digest_entries_digest_id_digests")),
        sa.PrimaryKeyConstraint("digest_id", "number", name=op.f("pk_digest_entries")),
    )


def _add_publications() -> None:
    op.create_table(
        "publications",
        sa.Column("id", _identity, nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("attempt", sa.BigInteger(), nullable=False),
        sa.Column("tries", sa.BigInteger(), nullable=False),
        sa.Column("next_attempt_at", _moment, nullable=False),
        sa.Column("lease_until", _moment, nullable=True),
        sa.Column("last_error", sa.Text(), nullable=True),
        sa.Column("changed_at", _moment, nullable=False),
        sa.Column("digest_id", sa.BigInteger(), nullable=False),
        sa.Column("channel", sa.Text(), nullable=False),
        sa.Column("target", sa.Text(), nullable=False),
        sa.Column("external_id", sa.Text(), nullable=True),
        sa.Column("url", sa.Text(), nullable=True),
        sa.Column("created_at", _moment, nullable=False),
        sa.Column("sent_at", _moment, nullable=True),
        sa.ForeignKeyConstraint(["digest_id"], ["digests.id"], name=op.f("fk_publications_digest_id_digests")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_publications")),
        sa.UniqueConstraint("digest_id", "channel", "target", name=op.f("uq_publications_digest_id_channel_target")),
    )
    op.create_index(op.f("ix_publications_status_next_attempt_at"), "publications", ["status", "next_attempt_at"])


def _add_relations() -> None:
    op.create_table(
        "relations",
        sa.Column("analysis_id", sa.BigInteger(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("source", sa.BigInteger(), nullable=False),
        sa.Column("towards", sa.Text(), nullable=False),
        sa.Column("target", sa.BigInteger(), nullable=True),
        sa.Column("target_commit", sa.Text(), nullable=True),
        sa.Column("label", sa.Text(), nullable=True),
        sa.Column("confidence", sa.Float(), nullable=False),
        sa.Column("evidence", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["analysis_id"], ["analyses.id"], name=op.f("fk_relations_analysis_id_analyses")),
        sa.PrimaryKeyConstraint("analysis_id", "kind", "source", "towards", name=op.f("pk_relations")),
    )


def _add_tags() -> None:
    op.create_table(
        "tags",
        sa.Column("analysis_id", sa.BigInteger(), nullable=False),
        sa.Column("namespace", sa.Text(), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.Column("origin", sa.Text(), nullable=False),
        sa.Column("rule", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["analysis_id"], ["analyses.id"], name=op.f("fk_tags_analysis_id_analyses")),
        sa.PrimaryKeyConstraint("analysis_id", "namespace", "value", name=op.f("pk_tags")),
    )
    op.create_index(op.f("ix_tags_namespace_value"), "tags", ["namespace", "value"])

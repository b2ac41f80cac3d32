"""Which branches were the repository's default when their merges were told of: it may be renamed in midweek (C-15)."""

from __future__ import annotations

import json
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session
from sqlmodel import col

from shared.store.tables import PullRequestRow


def default_branches_of(session: Session, repository_id: int, start: datetime, end: datetime) -> tuple[str, ...]:
    """Return the base branches, sorted, of the captured merges of a period that were the default at that time.

    The event of a merge names the default branch of its own moment; the repository's row knows only the newest.
    """
    merged_at = col(PullRequestRow.merged_at)
    rows = session.execute(
        select(col(PullRequestRow.base_ref), col(PullRequestRow.facts)).where(
            col(PullRequestRow.repository_id) == repository_id,
            col(PullRequestRow.captured),
            merged_at >= start,
            merged_at < end,
        )
    )
    return tuple(sorted({base for base, facts in rows if json.loads(facts)["repository"]["default_branch"] == base}))

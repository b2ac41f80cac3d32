"""Two rows of one repository become one, when a source that knew only the name meets one that knows the id."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import select, update
from sqlalchemy.orm import Session, aliased
from sqlmodel import col

from shared.store.tables import DigestRow, PullRequestRow
from shared.store.upserts import UNSYNCHRONISED


def move_merges(session: Session, source: int, heir: int, now: datetime) -> None:
    """Move the pull requests and digests of the repository row ``source`` to ``heir``.

    What ``heir`` has already stays its own and the other copy is left behind, except that a merge captured there
    counts as captured, in the way it was.
    """
    copy, digest = aliased(PullRequestRow), aliased(DigestRow)
    pull_there = select(col(copy.id)).where(
        col(copy.repository_id) == heir, col(copy.number) == col(PullRequestRow.number)
    )
    week_there = select(col(digest.id)).where(
        col(digest.repository_id) == heir,
        col(digest.week) == col(DigestRow.week),
        col(digest.timezone) == col(DigestRow.timezone),
    )
    here = (col(copy.repository_id) == source, col(copy.number) == col(PullRequestRow.number), col(copy.captured))
    captured_here = select(col(copy.id)).where(*here)
    by = select(col(copy.captured_by)).where(*here).scalar_subquery()
    news_here = captured_here.where(col(copy.captured_by).is_distinct_from("backfill"))
    only_backfilled = (col(PullRequestRow.repository_id) == heir, col(PullRequestRow.captured_by) == "backfill")
    for statement in (
        update(PullRequestRow)
        .where(col(PullRequestRow.repository_id) == heir, ~col(PullRequestRow.captured), captured_here.exists())
        .values(captured=True, captured_at=now, captured_by=by, changed_at=now),
        update(PullRequestRow).where(*only_backfilled, news_here.exists()).values(captured_by=by, changed_at=now),
        update(PullRequestRow)
        .where(col(PullRequestRow.repository_id) == source, ~pull_there.exists())
        .values(repository_id=heir),
        update(DigestRow)
        .where(col(DigestRow.repository_id) == source, ~week_there.exists())
        .values(repository_id=heir),
    ):
        session.execute(statement, execution_options=UNSYNCHRONISED)

"""How the readings of the merges of one period stand, for the digest of it."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Literal

from pydantic import AwareDatetime
from sqlalchemy import ColumnElement, Select, and_, func, or_, select
from sqlalchemy.orm import Session
from sqlmodel import col

from shared.domain.value import Value
from shared.store.columns import key_text
from shared.store.rules_analyses import newest_ids
from shared.store.tables import AnalysisRow, ModelStateRow, PullRequestRow, ReadingRow

BUDGET = "The budget of the "
"""How the refusal of a call begins when a budget is used up."""

SOON = timedelta(minutes=10)
"""A reading that is tried again within this is one that a digest can wait for."""

Standing = Literal["waiting", "away", "budget", "gave-up"]


class WeekReadings(Value):
    """Why merges have no reading, by number; and since when a model that some of them wait for does not serve."""

    standing: dict[int, Standing] = {}
    away_since: AwareDatetime | None = None


def of_period(
    session: Session, repository_id: int, start: datetime, end: datetime, server: str | None = None
) -> WeekReadings:
    """Return how the newest readings of the merges with ``start <= merged_at < end`` stand, those that are not done.

    A merge that a reading is in force of is not among them, whatever else was asked about it. ``server`` is the one
    that is in use: how another stood is of no matter; None: any.
    """
    row = ReadingRow
    rows = session.execute(
        select(col(PullRequestRow.number), col(row.status), col(row.last_error), col(row.model))
        .join(row, col(row.pull_request_id) == col(PullRequestRow.id))
        .where(*_unread_within(repository_id, start, end), col(row.status) != "superseded")
        .order_by(col(row.created_at), col(row.id))
    ).all()
    away = _away(session, server)
    newest = {number: (status, error or "", model) for number, status, error, model in rows}
    found: dict[int, Standing] = {}
    for number, (status, error, model) in newest.items():
        if status in ("rules", "dead"):
            found[number] = "gave-up"
        elif status != "done":
            found[number] = "away" if model in away else "budget" if error.startswith(BUDGET) else "waiting"
    waited_for = {newest[number][2] for number, standing in found.items() if standing == "away"}
    return WeekReadings(standing=found, away_since=min((away[model] for model in waited_for), default=None))


def open_in(
    session: Session, repository_id: int, start: datetime, end: datetime, now: datetime, server: str | None = None
) -> int:
    """Return how many merges with ``start <= merged_at < end`` are being read, or soon will be.

    Those that wait for a model that does not serve, for a budget, or for a batch are not among them, nor is one that a
    reading is in force of. ``server``: as for ``of_period``.
    """
    row = ReadingRow
    soon = and_(col(row.status).in_(("new", "retry")), col(row.next_attempt_at) <= now + SOON)
    out_of_money = func.coalesce(col(row.last_error), "").startswith(BUDGET, autoescape=True)
    away = select(col(ModelStateRow.model)).where(*_resting(server))
    return (
        session.scalar(
            select(func.count())
            .select_from(row)
            .join(PullRequestRow, col(row.pull_request_id) == col(PullRequestRow.id))
            .where(
                *_unread_within(repository_id, start, end),
                or_(and_(soon, ~out_of_money), col(row.status) == "reading"),
                col(row.model).not_in(away),
            )
        )
        or 0
    )


def _away(session: Session, server: str | None) -> dict[str, datetime]:
    """The models that do not serve, and since when."""
    since = func.coalesce(col(ModelStateRow.failing_since), col(ModelStateRow.changed_at))
    return dict(session.execute(select(col(ModelStateRow.model), since).where(*_resting(server))).all())


def _resting(server: str | None) -> tuple[ColumnElement[bool], ...]:
    resting = col(ModelStateRow.wait_until).is_not(None)
    return (resting,) if server is None else (resting, col(ModelStateRow.server) == key_text(server))


def _unread_within(repository_id: int, start: datetime, end: datetime) -> tuple[ColumnElement[bool], ...]:
    pull = PullRequestRow
    within = (col(pull.repository_id) == repository_id, col(pull.merged_at) >= start, col(pull.merged_at) < end)
    return (*within, col(pull.id).not_in(_read_ones(select(col(pull.id)).where(*within))))


def _read_ones(merges: Select[int]) -> Select[int]:
    """Those of ``merges`` whose analysis in force is one with a reading."""
    in_force = newest_ids(col(AnalysisRow.pull_request_id).in_(merges), by_rules=False)
    read = (col(AnalysisRow.id).in_(in_force), col(AnalysisRow.model).is_not(None))
    return select(col(AnalysisRow.pull_request_id)).where(*read)

"""How the language model stands: whether it serves, what the budgets leave, what waits to be read; for people."""

from __future__ import annotations

from datetime import datetime, timedelta

from sqlalchemy import func, select
from sqlalchemy.orm import Session
from sqlmodel import col

from shared.domain.value import Value
from shared.settings.language_model import ModelSettings
from shared.store import readings
from shared.store.model_budgets import Budget, budgets
from shared.store.model_states import state_of
from shared.store.tables import ReadingRow

_LOOK_BACK = timedelta(days=7)
_MOST_REASONS = 10


class Serving(Value):
    """Whether one model serves; ``failing_since`` is None while it does."""

    model: str
    failing_since: datetime | None = None
    failures: int = 0
    wait_until: datetime | None = None
    """Until when it rests; in the past: the next who comes tries whether it serves again."""
    why: str | None = None
    last_answer_at: datetime | None = None

    @property
    def open(self) -> bool:
        """Whether the breaker is open: nothing of a merge is sent."""
        return self.wait_until is not None


class ModelStanding(Value):
    """Everything that a person wants to know of the model at one moment."""

    serving: tuple[Serving, ...]
    budgets: tuple[Budget, ...]
    readings: dict[str, int]
    """How many are in each status, zeros included."""
    waiting_since: datetime | None
    """When the longest waiting reading was asked for; None when none waits."""
    ended_by_rules: dict[str, int]
    """Why readings of the last seven days came to nothing, most frequent first, and how many for each reason."""

    @property
    def waiting(self) -> int:
        """How many readings wait, in a batch as well."""
        return sum(self.readings[status] for status in (*readings.WAITING, "batched"))


def standing(session: Session, settings: ModelSettings, server: str, now: datetime) -> ModelStanding:
    """Return how the models of ``settings`` on ``server`` stand at ``now``."""
    oldest = select(func.min(col(ReadingRow.created_at))).where(col(ReadingRow.status).in_(readings.WAITING))
    return ModelStanding(
        serving=tuple(_serving(session, server, model) for model in settings.names),
        budgets=tuple(budgets(session, settings, now)),
        readings=readings.counts(session),
        waiting_since=session.scalar(oldest),
        ended_by_rules=_reasons(session, now - _LOOK_BACK),
    )


def _serving(session: Session, server: str, model: str) -> Serving:
    row = state_of(session, server, model)
    if row is None:
        return Serving(model=model)
    return Serving(
        model=model,
        failing_since=row.failing_since,
        failures=row.failures,
        wait_until=row.wait_until,
        why=row.wait_why,
        last_answer_at=row.last_answer_at,
    )


def _reasons(session: Session, since: datetime) -> dict[str, int]:
    why, how_many = func.coalesce(col(ReadingRow.last_error), "unknown"), func.count()
    rows = session.execute(
        select(why, how_many)
        .where(col(ReadingRow.status) == "rules", col(ReadingRow.changed_at) >= since)
        .group_by(why)
        .order_by(how_many.desc(), why)
        .limit(_MOST_REASONS)
    )
    return dict(rows.all())

"""What calls of models took, counted by call, and what the budgets leave: of a merge, a UTC day, an ISO week (R-61)."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from sqlalchemy import ColumnElement, and_, case, func, select
from sqlalchemy.orm import Session
from sqlmodel import col

from shared.domain.errors import Permanent, Postponed
from shared.domain.period import week_of
from shared.domain.value import Value
from shared.settings.language_model import ModelSettings
from shared.store.tables import ModelCallRow

_DECIMALS = 9
"""Dollars are summed as they are stored, in double precision: the drift of a million calls is far below the ninth
decimal, to which every sum is rounded before it is shown or compared."""


class Budget(Value):
    """One limit and what is used of it; ``setting`` is its name below ``model``, ``until`` when it is whole again."""

    setting: str
    limit: float
    used: float
    until: datetime

    @property
    def left(self) -> float:
        """What is left of it, never less than nothing."""
        return max(round(self.limit - self.used, _DECIMALS), 0)


def tokens_counted() -> ColumnElement[int]:
    """What a call counts: what it took, or what was reserved as long as nobody told what it took."""
    told = col(ModelCallRow.input_tokens) + col(ModelCallRow.output_tokens)
    untold = case((told > 0, told), else_=col(ModelCallRow.reserved_tokens))
    status = col(ModelCallRow.status)
    return case(
        (status.in_(("reserved", "unsettled", "answered", "cut", "timeout")), untold),
        else_=told,
    )


def cost_counted() -> ColumnElement[float]:
    """What a call costs, or would cost at most as long as nobody told what it took; NULL where no price is known."""
    untold = col(ModelCallRow.status).in_(("reserved", "unsettled"))
    return case((untold, col(ModelCallRow.reserved_cost)), else_=col(ModelCallRow.cost))


def dollars(total: float | None) -> float | None:
    """Return a sum of costs without the drift of its addition; None stays None: no price is known."""
    return None if total is None else round(total, _DECIMALS)


def used(session: Session, *of: ColumnElement[bool]) -> tuple[int, float]:
    """Return tokens and US dollars that the calls ``of`` have taken, those under way counted in full."""
    tokens, cost = session.execute(select(func.sum(tokens_counted()), func.sum(cost_counted())).where(*of)).one()
    return int(tokens or 0), dollars(cost) or 0.0


def budgets(session: Session, settings: ModelSettings, now: datetime) -> list[Budget]:
    """Return the budgets of the day and the week of ``now``, tokens first, then dollars where a limit is set."""
    midnight = now.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    week = week_of(now)
    found = []
    for name, start, end in (("day", midnight, midnight + timedelta(days=1)), ("week", week.start, week.end)):
        reserved_at = col(ModelCallRow.reserved_at)
        tokens, cost = used(session, and_(reserved_at >= start, reserved_at < end))
        limits = getattr(settings, f"{name}_tokens"), getattr(settings, f"{name}_cost")
        for kind, limit, amount in zip(("tokens", "cost"), limits, (tokens, cost), strict=True):
            if limit is not None:
                found.append(Budget(setting=f"{name}_{kind}", limit=limit, used=amount, until=end))
    return found


def refuse_beyond_budget(
    session: Session,
    settings: ModelSettings,
    pull_request_id: int | None,
    tokens: int,
    cost: float | None,
    now: datetime,
) -> None:
    """Refuse a call that may take so much: Permanent for its merge (None: of no merge), Postponed for day and week.

    Permanent also where a limit in dollars is set and ``cost`` is not known: no such limit would hold.
    """
    if cost is None:
        _refuse_unpriced(settings)
    if pull_request_id is not None:
        taken = used(session, col(ModelCallRow.pull_request_id) == pull_request_id)
        limits = {"merge_tokens": settings.merge_tokens, "merge_cost": settings.merge_cost}
        for (name, limit), amount, more in zip(limits.items(), taken, (tokens, cost), strict=True):
            if limit is not None and _beyond(amount, more, limit):
                raise Permanent(
                    f"One more call would take this merge beyond its budget (model.{name} is {limit}).",
                    "Raise it, then ask anew with mergecast reanalyze.",
                )
    for budget in budgets(session, settings, now):
        if _beyond(budget.used, tokens if budget.setting.endswith("tokens") else cost, budget.limit):
            raise Postponed(
                f"The budget of the {budget.setting.partition('_')[0]} is used up"
                f" (model.{budget.setting} is {budget.limit:,.10g}).",
                budget.until,
                f"It goes on at {budget.until.astimezone(UTC):%Y-%m-%d %H:%M} UTC.",
            )


def _refuse_unpriced(settings: ModelSettings) -> None:
    """The settings want a price of each model in them; a call may be of one that a person named."""
    for name in ("merge_cost", "day_cost", "week_cost"):
        if getattr(settings, name) is not None:
            raise Permanent(
                f"No price of this model is set, so model.{name} cannot hold for it.",
                "Name its price under model.prices, then ask anew with mergecast reanalyze.",
            )


def _beyond(amount: float, more: float | None, limit: float) -> bool:
    return round(amount + (more or 0), _DECIMALS) > limit

"""What models took: of a reading, of a period, of the merges of a period; for people and for digests."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Select, and_, func, select
from sqlalchemy.orm import Session
from sqlmodel import col

from shared.domain.reading import CallUsage
from shared.domain.value import Value
from shared.store.model_budgets import cost_counted, dollars, tokens_counted
from shared.store.tables import ModelCallRow, PullRequestRow


class Spent(Value):
    """What calls took, as budgets count it: those whose outcome nobody told count as the most that they may take."""

    calls: int = 0
    tokens: int = 0
    cost: float | None = None
    """US dollars; None when no call has a price."""


class CallView(Value):
    """One call as it is listed."""

    id: int
    purpose: str
    model: str
    mode: str
    status: str
    reserved_at: datetime
    settled_at: datetime | None
    reserved_tokens: int
    input_tokens: int
    cached_tokens: int
    output_tokens: int
    cost: float | None
    seconds: float | None
    finish_reason: str | None
    error: str | None


def spent(session: Session, start: datetime, end: datetime) -> Spent:
    """Return what the calls reserved in ``start <= at < end`` took, of whichever model."""
    calls, tokens, cost = session.execute(select(*_sums()).where(_sent_between(start, end))).one()
    return Spent(calls=calls, tokens=tokens or 0, cost=dollars(cost))


def spent_by_model(session: Session, start: datetime, end: datetime) -> dict[str, Spent]:
    """Return what the calls of each model that were reserved in ``start <= at < end`` took, by its name."""
    model = col(ModelCallRow.model)
    rows = session.execute(select(model, *_sums()).where(_sent_between(start, end)).group_by(model).order_by(model))
    return {name: Spent(calls=calls, tokens=tokens or 0, cost=dollars(cost)) for name, calls, tokens, cost in rows}


def calls_of(session: Session, reading_id: int) -> list[CallView]:
    """Return every call that was reserved for the reading, oldest first."""
    columns = [getattr(ModelCallRow, name) for name in CallView.model_fields]
    query = select(*columns).where(col(ModelCallRow.reading_id) == reading_id).order_by(col(ModelCallRow.id))
    return [CallView.model_validate(dict(row)) for row in session.execute(query).mappings()]


def usage_of(session: Session, reading_id: int) -> CallUsage:
    """Return what the calls for the reading took, as the server counted it."""
    return _usage(session, select(*_told()).where(col(ModelCallRow.reading_id) == reading_id))


def usage_between(session: Session, repository_id: int, start: datetime, end: datetime) -> CallUsage:
    """Return what was taken for the repository's merges with ``start <= merged_at < end``, whenever they were read."""
    week = (
        col(PullRequestRow.repository_id) == repository_id,
        col(PullRequestRow.merged_at) >= start,
        col(PullRequestRow.merged_at) < end,
    )
    of_week = select(*_told()).join(PullRequestRow, col(PullRequestRow.id) == col(ModelCallRow.pull_request_id))
    return _usage(session, of_week.where(*week))


def _sums() -> tuple[ColumnElement[Any], ...]:
    return func.count(), func.sum(tokens_counted()), func.sum(cost_counted())


def _sent_between(start: datetime, end: datetime) -> ColumnElement[bool]:
    reserved_at = col(ModelCallRow.reserved_at)
    return and_(reserved_at >= start, reserved_at < end, col(ModelCallRow.status) != "unsent")


def _told() -> tuple[ColumnElement[Any], ...]:
    counted = (ModelCallRow.input_tokens, ModelCallRow.cached_tokens, ModelCallRow.output_tokens)
    return (
        func.count().label("requests"),
        *(func.sum(col(column)) for column in counted),
        func.sum(cost_counted()),
        func.sum(col(ModelCallRow.seconds)),
    )


def _usage(session: Session, query: Select[Any]) -> CallUsage:
    sent = query.where(col(ModelCallRow.status) != "unsent")
    requests, taken, cached, given, cost, seconds = session.execute(sent).one()
    return CallUsage(
        requests=requests,
        input_tokens=taken or 0,
        cached_tokens=cached or 0,
        output_tokens=given or 0,
        cost_usd=dollars(cost),
        seconds=seconds or 0.0,
    )

"""What was learned of each model, and whether it serves: a row for each on each server, for every process (R-61)."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from typing import Any, Literal

from pydantic import ValidationError
from sqlalchemy import select
from sqlalchemy.orm import Session

from shared.domain.errors import Postponed
from shared.domain.protocols import Clock, Learned
from shared.settings.language_model import LONGEST_DEADLINE
from shared.store.columns import error_text, key_text
from shared.store.session import Database
from shared.store.tables import ModelStateRow
from shared.store.upserts import insert_or_change

CONTEXT_LASTS = timedelta(days=1)
"""After which nobody relies on what a server took in all: it may be started with more by now."""
FAILURES_THAT_OPEN = 5
"""In a row; then nothing of a merge is sent until a probe was answered (R-61)."""

_CONTEXT_AT = "context_at"
_FIRST_REST = timedelta(minutes=1)
_LONGEST_REST = timedelta(minutes=15)
_LONGEST_TOLD = timedelta(hours=24)
_MOST_DOUBLINGS = 10
_PROBE_LEASE = LONGEST_DEADLINE + timedelta(seconds=10)
_WHILE_PROBED = timedelta(seconds=5)


class StoredModelMemory:
    """The memory that every process shares of the models on ``server``; each step is one short transaction."""

    def __init__(self, database: Database, clock: Clock, server: str) -> None:
        self._database, self._clock, self._server = database, clock, server

    def learned(self, model: str) -> Learned:
        """Return what is known of ``model``; nothing when nothing that can be read is kept. DatabaseUnavailable.

        How much it takes in all is known for a day, and no longer than until it has served after a rest.
        """
        with self._database.reading() as session:
            row = state_of(session, self._server, model)
        return Learned() if row is None else _known(row, self._clock())

    def learn(self, model: str, learned: Learned) -> None:
        """Remember each field that is not None; the others stay as they were. DatabaseUnavailable."""
        now = self._clock()
        with self._database.transaction() as session:
            row = _locked(session, self._server, model, now)
            since = now if learned.context_tokens is not None else _context_at(row)
            known = _known(row, now).model_copy(update=learned.model_dump(exclude_none=True))
            _keep(row, known, since)

    def admit(self, model: str) -> Literal["ask", "probe"]:
        """Whether ``model`` may be asked; ``probe``: this process alone asks a small question now.

        Postponed while it rests, or while another process probes. DatabaseUnavailable.
        """
        with self._database.reading() as session:
            row = state_of(session, self._server, model)
        if row is None or row.wait_until is None:
            return "ask"
        now = self._clock()
        _refuse(row, now)
        with self._database.transaction() as session:
            row = _locked(session, self._server, model, now)
            if row.wait_until is None:
                return "ask"
            _refuse(row, now)
            row.probe_until = now + _PROBE_LEASE
        return "probe"

    def served(self, model: str) -> None:
        """An answer came: failures in a row are over, the breaker is closed. DatabaseUnavailable.

        One that was under way when the server asked to be left alone says nothing about that: such a wait stays.
        """
        now = self._clock()
        with self._database.transaction() as session:
            row = _locked(session, self._server, model, now)
            row.failures, row.last_answer_at = 0, now
            if row.openings == 0 and row.wait_until is not None and row.wait_until > now:
                return
            if row.wait_until is not None:
                # A server that was away may have come back with other flags.
                _keep(row, _known(row, now).model_copy(update={"context_tokens": None}), None)
            row.openings = 0
            row.wait_until = row.wait_why = row.probe_until = row.failing_since = None

    def failed(self, model: str, why: str, wait_until: datetime | None = None) -> datetime | None:
        """The server did not serve; return until when it rests, None when it may be asked again. DatabaseUnavailable.

        It rests after five failures in a row, for a minute, twice as long after each probe that fails, a quarter of an
        hour at most; or until ``wait_until``, which it asked for itself, but no longer than a day. ``why`` is shown.
        """
        now = self._clock()
        told = None if wait_until is None else min(wait_until, now + _LONGEST_TOLD)
        with self._database.transaction() as session:
            row = _locked(session, self._server, model, now)
            row.failures += 1
            row.failing_since = row.failing_since or now
            resting = row.wait_until is not None and row.wait_until > now
            probed = row.wait_until is not None and not resting
            # Failures side by side are one: of a server that rests only a probe shows anything new.
            if probed or (row.openings == 0 and row.failures >= FAILURES_THAT_OPEN):
                row.openings += 1
                rest = min(_FIRST_REST * 2 ** min(row.openings - 1, _MOST_DOUBLINGS), _LONGEST_REST)
                _rest(row, now + rest, why)
            if told is not None and told > now:
                _rest(row, told, why)
            if not resting:
                row.probe_until = None
            return row.wait_until


def state_of(session: Session, server: str, model: str) -> ModelStateRow | None:
    """Return the row of ``model`` on ``server``; None when nothing was learned of it and it never failed."""
    names = {"server": key_text(server), "model": key_text(model)}
    return session.execute(select(ModelStateRow).filter_by(**names)).scalar_one_or_none()


def has_served(session: Session, server: str, model: str) -> bool:
    """Whether ``model`` on ``server`` ever gave an answer."""
    row = state_of(session, server, model)
    return row is not None and row.last_answer_at is not None


def _locked(session: Session, server: str, model: str, now: datetime) -> ModelStateRow:
    """The row, made when there is none, and held until the transaction ends: nobody can take it away meanwhile."""
    names = {"server": key_text(server), "model": key_text(model)}
    fresh = {"learned": "{}", "failures": 0, "openings": 0, "changed_at": now}
    insert_or_change(session, ModelStateRow, names | fresh, key=tuple(names), changes={"changed_at": now})
    return session.execute(select(ModelStateRow).filter_by(**names)).scalar_one()


def _rest(row: ModelStateRow, until: datetime, why: str) -> None:
    if row.wait_until is None or until > row.wait_until:
        row.wait_until = until
    row.wait_why = error_text(why)


def _refuse(row: ModelStateRow, now: datetime) -> None:
    """Postponed when the model rests, or somebody else is probing it."""
    until = row.wait_until
    if until is not None and until > now:
        why = f"The model {row.model} does not serve: {(row.wait_why or '').rstrip('.')}."
        raise Postponed(why, until, f"It is tried again at {until.astimezone(UTC):%Y-%m-%d %H:%M:%S} UTC.")
    if row.probe_until is not None and row.probe_until > now:
        soon = min(row.probe_until, now + _WHILE_PROBED)
        raise Postponed(f"Whether the model {row.model} serves again is being tried.", soon)


def _known(row: ModelStateRow, now: datetime) -> Learned:
    try:
        fields = _fields(row)
        # A field that another version wrote is no reason to forget the rest.
        known = Learned.model_validate({name: fields[name] for name in Learned.model_fields if name in fields})
    except ValidationError:
        return Learned()
    since = _context_at(row)
    fresh = since is not None and now - since < CONTEXT_LASTS
    return known if fresh else known.model_copy(update={"context_tokens": None})


def _keep(row: ModelStateRow, known: Learned, context_at: datetime | None) -> None:
    fields = known.model_dump(exclude_none=True)
    if context_at is not None and known.context_tokens is not None:
        fields[_CONTEXT_AT] = context_at.isoformat()
    row.learned = json.dumps(fields)


def _context_at(row: ModelStateRow) -> datetime | None:
    """When the server said how much it takes; None where nobody wrote that down."""
    try:
        since = datetime.fromisoformat(_fields(row)[_CONTEXT_AT])
    except (KeyError, TypeError, ValueError):
        return None
    return since if since.tzinfo else None


def _fields(row: ModelStateRow) -> dict[str, Any]:
    try:
        fields = json.loads(row.learned)
    except (ValueError, RecursionError):
        return {}
    return fields if isinstance(fields, dict) else {}

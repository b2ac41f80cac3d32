"""Calls of a model: each reserved and committed before it is sent, against budgets that all processes share (R-61)."""

from __future__ import annotations

from datetime import datetime, timedelta

from sqlalchemy import func, select, update
from sqlalchemy.orm import Session
from sqlmodel import col

from shared.domain.errors import Permanent, Postponed
from shared.domain.protocols import Clock, PlannedCall, SettledCall
from shared.domain.text import clean_text
from shared.redaction import redact
from shared.settings.language_model import ModelSettings
from shared.settings.prices import cost_of
from shared.store.columns import error_text, key_text
from shared.store.model_budgets import refuse_beyond_budget
from shared.store.model_states import FAILURES_THAT_OPEN, state_of
from shared.store.reading_tasks import calls_sent, held_by
from shared.store.session import Database
from shared.store.tables import ModelCallRow, ReadingRow
from shared.store.upserts import UNSYNCHRONISED, one_at_a_time

MOST_CALLS = 2
"""Requests that are ever sent for one reading, whatever becomes of them (R-61)."""

OF_A_MERGE = ("read", "repair", "batch")
"""Purposes that count for a merge; a probe and an evaluation count for the day and the week alone."""

_SOON = timedelta(seconds=5)
_KEEP_RESERVED = ("answered", "cut", "timeout")


class StoredMeter:
    """The ledger and the budgets; each step is one short transaction of its own.

    For one reading, or for none. ``attempt`` is that of the claim: whoever lost the reading can reserve nothing more.
    Without it (a batch) the reading may be in any state.
    """

    def __init__(
        self,
        database: Database,
        clock: Clock,
        settings: ModelSettings,
        server: str,
        reading_id: int | None = None,
        pull_request_id: int | None = None,
        *,
        attempt: int | None = None,
    ) -> None:
        self._database, self._clock, self._settings, self._server = database, clock, settings, server
        self._reading_id, self._pull_request_id, self._attempt = reading_id, pull_request_id, attempt

    def reserve(self, call: PlannedCall) -> int:
        """Commit the call and return its id: only then may it be sent.

        Postponed when a budget is used up, too many calls are under way, the model rests, or somebody else holds the
        reading by now; Permanent when this merge may have no more calls, or a limit in dollars meets a model without a
        price. DatabaseUnavailable.
        """
        now = self._clock()
        of_merge = call.purpose in OF_A_MERGE
        batch = call.purpose == "batch"
        tokens = call.input_tokens + call.output_tokens
        cost = cost_of(self._settings.prices, call.model, call.input_tokens, 0, call.output_tokens, batch=batch)
        with self._database.transaction() as session:
            one_at_a_time(session, "reservation of a call")
            merge = self._pull_request_id if of_merge else None
            attempt = self._of_this_reading(session, now) if of_merge and self._reading_id is not None else None
            refuse_beyond_budget(session, self._settings, merge, tokens, cost, now)
            if of_merge and not batch:
                self._refuse_too_many(session, call.model, now)
            row = ModelCallRow(
                purpose=call.purpose,
                model=key_text(call.model),
                mode=call.mode,
                reading_id=self._reading_id if of_merge else None,
                pull_request_id=merge,
                attempt=attempt,
                status="reserved",
                reserved_at=now,
                reserved_tokens=tokens,
                reserved_cost=cost,
            )
            session.add(row)
            session.flush()
            return row.id

    def settle(self, call_id: int, outcome: SettledCall) -> None:
        """Write down what became of the call, and keep its text while its attempt holds the reading.

        Settling it twice changes nothing; one that was given up as unsettled still learns what it took.
        DatabaseUnavailable.
        """
        now = self._clock()
        with self._database.transaction() as session:
            reading = session.scalar(select(col(ModelCallRow.reading_id)).where(col(ModelCallRow.id) == call_id))
            if reading is not None:
                # Locked in the order in which a claim locks them, so that neither waits for the other.
                session.execute(select(col(ReadingRow.id)).where(col(ReadingRow.id) == reading).with_for_update())
            call = session.execute(
                select(ModelCallRow).where(col(ModelCallRow.id) == call_id).with_for_update()
            ).scalar_one_or_none()
            if call is None or call.status not in ("reserved", "unsettled"):
                return
            self._fill(call, outcome, now)
            if outcome.text is not None and call.reading_id is not None:
                _keep(session, call, outcome.text)

    def _of_this_reading(self, session: Session, now: datetime) -> int | None:
        """The attempt that the reading is at; Postponed when it is not ours, Permanent when both calls are used."""
        row = session.execute(
            select(col(ReadingRow.attempt), col(ReadingRow.status), calls_sent() - col(ReadingRow.earlier_calls))
            .where(col(ReadingRow.id) == self._reading_id)
            .with_for_update()
        ).one_or_none()
        attempt, status, used = row or (None, "", 0)
        if self._attempt is not None and (attempt, status) != (self._attempt, "reading"):
            raise Postponed("Somebody else reads this merge by now.", now + _SOON)
        if used >= MOST_CALLS:
            raise Permanent(
                f"Both calls that a merge may have are used ({MOST_CALLS}).", "mergecast reanalyze asks the model anew."
            )
        return attempt

    def _refuse_too_many(self, session: Session, model: str, now: datetime) -> None:
        """Postponed when the model rests, or so many calls are under way that one more might be one too many."""
        state = state_of(session, self._server, model)
        if state is not None and state.wait_until is not None:
            raise Postponed(f"The model {model} does not serve.", max(state.wait_until, now + _SOON))
        under_way = session.scalar(
            select(func.count()).where(
                col(ModelCallRow.status) == "reserved",
                col(ModelCallRow.purpose).in_(("read", "repair")),
                col(ModelCallRow.reserved_at) > now - self._settings.deadline,
            )
        )
        most = self._settings.concurrency
        if state is not None and state.failures:
            # If all that is under way fails as well, no more than five have.
            most = min(most, FAILURES_THAT_OPEN - state.failures)
        if (under_way or 0) >= most:
            raise Postponed(f"{under_way} calls of the model are under way, and no more may be now.", now + _SOON)

    def _fill(self, call: ModelCallRow, outcome: SettledCall, now: datetime) -> None:
        call.status, call.settled_at, call.seconds = outcome.status, now, outcome.seconds
        call.input_tokens, call.cached_tokens = outcome.input_tokens, outcome.cached_tokens
        call.output_tokens = outcome.output_tokens
        call.finish_reason = None if outcome.finish_reason is None else error_text(outcome.finish_reason)
        call.error = None if outcome.error is None else error_text(outcome.error)
        told = outcome.input_tokens + outcome.output_tokens > 0
        if outcome.status == "unsettled" or (not told and outcome.status in _KEEP_RESERVED):
            call.cost = call.reserved_cost
            return
        batch = call.purpose == "batch"
        counts = (outcome.input_tokens, outcome.cached_tokens, outcome.output_tokens)
        call.cost = cost_of(self._settings.prices, call.model, *counts, batch=batch)


def _keep(session: Session, call: ModelCallRow, text: str) -> None:
    """Keep the answer where no lost worker can make it be asked for again, without secrets of a model's own (R-71)."""
    mine = held_by(call.reading_id or 0, call.attempt)
    if call.purpose == "batch":
        mine = (col(ReadingRow.id) == call.reading_id, col(ReadingRow.status) == "batched")
    session.execute(
        update(ReadingRow).where(*mine).values(answer=redact(clean_text(text)).text), execution_options=UNSYNCHRONISED
    )

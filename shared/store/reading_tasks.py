"""What a worker needs to know of one reading: the merge, the analysis by rules, earlier answers, calls used so far."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from pydantic import AwareDatetime
from sqlalchemy import ColumnElement, Select, and_, case, func, select, update
from sqlalchemy.orm import Session
from sqlmodel import col

from shared.domain.analysis import Analysis
from shared.domain.value import Value
from shared.settings.language_model import LONGEST_DEADLINE
from shared.store.columns import key_text
from shared.store.tables import AnalysisRow, ModelCallRow, PullRequestRow, ReadingRow
from shared.store.upserts import UNSYNCHRONISED


class ReadingTask(Value):
    """A reading and all that is needed to work on it.

    ``document`` is the analysis by rules as it is stored; ``answer`` is what the model said to the question with
    ``input_hash`` when it was asked before; ``created_at`` is when it was asked for; ``calls`` is how many of the two
    requests are used.
    """

    id: int
    status: str
    pull_request_id: int
    repository_id: int
    number: int
    base_fingerprint: str
    document: str
    model: str
    prompt_version: str
    importance: int
    asked_by: str
    input_hash: str | None
    answer: str | None
    batch_id: int | None
    created_at: AwareDatetime
    calls: int

    @property
    def base(self) -> Analysis:
        """The analysis by rules that the reading is added to.

        Read from its document only here: one that cannot be read must fail the work, where it counts, not the claim.
        """
        return Analysis.model_validate_json(self.document)


class ReadingClaim(ReadingTask):
    """A reading that is held: ``attempt`` fences off every earlier holder."""

    attempt: int


def task(session: Session, reading_id: int) -> ReadingTask | None:
    """Return the reading, whatever its state; None when there is none, or its analysis by rules is gone."""
    row = session.execute(_tasks().where(col(ReadingRow.id) == reading_id)).mappings().one_or_none()
    return None if row is None else ReadingTask.model_validate(dict(row))


def tasks_of_batch(session: Session, batch_id: int) -> list[ReadingTask]:
    """Return the readings that lie in the batch."""
    rows = session.execute(_tasks().where(*_inside(batch_id)).order_by(col(ReadingRow.id))).mappings()
    return [ReadingTask.model_validate(dict(row)) for row in rows]


def note_input(session: Session, task: ReadingTask, input_hash: str) -> bool:
    """Keep the hash of what the model is about to be shown; an answer to anything else is forgotten.

    Call it before the question is asked. False when somebody else holds the reading by now, or it left its batch.
    """
    mine = (*_inside(task.batch_id), col(ReadingRow.id) == task.id)
    if isinstance(task, ReadingClaim):
        mine = held_by(task.id, task.attempt)
    answer = case((col(ReadingRow.input_hash) == input_hash, col(ReadingRow.answer)), else_=None)
    noted = session.execute(
        update(ReadingRow).where(*mine).values(input_hash=input_hash, answer=answer).returning(col(ReadingRow.id)),
        execution_options=UNSYNCHRONISED,
    )
    return noted.scalar_one_or_none() is not None


def answer_to(session: Session, task: ReadingTask, input_hash: str) -> str | None:
    """Return what this model answered to the same question about the same merge before; None when it never did."""
    return session.scalar(
        select(col(ReadingRow.answer))
        .where(
            col(ReadingRow.pull_request_id) == task.pull_request_id,
            col(ReadingRow.model) == task.model,
            col(ReadingRow.prompt_version) == task.prompt_version,
            col(ReadingRow.input_hash) == input_hash,
            col(ReadingRow.status) == "done",
            col(ReadingRow.answer).is_not(None),
        )
        .order_by(col(ReadingRow.done_at).desc(), col(ReadingRow.id).desc())
        .limit(1)
    )


def in_force(session: Session, task: ReadingTask) -> bool:
    """Whether the analysis by rules still is the newest of its merge, alone or with a reading added to it.

    Ask it in the transaction that saves the reading, or old facts would come into force again.
    """
    newest = session.scalar(
        select(col(AnalysisRow.fingerprint))
        .where(col(AnalysisRow.pull_request_id) == task.pull_request_id)
        .order_by(col(AnalysisRow.examined_at).desc(), col(AnalysisRow.id).desc())
        .limit(1)
    )
    read = select(col(ReadingRow.fingerprint)).where(
        col(ReadingRow.pull_request_id) == task.pull_request_id,
        col(ReadingRow.base_fingerprint) == key_text(task.base_fingerprint),
        col(ReadingRow.status) == "done",
    )
    return newest == task.base_fingerprint or newest in session.scalars(read).all()


def held_by(reading_id: int, attempt: int | None) -> tuple[ColumnElement[bool], ...]:
    """True only while this attempt holds the reading (R-13)."""
    row = ReadingRow
    return col(row.id) == reading_id, col(row.attempt) == attempt, col(row.status) == "reading"


def unsettle(session: Session, readings: ColumnElement[bool], now: datetime, *, sent: bool = True) -> None:
    """Settle the calls of ``readings`` whose sender was lost: they may have been sent, unless ``sent`` is False."""
    of_them = select(col(ReadingRow.id)).where(readings)
    session.execute(
        update(ModelCallRow)
        .where(col(ModelCallRow.reading_id).in_(of_them), col(ModelCallRow.status) == "reserved")
        .values(status="unsettled" if sent else "unsent", settled_at=now),
        execution_options=UNSYNCHRONISED,
    )


def unsettle_lost(session: Session, now: datetime) -> None:
    """Settle the calls of no reading (probes, evaluations) that must have ended long ago: their sender was lost."""
    session.execute(
        update(ModelCallRow)
        .where(
            col(ModelCallRow.reading_id).is_(None),
            col(ModelCallRow.status) == "reserved",
            col(ModelCallRow.reserved_at) < now - 2 * LONGEST_DEADLINE,
        )
        .values(status="unsettled", settled_at=now),
        execution_options=UNSYNCHRONISED,
    )


def calls_sent() -> ColumnElement[int]:
    """How many requests were sent for a reading, ever, as a column beside those of its row."""
    sent = (col(ModelCallRow.reading_id) == col(ReadingRow.id), col(ModelCallRow.status) != "unsent")
    return select(func.count()).select_from(ModelCallRow).where(*sent).scalar_subquery()


def _inside(batch_id: int | None) -> tuple[ColumnElement[bool], ...]:
    return col(ReadingRow.batch_id) == batch_id, col(ReadingRow.status) == "batched"


def _tasks() -> Select[Any]:
    own = [getattr(ReadingRow, name) for name in ReadingTask.model_fields if hasattr(ReadingRow, name)]
    base = and_(
        col(AnalysisRow.pull_request_id) == col(ReadingRow.pull_request_id),
        col(AnalysisRow.fingerprint) == col(ReadingRow.base_fingerprint),
    )
    beside = (col(PullRequestRow.repository_id), col(PullRequestRow.number), col(AnalysisRow.document))
    calls = (calls_sent() - col(ReadingRow.earlier_calls)).label("calls")
    return (
        select(*own, *beside, calls)
        .join(PullRequestRow, col(PullRequestRow.id) == col(ReadingRow.pull_request_id))
        .join(AnalysisRow, base)
    )

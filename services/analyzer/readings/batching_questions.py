"""The questions of a batch: which of its readings are asked about, each with its call reserved."""

from __future__ import annotations

from datetime import datetime

import structlog

from services.analyzer.packing import Packed, pack
from services.analyzer.prompts.question import question_for
from services.analyzer.prompts.wording import prompt_version
from services.analyzer.readings import wishes
from services.analyzer.readings.answering import SMALLEST_DOCUMENT, document_tokens, shown_hash
from services.analyzer.readings.batching_runtime import BatchRuntime
from shared.domain.errors import Permanent, Postponed
from shared.llm import Question
from shared.store import batch_readings, pull_requests, reading_tasks
from shared.store.model_batches import BatchClaim
from shared.store.reading_tasks import ReadingTask
from shared.store.session import DatabaseUnavailable

_log = structlog.get_logger(__name__)


def key_of(call_id: int) -> str:
    """Return the name that a question has in the file of its batch."""
    return f"call-{call_id}"


def reserved_questions(runtime: BatchRuntime, claim: BatchClaim) -> dict[str, Question]:
    """Reserve a call for each reading of the batch that can be asked about, and return the questions by their keys.

    The rest leaves the batch: what needs no answer, or cannot be asked in a batch, is worked on by itself at once; what
    a budget refuses waits for another batch. DatabaseUnavailable.
    """
    with runtime.database.reading() as session:
        tasks = reading_tasks.tasks_of_batch(session, claim.id)
    questions: dict[str, Question] = {}
    alone: list[int] = []
    refused: list[int] = []
    until: datetime | None = None
    for task in sorted(tasks, key=lambda one: -one.importance):
        if until is not None:
            refused.append(task.id)
            continue
        question = _question(runtime, task)
        if question is None:
            alone.append(task.id)
            continue
        try:
            call = runtime.meter(task).reserve(runtime.server.plan(question))
        except Permanent:
            alone.append(task.id)
        except Postponed as error:
            until = error.until
            refused.append(task.id)
        else:
            questions[key_of(call)] = question
    _leave_out(runtime, claim, alone, refused, until)
    return questions


def _leave_out(
    runtime: BatchRuntime, claim: BatchClaim, alone: list[int], refused: list[int], until: datetime | None
) -> None:
    now = runtime.reader.clock()
    with runtime.database.transaction() as session:
        batch_readings.leave_out(session, claim.id, alone, now, now, for_another=False)
        batch_readings.leave_out(session, claim.id, refused, until or now, now, for_another=True)
    if alone or refused:
        _log.info("batch.left_out", alone=len(alone), refused=len(refused))


def _question(runtime: BatchRuntime, task: ReadingTask) -> Question | None:
    """The question about one merge; None when the ordinary way has to tell what becomes of its reading."""
    try:
        packed = _packed(runtime, task)
    except DatabaseUnavailable:
        raise
    except Exception as error:  # noqa: BLE001 - a fault of one merge must not fail all: it fails alone
        _log.warning("batch.not_packed", reading=task.id, exc_info=error)
        return None
    return None if packed is None else question_for(packed, task.model, runtime.model)


def _packed(runtime: BatchRuntime, task: ReadingTask) -> Packed | None:
    if task.prompt_version != prompt_version(runtime.model.language) or task.model not in runtime.model.names:
        return None
    with runtime.database.reading() as session:
        stored = pull_requests.get(session, task.repository_id, task.number)
        if stored is None or not reading_tasks.in_force(session, task):
            return None
        if not wishes.switched_on(session, runtime.reader.settings, task.repository_id):
            return None
    room = document_tokens(runtime.model, runtime.reader.memory.learned(task.model).context_tokens)
    if room < SMALLEST_DOCUMENT:
        return None
    packed = pack(stored.pull_request, task.base, room)
    shown = shown_hash(packed, runtime.model)
    with runtime.database.transaction() as session:
        noted = reading_tasks.note_input(session, task, shown)
        asked_before = reading_tasks.answer_to(session, task, shown) is not None
    return packed if noted and not asked_before else None

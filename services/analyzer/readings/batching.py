"""One batch from claim to kept answers: reserve, submit, keep its id | look | settle, fenced by the attempt number."""

from __future__ import annotations

import hashlib
import traceback
from datetime import UTC, datetime, timedelta
from typing import Literal

import structlog

from services.analyzer.kill_points import reach
from services.analyzer.lease_keeping import renewed
from services.analyzer.readings.batching_questions import key_of, reserved_questions
from services.analyzer.readings.batching_runtime import BatchNotHeld, BatchRuntime
from shared.domain.errors import InvalidInput, Permanent, Postponed, described
from shared.domain.protocols import PlannedCall
from shared.store import batch_readings, model_batches
from shared.store.batch_readings import BatchCall
from shared.store.model_batches import BatchClaim
from shared.store.outages import patiently
from shared.store.session import DatabaseUnavailable, Session
from shared.telemetry import scrubber_of

Outcome = Literal["submitted", "working", "done", "given-up", "postponed", "retry", "dead", "fenced", "not-due"]
"""What became of one run of the task; ``given-up``: its readings go on one by one; ``fenced``: somebody else has it."""

LONGEST = timedelta(hours=48)
"""After which a batch is given up; servers promise an answer within 24 hours."""
LONGEST_UNSEEN = timedelta(days=7)
"""After which it is given up though its server does not tell how far it is; answers are fetched for so long."""
FIRST_LOOK = timedelta(minutes=1)
_LONGEST_WAIT = timedelta(minutes=15)
_PART_OF_ITS_AGE = 4
"""A batch is looked at again after a quarter of the time that it has taken so far."""
_LONGEST_PAUSE = timedelta(hours=1)
"""Between two tries to begin a batch: each of them may put calls into the ledger that are then not sent."""
_WAIT_FOR_A_PERSON = timedelta(minutes=15)

_log = structlog.get_logger(__name__)


def work_on_batch(runtime: BatchRuntime, batch_id: int) -> Outcome:
    """Submit a batch, or look how far it is and keep its answers; say what became of it.

    Trigger: the sweeper. Each call is in the ledger before the batch is begun; a batch whose worker was lost is looked
    for at the server before another is begun. Readings whose answer is kept are checked by the ordinary way, which asks
    nobody; all others wait for it. Running it twice, or in two places at once, changes nothing. Only a database that
    does not serve raises.
    """
    if not runtime.model.enabled:
        return "not-due"
    claim = patiently(lambda: _claim(runtime, batch_id), runtime.reader.pause)
    if claim is None:
        return "not-due"
    every, row = runtime.reader.settings.worker.renew_every, f"batch-{claim.id}"
    with (
        structlog.contextvars.bound_contextvars(batch=claim.id, attempt=claim.attempt),
        renewed(runtime.database, runtime.reader.clock, every, row, lambda *at: _renew(runtime, claim, *at)),
    ):
        try:
            outcome = _work_on(runtime, claim)
        except DatabaseUnavailable:
            runtime.outages.add(claim)
            raise
        _log.info("batch.worked_on", outcome=outcome, model=claim.model, size=claim.size)
    return outcome


def _claim(runtime: BatchRuntime, batch_id: int) -> BatchClaim | None:
    now = runtime.reader.clock()
    runtime.outages.tell(runtime.database, lambda session, claim: model_batches.forgive(session, claim, now))
    most = len(runtime.reader.settings.worker.retry_waits) + 1
    with runtime.database.transaction() as session:
        return model_batches.claim(session, batch_id, now, runtime.lease, max_tries=most)


def _renew(runtime: BatchRuntime, claim: BatchClaim, session: Session, now: datetime) -> bool:
    return model_batches.renew(session, claim, now, runtime.lease)


def _work_on(runtime: BatchRuntime, claim: BatchClaim) -> Outcome:
    try:
        return _process(runtime, claim)
    except BatchNotHeld:
        return "fenced"
    except Permanent as error:
        return _give_up(runtime, claim, str(error))
    except (Postponed, InvalidInput, DatabaseUnavailable) as error:
        return _postpone(runtime, claim, error)
    except Exception as error:  # noqa: BLE001 - any fault of ours is tried again, then its readings go on one by one
        return _fail(runtime, claim, error)


def _process(runtime: BatchRuntime, claim: BatchClaim) -> Outcome:
    if claim.server != runtime.model.base_url:
        return _give_up(runtime, claim, "model.base_url is that of another server by now")
    if claim.external_id is None:
        return _too_late(runtime, claim) if _is_late(runtime, claim) else _submit(runtime, claim)
    return _look(runtime, claim, claim.external_id)


def _submit(runtime: BatchRuntime, claim: BatchClaim) -> Outcome:
    """Begin the batch, unless an earlier holder has: whoever was lost may have, and what it began is kept.

    A server that is away shows it in this look as well, before calls are reserved again.
    """
    if claim.attempt > 1:
        found = runtime.server.find(_name(claim), claim.created_at)
        if found is not None:
            return _keep(runtime, claim, found)
        runtime.never_sent(claim, _open_calls(runtime, claim))
    questions = reserved_questions(runtime, claim)
    if not questions:
        return _finish(runtime, claim)
    reach("batch-reserved", None)
    try:
        file_id = runtime.server.upload(questions)
    except (Postponed, Permanent):
        runtime.never_sent(claim, _open_calls(runtime, claim))
        raise
    reach("batch-sent", None)
    runtime.check_held(claim)
    try:
        begun = runtime.server.begin(file_id, _name(claim))
    except Permanent:
        runtime.never_sent(claim, _open_calls(runtime, claim))
        raise
    reach("batch-begun", None)
    return _keep(runtime, claim, begun)


def _look(runtime: BatchRuntime, claim: BatchClaim, external_id: str) -> Outcome:
    calls = {key_of(call.id): call for call in _open_calls(runtime, claim)}
    state = runtime.server.look(external_id, {key: _plan(runtime, call) for key, call in calls.items()})
    if state.status == "failed":
        runtime.never_sent(claim, list(calls.values()))
        return _give_up(runtime, claim, "The model's server did not accept the batch's questions.")
    now = runtime.reader.clock()
    if state.status == "working" and _is_late(runtime, claim):
        return _too_late(runtime, claim)
    if state.status == "working":
        wait = (now - (claim.submitted_at or now)) / _PART_OF_ITS_AGE
        until = now + min(max(wait, FIRST_LOOK), _LONGEST_WAIT)
        with runtime.database.transaction() as session:
            held = model_batches.postpone(session, claim, "The server works on it.", until, now)
        return "working" if held else "fenced"
    reach("batch-answered", None)
    for key, outcome in state.settled.items():
        runtime.meter().settle(calls[key].id, outcome)
        reach("batch-settled", None)
    return _finish(runtime, claim)


def _is_late(runtime: BatchRuntime, claim: BatchClaim) -> bool:
    """Whether nothing more is waited for; answers that are there already are fetched however late it is."""
    return runtime.reader.clock() - claim.created_at > LONGEST


def _too_late(runtime: BatchRuntime, claim: BatchClaim) -> Outcome:
    return _give_up(runtime, claim, f"no answer in {LONGEST.total_seconds() / 3600:.0f} hours")


def _open_calls(runtime: BatchRuntime, claim: BatchClaim) -> list[BatchCall]:
    with runtime.database.reading() as session:
        return batch_readings.open_calls(session, claim.id)


def _plan(runtime: BatchRuntime, call: BatchCall) -> PlannedCall:
    """The call as it was reserved."""
    output = min(runtime.model.output_tokens, call.reserved_tokens)
    return PlannedCall(
        model=call.model,
        purpose="batch",
        mode=call.mode,
        input_tokens=call.reserved_tokens - output,
        output_tokens=output,
    )


def _name(claim: BatchClaim) -> str:
    """What the batch is called at the server: the same for each holder, and for no other installation's batch."""
    made = claim.created_at.astimezone(UTC).isoformat()
    return hashlib.sha256(f"{claim.id}\n{made}\n{claim.server}\n{claim.model}".encode()).hexdigest()[:32]


def _keep(runtime: BatchRuntime, claim: BatchClaim, external_id: str) -> Outcome:
    now = runtime.reader.clock()
    with runtime.database.transaction() as session:
        held = model_batches.submitted(session, claim, external_id, now + FIRST_LOOK, now)
    return "submitted" if held else "fenced"


def _finish(runtime: BatchRuntime, claim: BatchClaim) -> Outcome:
    now = runtime.reader.clock()
    with runtime.database.transaction() as session:
        held = model_batches.finish(session, claim, now)
    return "done" if held else "fenced"


def _give_up(runtime: BatchRuntime, claim: BatchClaim, why: str) -> Outcome:
    """Whatever was reserved and is not known to be unsent may have been answered, and counts."""
    now = runtime.reader.clock()
    told = scrubber_of(runtime.reader.settings).scrub(why)
    with runtime.database.transaction() as session:
        held = model_batches.give_up(session, claim, told, now, sent=True)
    _log.warning("batch.given_up", why=told)
    return "given-up" if held else "fenced"


def _postpone(runtime: BatchRuntime, claim: BatchClaim, error: Exception) -> Outcome:
    """An outage is not counted as a try, but a batch that nobody can look at for a week is given up."""
    now = runtime.reader.clock()
    if now - claim.created_at > LONGEST_UNSEEN:
        return _give_up(runtime, claim, f"not seen in {LONGEST_UNSEEN.days} days: {described(error)}")
    until = now + (_WAIT_FOR_A_PERSON if isinstance(error, InvalidInput) else runtime.lease)
    if isinstance(error, Postponed):
        until = error.until
    if claim.external_id is None:
        until = max(until, now + min((now - claim.created_at) / _PART_OF_ITS_AGE, _LONGEST_PAUSE))
    with runtime.database.transaction() as session:
        held = model_batches.postpone(session, claim, _told(runtime, error), until, now)
    return "postponed" if held else "fenced"


def _fail(runtime: BatchRuntime, claim: BatchClaim, error: Exception) -> Outcome:
    # What the failed work held would be kept with its traceback: writing this down needs memory too (C-67).
    traceback.clear_frames(error.__traceback__)
    _log.warning("batch.failed", exc_info=error)
    now = runtime.reader.clock()
    waits = runtime.reader.settings.worker.retry_waits
    with runtime.database.transaction() as session:
        return model_batches.fail(session, claim, _told(runtime, error), now, waits, runtime.reader.jitter())


def _told(runtime: BatchRuntime, error: Exception) -> str:
    """The text that is kept and shown, without secrets."""
    return scrubber_of(runtime.reader.settings).scrub(described(error))

"""One reading from claim to stored analysis: load | ask, check | save, fenced by the attempt number."""

from __future__ import annotations

import hashlib
import traceback
from datetime import datetime, timedelta
from typing import Literal

import structlog

from services.analyzer.checking import checked
from services.analyzer.combine import joined
from services.analyzer.kill_points import reach
from services.analyzer.lease_keeping import renewed
from services.analyzer.prompts.wording import prompt_version
from services.analyzer.readings import wishes
from services.analyzer.readings.answering import Answered, NoAnswer, NotHeld, answer_about
from services.analyzer.readings.batching_gather import batched_models
from services.analyzer.readings.runtime import ReadingRuntime
from shared.broker.task_names import TaskName
from shared.domain.analysis import Analysis
from shared.domain.errors import InvalidInput, Permanent, Postponed, described
from shared.domain.pull_request import PullRequest
from shared.domain.reading import CallUsage
from shared.store import analyses, model_usage, pull_requests, reading_tasks, readings, rules_analyses
from shared.store.model_calls import MOST_CALLS
from shared.store.model_states import state_of
from shared.store.outages import patiently
from shared.store.reading_tasks import ReadingClaim
from shared.store.readings import AskedBy
from shared.store.session import DatabaseUnavailable, Session
from shared.telemetry import scrubber_of

Outcome = Literal["done", "rules", "superseded", "retry", "dead", "postponed", "fenced", "not-due"]
"""What became of one run of the task; ``rules``: no reading will come; ``fenced``: somebody else holds the row."""

ENDED: frozenset[Outcome] = frozenset({"done", "rules", "superseded"})

_WAIT_FOR_A_PERSON = timedelta(minutes=15)
_LONGEST_WAIT = timedelta(days=7)
"""For a model that somebody named once: a name with a slip in it would be tried every quarter of an hour for ever."""

_log = structlog.get_logger(__name__)


class _MovedOn(Exception):
    """The analysis by rules that was read is not in force any more; raised to roll the transaction back (R-08)."""


def read_merge(runtime: ReadingRuntime, reading_id: int) -> Outcome:
    """Let the model read one merge and say what became of it.

    Trigger: the doorbell or the sweeper. Reads the stored merge and its analysis by rules; asks the model with at most
    two requests in the life of the reading; writes the second analysis, or why there is none. Running it twice, or in
    two places at once, changes nothing. Nothing that a model answers raises; only a database that does not serve does.
    """
    if not runtime.settings.model.enabled:
        return "not-due"
    claim = patiently(lambda: _claim(runtime, reading_id), runtime.pause)
    if claim is None:
        return "not-due"
    worker, row = runtime.settings.worker, f"reading-{claim.id}"
    with (
        structlog.contextvars.bound_contextvars(reading=claim.id, attempt=claim.attempt),
        renewed(runtime.database, runtime.clock, worker.renew_every, row, lambda *at: _renew(runtime, claim, *at)),
    ):
        try:
            outcome = _work_on(runtime, claim)
        except DatabaseUnavailable:
            runtime.outages.add(claim)
            raise
        _log.info("reading.worked_on", outcome=outcome, model=claim.model, number=claim.number)
    if outcome in ENDED:
        _ring_for_next(runtime)
    return outcome


def fingerprint_of(base_fingerprint: str, prompt_version: str, model: str, language: str) -> str:
    """Return the hash of what an analysis with a reading depends on."""
    text = f"{base_fingerprint}\n{prompt_version}\n{model}\n{language}"
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _claim(runtime: ReadingRuntime, reading_id: int) -> ReadingClaim | None:
    """Committed before anything else happens, so that a try that kills its worker is counted (R-20)."""
    worker = runtime.settings.worker
    now = runtime.clock()
    runtime.outages.tell(runtime.database, lambda session, claim: readings.forgive(session, claim, now))
    with runtime.database.transaction() as session:
        return readings.claim(session, reading_id, now, worker.lease, max_tries=len(worker.retry_waits) + 1)


def _renew(runtime: ReadingRuntime, claim: ReadingClaim, session: Session, now: datetime) -> bool:
    return readings.renew(session, claim, now, runtime.settings.worker.lease)


def _work_on(runtime: ReadingRuntime, claim: ReadingClaim) -> Outcome:
    try:
        return _process(runtime, claim)
    except NotHeld:
        return "fenced"
    except _MovedOn:
        return _supersede(runtime, claim)
    except (Postponed, InvalidInput, DatabaseUnavailable) as error:
        return _postpone(runtime, claim, error)
    except Permanent as error:
        return _leave_to_rules(runtime, claim, str(error))
    except Exception as error:  # noqa: BLE001 - any fault of ours is tried again, then dead and visible
        return _fail(runtime, claim, error)


def _process(runtime: ReadingRuntime, claim: ReadingClaim) -> Outcome:
    pull_request = _load(runtime, claim)
    if _is_outdated(runtime, claim):
        return _ask_anew(runtime, claim)
    said = answer_about(runtime, claim, pull_request)
    reach("after-answer", claim.number)
    if isinstance(said, NoAnswer):
        return _leave_to_rules(runtime, claim, said.why)
    with runtime.database.reading() as session:
        usage = model_usage.usage_of(session, claim.id)
    _save(runtime, claim, _analysis(runtime, claim, pull_request, said, usage))
    return "done"


def _load(runtime: ReadingRuntime, claim: ReadingClaim) -> PullRequest:
    with runtime.database.reading() as session:
        stored = pull_requests.get(session, claim.repository_id, claim.number)
        if stored is None or not reading_tasks.in_force(session, claim):
            raise _MovedOn
        if not wishes.switched_on(session, runtime.settings, claim.repository_id):
            raise Permanent(wishes.SWITCHED_OFF)
        return stored.pull_request


def _analysis(
    runtime: ReadingRuntime, claim: ReadingClaim, pull_request: PullRequest, said: Answered, usage: CallUsage
) -> Analysis:
    language, base = runtime.settings.model.language, claim.base
    reading = checked(
        said.answer,
        pull_request,
        base,
        model=claim.model,
        seen=said.seen,
        usage=usage,
        mode=said.mode,
        repaired=said.repaired,
        language=language,
    )
    return joined(base, reading, fingerprint_of(base.fingerprint, claim.prompt_version, claim.model, language))


def _save(runtime: ReadingRuntime, claim: ReadingClaim, analysis: Analysis) -> None:
    """The analysis and the end of the reading in one transaction, or nothing of it."""
    now = runtime.clock()
    with runtime.database.transaction() as session:
        since = rules_analyses.examined_at(session, claim.pull_request_id, claim.base_fingerprint)
        if not readings.finish(session, claim, "done", now, fingerprint=analysis.fingerprint):
            raise NotHeld
        if since is None or not reading_tasks.in_force(session, claim):
            raise _MovedOn
        analyses.save(session, claim.pull_request_id, analysis, since)


def _leave_to_rules(runtime: ReadingRuntime, claim: ReadingClaim, why: str) -> Outcome:
    """The analysis by rules stays in force, and says why."""
    now = runtime.clock()
    told = scrubber_of(runtime.settings).scrub(why)
    try:
        with runtime.database.transaction() as session:
            rules_analyses.tell_why(session, claim.pull_request_id, claim.base_fingerprint, told)
            if not readings.finish(session, claim, "rules", now, why=told):
                raise NotHeld
    except NotHeld:
        return "fenced"
    return "rules"


def _supersede(runtime: ReadingRuntime, claim: ReadingClaim) -> Outcome:
    now = runtime.clock()
    with runtime.database.transaction() as session:
        held = readings.supersede(session, claim, now)
    return "superseded" if held else "fenced"


def _is_outdated(runtime: ReadingRuntime, claim: ReadingClaim) -> bool:
    """Whether another model, or another prompt, is in use by now; whoever names a model to reanalyze means that one."""
    other_model = claim.model not in runtime.settings.model.names and claim.asked_by != "reanalyze"
    return other_model or claim.prompt_version != prompt_version(runtime.settings.model.language)


def _ask_anew(runtime: ReadingRuntime, claim: ReadingClaim) -> Outcome:
    """Put a reading by the model and prompt of today in the place of one that waited longer than they lasted."""
    now = runtime.clock()
    base = claim.base
    with runtime.database.transaction() as session:
        if not readings.supersede(session, claim, now):
            return "fenced"
        on = wishes.switched_on(session, runtime.settings, claim.repository_id)
        wished = wishes.wish(runtime.settings, base, switched_on=on)
        if wished.model and claim.asked_by == "reanalyze":
            wished = wished._replace(model=claim.model)
        wishes.ask(session, claim.pull_request_id, base, wished, _asked_by(claim), now, carried_on=True)
    return "superseded"


def _asked_by(claim: ReadingClaim) -> AskedBy:
    return "reanalyze" if claim.asked_by == "reanalyze" else "backfill" if claim.asked_by == "backfill" else "capture"


def _postpone(
    runtime: ReadingRuntime, claim: ReadingClaim, error: Postponed | InvalidInput | DatabaseUnavailable
) -> Outcome:
    """An outage, a limit or a budget is not counted as a try; once both calls are used there is nothing to wait for."""
    now = runtime.clock()
    until = now + runtime.settings.worker.lease
    if isinstance(error, Postponed):
        until = error.until
        if _calls(runtime, claim) >= MOST_CALLS:
            why = f"Both calls that a merge may have are used. {error}"
            return _leave_to_rules(runtime, claim, why)
        if _waits_in_vain(runtime, claim, now):
            return _leave_to_rules(runtime, claim, f"{claim.model} did not serve for days. {error}")
    elif isinstance(error, InvalidInput):
        until = now + _WAIT_FOR_A_PERSON
    with runtime.database.transaction() as session:
        held = readings.postpone(session, claim, _told(runtime, error), until, now)
    return "postponed" if held else "fenced"


def _waits_in_vain(runtime: ReadingRuntime, claim: ReadingClaim, now: datetime) -> bool:
    """Whether a model that a person named, and no setting does, has not served for so long that it never may."""
    model = runtime.settings.model
    if claim.asked_by != "reanalyze" or claim.model in model.names or now - claim.created_at < _LONGEST_WAIT:
        return False
    with runtime.database.reading() as session:
        state = state_of(session, model.base_url, claim.model)
    return state is not None and state.wait_until is not None


def _calls(runtime: ReadingRuntime, claim: ReadingClaim) -> int:
    with runtime.database.reading() as session:
        task = reading_tasks.task(session, claim.id)
    return 0 if task is None else task.calls


def _fail(runtime: ReadingRuntime, claim: ReadingClaim, error: Exception) -> Outcome:
    # What the failed work held would be kept with its traceback: writing this down needs memory too (C-67).
    traceback.clear_frames(error.__traceback__)
    _log.warning("reading.failed", exc_info=error)
    now = runtime.clock()
    waits = runtime.settings.worker.retry_waits
    with runtime.database.transaction() as session:
        return readings.fail(session, claim, _told(runtime, error), now, waits, runtime.jitter())


def _told(runtime: ReadingRuntime, error: Exception) -> str:
    """The text that is kept and shown, without secrets."""
    return scrubber_of(runtime.settings).scrub(described(error))


def _ring_for_next(runtime: ReadingRuntime) -> None:
    """The weightiest that waits, so that readings follow each other without a sweep between them."""
    try:
        now = runtime.clock()
        with runtime.database.reading() as session:
            due = readings.due(session, now, 1, for_batches=batched_models(session, runtime.settings.model, now))
    except DatabaseUnavailable as error:
        _log.warning("reading.next_unknown", error=str(error))
        return
    for reading_id in due:
        runtime.ring(TaskName.READ_MERGE, reading_id)

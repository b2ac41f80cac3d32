"""What ``doctor`` says of the language model: whether it serves, how fast, what is spent, what waits to be read."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from services.cli.checks import Finding
from services.cli.deliveries import age
from shared.domain.errors import MergecastError, Postponed
from shared.settings import ModelSettings, Settings

if TYPE_CHECKING:
    from shared.domain.protocols import Learned
    from shared.llm.probing import Probed
    from shared.store.model_standing import ModelStanding, Serving
    from shared.store.session import Database

NAME = "language model"
LONGEST_ANSWER = timedelta(seconds=20)
"""For the small question, however long a merge may take."""
OVERDUE = timedelta(days=1)
"""A reading that has waited longer is worth a warning."""
_SLOW = 0.75
"""Of the deadline: slower answers will not all come in time."""
_MOST_LATE = 0.1
"""Of the answers of a day."""
_OF_THE_SETTINGS = "the model is switched off for this repository"
_FASTER = "Raise model.deadline (230 seconds at most), lower model.output_tokens, or take a faster model."
_MODES = {
    "json_schema": "answers by a JSON schema",
    "json_object": "answers in JSON without a schema, which does no harm: each answer is checked",
    "text": "answers in words alone, which does no harm: each answer is checked",
}


def language_model(settings: Settings, database: Database | None) -> Iterator[Finding]:
    """Yield the findings about the model; one small question to each, which tells of no merge and is counted.

    Without a database nothing is asked: a call is counted before it is sent.
    """
    model = settings.model
    if not model.enabled:
        yield Finding(NAME, "good", "none is set: merges are read by rules alone")
        return
    if database is None:
        told = f"{' and '.join(model.names)} at {model.base_url}, not asked: calls are counted in the database"
        yield Finding(NAME, "good", told, "Run `mergecast migrate`, or start the service once, and then doctor again.")
        return
    try:
        yield from _asked(model, database)
    except MergecastError as error:
        yield Finding(NAME, "wrong", error.message, error.way_out)


def _asked(model: ModelSettings, database: Database) -> Iterator[Finding]:
    from shared.store.model_standing import standing

    present = database.now()
    with database.reading() as session:
        known = standing(session, model, model.base_url, present)
    for serving in known.serving:
        yield from _breaker(serving, present)
        yield from _tried(model, serving.model, database)
        yield from _paced(model, serving.model, database, present)
    yield from _prices(model)
    yield from _budgets(model, known)
    yield from _readings(known, present)


def _tried(model: ModelSettings, name: str, database: Database) -> Iterator[Finding]:
    """Whether it answers now."""
    from shared.llm import try_model
    from shared.store.model_calls import StoredMeter
    from shared.store.model_states import StoredModelMemory

    clock = database.now
    memory = StoredModelMemory(database, clock, model.base_url)
    brief = model.model_copy(update={"deadline": min(model.deadline, LONGEST_ANSWER)})
    try:
        probed = try_model(brief, name, memory, StoredMeter(database, clock, brief, brief.base_url), clock)
    except Postponed as error:
        yield Finding(NAME, "warning", f"{name} was not asked: {error.message}", error.way_out)
        return
    yield _probed(model, name, probed, memory.learned(name))


def _probed(model: ModelSettings, name: str, probed: Probed, learned: Learned) -> Finding:
    whole = f"{name} at {model.base_url}"
    if probed.late:
        told = f"{whole} gave no answer to a small question in {probed.seconds:.0f} s"
        in_time = model.deadline > LONGEST_ANSWER
        more = f"; a merge may take {model.deadline.total_seconds():.0f} s" if in_time else ""
        return Finding(NAME, "warning" if in_time else "wrong", told + more, _FASTER)
    if probed.fault:
        return Finding(NAME, "wrong", f"{whole}: {probed.fault}", probed.way_out)
    mode = learned.mode if model.mode == "auto" else model.mode
    how = _MODES[mode] if mode else "how it takes a schema is learned with the first merge"
    return Finding(NAME, "good", f"{whole} answered a small question in {probed.seconds:.1f} s; {how}")


def _breaker(serving: Serving, present: datetime) -> Iterator[Finding]:
    if serving.wait_until is None:
        return
    since = f" since {_time(serving.failing_since)}" if serving.failing_since else ""
    told = f"{serving.model} does not serve{since}: {serving.why or 'it is not known why'}"
    again = f"at {_time(serving.wait_until)}" if serving.wait_until > present else "with the next reading"
    mend = f"It is tried again {again}; merges wait, and none is lost."
    yield Finding(NAME, "warning", told, mend)


def _paced(model: ModelSettings, name: str, database: Database, present: datetime) -> Iterator[Finding]:
    """Whether answers of the last day came in time."""
    from shared.store.model_pace import pace

    with database.reading() as session:
        known = pace(session, name, present - timedelta(days=1))
    allowed = model.deadline.total_seconds()
    if known.late > known.calls * _MOST_LATE:
        told = f"{known.late} of {known.calls} answers of {name} were not there within {allowed:.0f} s (last day)"
        yield Finding("model.deadline", "warning", told, _FASTER)
    elif known.seconds is not None and known.seconds > allowed * _SLOW:
        told = f"an answer of {name} takes {known.seconds:.0f} s of the {allowed:.0f} s that it may take (last day)"
        yield Finding("model.deadline", "warning", told, _FASTER)


def _prices(model: ModelSettings) -> Iterator[Finding]:
    local = model.internal or urlsplit(model.base_url).scheme == "http"
    unpriced = [name for name in model.names if name not in model.prices]
    if unpriced and not local:
        told = f"none is set for {' and '.join(unpriced)}: costs are not told, and only tokens are limited"
        yield Finding("model.prices", "good", told, f'Set [model.prices."{unpriced[0]}"] to be told what it costs.')


def _budgets(model: ModelSettings, known: ModelStanding) -> Iterator[Finding]:
    told = []
    for budget in known.budgets:
        name, used = f"model.{budget.setting}", f"{budget.used:,.10g} of {budget.limit:,.10g}"
        in_tokens = budget.setting.endswith("tokens")
        if budget.left <= (model.output_tokens if in_tokens else 0):
            mend = f"Readings go on by themselves at {_time(budget.until)}; raise {name} to go on now."
            yield Finding(name, "warning", f"used up: {used}", mend)
        else:
            told.append(f"{budget.setting} {used}")
    if told:
        yield Finding("model budgets", "good", ", ".join(told))


def _readings(known: ModelStanding, present: datetime) -> Iterator[Finding]:
    """What waits, and what came to nothing."""
    if known.waiting:
        since = f", the longest for {age(present - known.waiting_since)}" if known.waiting_since else ""
        batched = f", {known.readings['batched']} of them in batches" if known.readings["batched"] else ""
        late = known.waiting_since is not None and present - known.waiting_since > OVERDUE
        mend = "See that readings are worked on: a worker of the queue reading, and beat." if late else ""
        yield Finding("readings", "warning" if late else "good", f"{known.waiting} waiting{since}{batched}", mend)
    anew = "Once that is mended: `mergecast reanalyze OWNER/NAME --unread` asks anew."
    for why, count in known.ended_by_rules.items():
        if why != _OF_THE_SETTINGS:
            yield Finding("left to rules", "warning", f"{count} × {why} (merges of the last 7 days)", anew)
    if dead := known.readings["dead"]:
        mend = f"The log says why (`reading.failed`). {anew}"
        yield Finding("readings", "warning", f"{dead} given up after a fault of this program", mend)


def _time(at: datetime) -> str:
    return f"{at:%Y-%m-%d %H:%M} UTC"

"""A small question that tells of no merge and only shows whether a model serves."""

from __future__ import annotations

from dataclasses import dataclass, replace

from shared.domain.protocols import Clock, Meter, ModelMemory, PlannedCall
from shared.llm.answers import Unreachable
from shared.llm.calls import Call, make_call
from shared.llm.forms import Form, form_of, input_tokens_of, probe_body
from shared.llm.learning import Lessons
from shared.llm.outages import trouble
from shared.llm.refusals import Refusal
from shared.llm.replies import Reply
from shared.llm.wire import Wire
from shared.settings.language_model import ModelSettings

PROBE_TOKENS = 64
"""Enough for models that think before they say a word."""


@dataclass(frozen=True)
class Probed:
    """What came of it for a person who asked: without a ``fault`` the model serves.

    ``late``: no answer came within the deadline.
    """

    seconds: float
    fault: str = ""
    way_out: str = ""
    late: bool = False


def ask_something_small(
    settings: ModelSettings, model: str, wire: Wire, memory: ModelMemory, meter: Meter
) -> tuple[Call, Form]:
    """Make one call that tells of no merge; return it and how it was put. What the meter raises passes."""
    form = replace(form_of(settings, memory.learned(model)), mode="text")
    body = probe_body(model, form, settings, PROBE_TOKENS)
    plan = PlannedCall(
        model=model,
        purpose="probe",
        mode="text",
        input_tokens=input_tokens_of(body),
        output_tokens=PROBE_TOKENS,
    )
    return make_call(wire, meter, plan, body), form


def probe(settings: ModelSettings, model: str, wire: Wire, memory: ModelMemory, meter: Meter, clock: Clock) -> Probed:
    """Ask ``model`` once, counted by ``meter``; see ``try_model``."""
    call, form = ask_something_small(settings, model, wire, memory, meter)
    outcome = call.outcome
    if isinstance(outcome, Reply):
        return Probed(call.seconds)
    if isinstance(outcome, Refusal) and Lessons(settings, memory).can_be_put_otherwise(model, form, outcome):
        return Probed(call.seconds)
    why, way_out, _ = trouble(outcome, settings, clock())
    return Probed(call.seconds, why, way_out, late=isinstance(outcome, Unreachable) and outcome.late)

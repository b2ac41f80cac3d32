"""One call of a model: reserved before it is sent, sent once, settled with whatever came of it (R-61)."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from shared.domain.protocols import Meter, PlannedCall, SettledCall
from shared.llm.answers import RawAnswer, Unreachable
from shared.llm.connections import AddressRefused
from shared.llm.questions import TOO_LONG
from shared.llm.refusals import Refusal
from shared.llm.replies import Reply, Usage, is_completion, read_reply
from shared.llm.tokens import estimated_tokens
from shared.llm.wire import Wire


@dataclass(frozen=True)
class Call:
    """A call that was made: what came of it, and what it took."""

    plan: PlannedCall
    outcome: Reply | Refusal | Unreachable | AddressRefused
    seconds: float = 0.0

    @cached_property
    def settled(self) -> SettledCall:
        """As it is written down."""
        return _settled(self.plan, self.outcome, self.seconds)

    @property
    def sent(self) -> bool:
        """Whether the server may have got it."""
        return self.settled.status != "unsent"


def make_call(wire: Wire, meter: Meter, plan: PlannedCall, body: Mapping[str, Any]) -> Call:
    """Reserve the call, send it once, settle it and return it.

    Postponed or Permanent when the meter does not let it be sent; nothing that a server does raises.
    """
    reserved = meter.reserve(plan)
    started = time.monotonic()
    try:
        outcome = _outcome(wire, body)
    except BaseException as error:
        meter.settle(reserved, _lost(plan, time.monotonic() - started, type(error).__name__))
        raise
    call = Call(plan, outcome, time.monotonic() - started)
    meter.settle(reserved, call.settled)
    return call


def _outcome(wire: Wire, body: Mapping[str, Any]) -> Reply | Refusal | Unreachable | AddressRefused:
    try:
        raw = wire.send(body)
    except (Unreachable, AddressRefused) as error:
        return error
    if raw.status == 200 and is_completion(raw.fields):
        return read_reply(raw.fields or {})
    if _is_cut(raw):
        return Unreachable("the answer is no whole JSON", sent=True, begun=True)
    refusal = Refusal(raw)
    if refusal.filtered:
        return Reply("", fault="the server's filter took the question", final=True, usage=Usage(0, 0, 0))
    if refusal.cut:
        return Reply("", fault="the limit of output was used up before a word was written", cut=True, final=True)
    return refusal


def _is_cut(raw: RawAnswer) -> bool:
    return raw.status == 200 and raw.fields is None and raw.text.lstrip().startswith("{")


def _settled(plan: PlannedCall, outcome: Reply | Refusal | Unreachable | AddressRefused, seconds: float) -> SettledCall:
    if isinstance(outcome, Reply):
        used = outcome.usage or Usage(plan.input_tokens, 0, estimated_tokens(outcome.text))
        return SettledCall(
            status="cut" if outcome.cut else "answered",
            input_tokens=used.input_tokens,
            cached_tokens=used.cached_tokens,
            output_tokens=used.output_tokens,
            seconds=seconds,
            finish_reason=outcome.finish_reason,
            error=outcome.fault,
            text=outcome.text,
        )
    if isinstance(outcome, Refusal):
        why = TOO_LONG if outcome.too_long else f"status {outcome.status}"
        return SettledCall(status="refused", seconds=seconds, error=why)
    if isinstance(outcome, AddressRefused) or not outcome.sent:
        return SettledCall(status="unsent", seconds=seconds, error=str(outcome))
    # The server may have worked on it to the end, and count it.
    return SettledCall(
        status="timeout" if outcome.late else "cut" if outcome.begun else "refused",
        input_tokens=plan.input_tokens,
        output_tokens=plan.output_tokens,
        seconds=seconds,
        error=str(outcome),
    )


def _lost(plan: PlannedCall, seconds: float, kind: str) -> SettledCall:
    return SettledCall(
        status="unsettled",
        input_tokens=plan.input_tokens,
        output_tokens=plan.output_tokens,
        seconds=seconds,
        error=f"the call was broken off ({kind})",
    )

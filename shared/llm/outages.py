"""Tells the memory that a model's server does not serve, and until when a merge waits for it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from shared.domain.errors import Postponed
from shared.domain.protocols import ModelMemory
from shared.llm.answers import Unreachable
from shared.llm.calls import Call
from shared.llm.refusals import WAIT_FOR_A_PERSON, Refusal, explained
from shared.settings.language_model import ModelSettings

_A_LITTLE = timedelta(minutes=1)
_SOON = timedelta(seconds=5)
_BY_ITSELF = "It is asked again by itself."


class NotServed(Postponed):
    """The server did not serve this call; it is asked again at ``until``."""

    def __init__(self, message: str, until: datetime, way_out: str, call: Call) -> None:
        super().__init__(message, until, way_out)
        self.call = call


def not_served(call: Call, settings: ModelSettings, memory: ModelMemory, now: datetime) -> NotServed:
    """Note the failure in ``memory`` and return the error that says why, until when, and what helps."""
    why, way_out, wait = trouble(call.outcome, settings, now)
    until = memory.failed(call.plan.model, why, wait) or wait or now + _A_LITTLE
    return NotServed(f"{why}; it goes on at {until.astimezone(UTC):%Y-%m-%d %H:%M:%S} UTC.", until, way_out, call)


def not_taken_twice(now: datetime) -> Postponed:
    """Return the error of a question that was refused in two forms; a third request would be one too many."""
    return Postponed(
        "The model's server did not take the request in two forms; what it takes was learned.", now + _SOON, _BY_ITSELF
    )


def trouble(outcome: object, settings: ModelSettings, now: datetime) -> tuple[str, str, datetime | None]:
    """Return what is wrong, the way out, and until when to wait where that is known."""
    if isinstance(outcome, Refusal):
        return *explained(outcome, settings.api_key.get_secret_value()), outcome.wait_until(now)
    if isinstance(outcome, Unreachable):
        way_out = _BY_ITSELF if outcome.sent else f"{_BY_ITSELF} Look at model.base_url if it stays away."
        return f"The model's server gave no answer: {outcome}", way_out, None
    return (
        "The name of the model's server leads to an address that may not be asked",
        "Set model.internal = true if it is in your own network, or correct model.base_url.",
        now + WAIT_FOR_A_PERSON,
    )

"""Gets the model's answer about one merge: one that was kept, one to the same question, or by asking."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Literal

from pydantic import BaseModel

from services.analyzer.packing import Packed, pack
from services.analyzer.prompts.answer import MergeAnswer
from services.analyzer.prompts.question import fixed_tokens, question_for
from services.analyzer.prompts.wording import system_text
from services.analyzer.readings.runtime import ReadingRuntime
from shared.domain.errors import Postponed
from shared.domain.pull_request import PullRequest
from shared.domain.reading import Seen
from shared.llm import TOO_LONG, TooLong, read_answer
from shared.settings import ModelSettings
from shared.store import model_usage, reading_tasks
from shared.store.model_calls import MOST_CALLS
from shared.store.model_usage import CallView
from shared.store.reading_tasks import ReadingClaim

Mode = Literal["json_schema", "json_object", "text"]

SMALLEST_DOCUMENT = 100
"""Tokens; in less a merge cannot be shown."""
_UNTIL_IT_TAKES_MORE = timedelta(hours=1)
_PACKINGS = 3
"""More than there are requests: a length that is known already is refused without one."""


class NotHeld(Exception):
    """Somebody else holds the reading by now (R-13)."""


@dataclass(frozen=True)
class Answered:
    """What the model said of a merge, and what it was shown."""

    answer: MergeAnswer
    seen: Seen
    mode: Mode = "json_schema"
    repaired: bool = False


@dataclass(frozen=True)
class NoAnswer:
    """Why no usable answer came, in a few words."""

    why: str


def answer_about(runtime: ReadingRuntime, claim: ReadingClaim, pull_request: PullRequest) -> Answered | NoAnswer:
    """Return what the model says of the merge, asking it only when nothing that it said before can be used.

    Postponed when it does not serve now or a budget is used up, Permanent when this merge may have no more calls,
    NotHeld.
    """
    context = runtime.memory.learned(claim.model).context_tokens
    room = document_tokens(runtime.settings.model, context)
    if room < SMALLEST_DOCUMENT:
        raise _no_room(runtime, context)
    packed = pack(pull_request, claim.base, room)
    kept = _kept(runtime, claim, pull_request, packed)
    if kept is not None:
        return kept
    if claim.calls >= MOST_CALLS:
        return NoAnswer("both calls that a merge may have are used, and none brought a usable answer")
    return _asked(runtime, claim, pull_request, packed)


def document_tokens(settings: ModelSettings, context_tokens: int | None) -> int:
    """Return how many tokens a packed merge may take, where the model takes ``context_tokens`` in all, if known."""
    whole = settings.input_tokens
    if context_tokens is not None:
        whole = min(whole, context_tokens - settings.output_tokens)
    return whole - fixed_tokens(settings.language)


def _asked(
    runtime: ReadingRuntime, claim: ReadingClaim, pull_request: PullRequest, packed: Packed
) -> Answered | NoAnswer:
    """Ask, and once more with a smaller document when the first is too long."""
    settings = runtime.settings.model
    packed = _not_too_long_again(runtime, claim, pull_request, packed)
    for _ in range(_PACKINGS):
        earlier = _noted(runtime, claim, packed)
        if earlier is not None:
            return earlier
        try:
            question = replace(question_for(packed, claim.model, settings), again=_was_not_served(runtime, claim))
            said = runtime.model.ask(question, runtime.meter(claim))
        except TooLong as error:
            room = _smaller(packed, settings, error.context_tokens)
            if room < SMALLEST_DOCUMENT:
                raise _no_room(runtime, error.context_tokens) from None
            packed = pack(pull_request, claim.base, room)
            continue
        if isinstance(said.answer, MergeAnswer):
            return Answered(said.answer, _seen(packed, settings), said.mode, said.repaired)
        return NoAnswer(said.fault or "no usable answer came")
    return NoAnswer("the merge is too long for the model, however small it is packed")


def _no_room(runtime: ReadingRuntime, context_tokens: int | None) -> Postponed:
    """The error of a model that takes too little to be shown any merge, until somebody gives it more."""
    settings = runtime.settings.model
    takes = "an unknown number of tokens" if context_tokens is None else f"{context_tokens} tokens"
    return Postponed(
        f"The model's server takes {takes} in all, too few to show it a merge with model.input_tokens ="
        f" {settings.input_tokens} and model.output_tokens = {settings.output_tokens}.",
        runtime.clock() + _UNTIL_IT_TAKES_MORE,
        "Start it with a larger context, or lower model.output_tokens; it is asked again by itself.",
    )


def _was_not_served(runtime: ReadingRuntime, claim: ReadingClaim) -> bool:
    """Whether the model's server failed at the last call for this merge: its other call is not for finding that out."""
    last = _last_call(runtime, claim)
    return last is not None and last.status in ("refused", "timeout") and last.error != TOO_LONG


def _not_too_long_again(
    runtime: ReadingRuntime, claim: ReadingClaim, pull_request: PullRequest, packed: Packed
) -> Packed:
    """The smaller document where this very one was refused for its length before: one call is left for it."""
    settings = runtime.settings.model
    last = _last_call(runtime, claim)
    if last is None or last.error != TOO_LONG:
        return packed
    halved = _halved(claim, pull_request, packed, settings)
    refused = claim.input_hash in (shown_hash(packed, settings), shown_hash(halved, settings))
    return halved if refused and halved.tokens >= SMALLEST_DOCUMENT else packed


def _last_call(runtime: ReadingRuntime, claim: ReadingClaim) -> CallView | None:
    """The last request about this merge that was sent for this reading."""
    if not claim.calls:
        return None
    with runtime.database.reading() as session:
        told = [call for call in model_usage.calls_of(session, claim.id) if call.purpose in ("read", "repair")]
    sent = [call for call in told if call.status != "unsent"]
    return sent[-1] if sent else None


def _kept(runtime: ReadingRuntime, claim: ReadingClaim, pull_request: PullRequest, packed: Packed) -> Answered | None:
    """The answer that an earlier holder of this reading got and did not live to check."""
    if claim.answer is None:
        return None
    settings = runtime.settings.model
    halved = _halved(claim, pull_request, packed, settings)
    asked = next((one for one in (packed, halved) if shown_hash(one, settings) == claim.input_hash), None)
    answer = None if asked is None else read_answer(claim.answer, MergeAnswer)
    if asked is None or not isinstance(answer, MergeAnswer):
        return None
    with runtime.database.reading() as session:
        told = [call for call in model_usage.calls_of(session, claim.id) if call.status in ("answered", "cut")]
    if not told or told[-1].status == "cut":
        # An answer that was cut is none, even where it reads like one.
        return None
    return Answered(answer, _seen(asked, settings), _mode(told[-1].mode), told[-1].purpose == "repair")


def _noted(runtime: ReadingRuntime, claim: ReadingClaim, packed: Packed) -> Answered | None:
    """Note what the model is about to be shown; what it answered to the very same before is used again."""
    settings = runtime.settings.model
    shown = shown_hash(packed, settings)
    with runtime.database.transaction() as session:
        if not reading_tasks.note_input(session, claim, shown):
            raise NotHeld
        earlier = reading_tasks.answer_to(session, claim, shown)
    answer: BaseModel | str = "none" if earlier is None else read_answer(earlier, MergeAnswer)
    return Answered(answer, _seen(packed, settings)) if isinstance(answer, MergeAnswer) else None


def _halved(claim: ReadingClaim, pull_request: PullRequest, packed: Packed, settings: ModelSettings) -> Packed:
    """The merge as it is shown after ``packed`` was too long, where the server does not say how long it may be."""
    return pack(pull_request, claim.base, _smaller(packed, settings, None))


def _smaller(packed: Packed, settings: ModelSettings, context_tokens: int | None) -> int:
    """The room for a document that was too long: by what the server says it takes, or half of it."""
    told = document_tokens(settings, context_tokens) if context_tokens is not None else packed.tokens
    return told if told < packed.tokens else packed.tokens // 2


def _seen(packed: Packed, settings: ModelSettings) -> Seen:
    return packed.seen.model_copy(update={"estimated_tokens": packed.tokens + fixed_tokens(settings.language)})


def shown_hash(packed: Packed, settings: ModelSettings) -> str:
    """Return the hash of all that the model is shown; its name and the version of the prompt stand in the row."""
    text = f"{system_text(settings.language)}\n{packed.document}"
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _mode(name: str) -> Mode:
    return "json_object" if name == "json_object" else "text" if name == "text" else "json_schema"

"""Questions that are answered within a day for half the price, over the server's Batch API."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any, Literal

from shared.domain.errors import Permanent, Postponed
from shared.domain.protocols import Clock, ModelMemory, PlannedCall, SettledCall
from shared.llm.answers import RawAnswer, Unreachable
from shared.llm.batch_lines import LineOutcome, is_of_the_form, outcomes_of, settled_line
from shared.llm.connections import AddressRefused
from shared.llm.forms import body_of, form_of, input_tokens_of
from shared.llm.learning import Lessons
from shared.llm.outages import trouble
from shared.llm.questions import Question
from shared.llm.refusals import Refusal
from shared.llm.wire import Wire
from shared.settings.language_model import ModelSettings

_LATER = timedelta(minutes=5)
_NAME = "mergecast_batch"
_PAGE = 100
_MOST_PAGES = 20
_CLOCKS_DIFFER = timedelta(hours=1)
"""At most, that of the server and ours."""
_ANY_TIME = datetime.max.replace(tzinfo=UTC)
_ENDED = frozenset({"completed", "expired", "cancelled"})
"""An expired or cancelled batch keeps what was answered before (OpenAI's guide "Batch API")."""


@dataclass(frozen=True)
class BatchState:
    """How far a batch is; when it is ``done``, what became of each question that the server has something to say of."""

    status: Literal["working", "done", "failed"]
    settled: Mapping[str, SettledCall] = field(default_factory=dict)
    """By the key of the question; one that is missing was not answered and not counted."""


class ModelBatches:
    """The Batch API of one server; may be shared by threads and survives a fork."""

    def __init__(self, settings: ModelSettings, wire: Wire, memory: ModelMemory, clock: Clock) -> None:
        self._settings, self._wire, self._memory, self._clock = settings, wire, memory, clock

    def plan(self, question: Question) -> PlannedCall:
        """Return the call of one question as it has to be reserved before the batch is submitted."""
        form = form_of(self._settings, self._memory.learned(question.model))
        return PlannedCall(
            model=question.model,
            purpose="batch",
            mode=form.mode,
            input_tokens=input_tokens_of(self._body(question), question.estimated_tokens),
            output_tokens=question.output_tokens,
        )

    def upload(self, questions: Mapping[str, Question]) -> str:
        """Send the questions by their keys and return the server's id of their file; none is worked on yet.

        Postponed when the server does not serve now, Permanent when it has no Batch API or does not take this batch.
        """
        lines = b"".join(
            json.dumps(
                {"custom_id": key, "method": "POST", "url": "/v1/chat/completions", "body": self._body(question)}
            ).encode()
            + b"\n"
            for key, question in questions.items()
        )
        return self._text_of(self._asked(partial(self._wire.upload, lines)), "id")

    def begin(self, file_id: str, name: str) -> str:
        """Have the questions of a file answered and return the server's id of the batch, which is then ``find``-able.

        Permanent as ``upload``: nothing was begun. Postponed: it may have been begun, so look for its ``name`` before
        another is.
        """
        return self._text_of(self._asked(partial(self._wire.begin_batch, file_id, {_NAME: name})), "id")

    def find(self, name: str, since: datetime) -> str | None:
        """Return the server's id of the batch that was begun as ``name`` at ``since`` or later; None: there is none.

        Postponed as ``upload``, Permanent when the server does not tell all its batches, or not whose they are.
        """
        after = None
        for _ in range(_MOST_PAGES):
            page = self._asked(partial(self._wire.list_batches, after, _PAGE)).fields or {}
            listed = _listed(page)
            for one in listed:
                if _names(one).get(_NAME) == name:
                    return str(one["id"])
            if any(not _names(one) and _begun(one) >= since - _CLOCKS_DIFFER for one in listed):
                break
            if not page.get("has_more") or _is_before(listed, since - _CLOCKS_DIFFER):
                return None
            after = str(listed[-1]["id"])
        raise Permanent(
            "The model's server does not tell whether a batch was begun.", "Its questions can be asked one by one."
        )

    def look(self, batch_id: str, plans: Mapping[str, PlannedCall]) -> BatchState:
        """Return how far the batch is; ``plans`` are the calls that were reserved for it, by the same keys.

        Postponed and Permanent as ``upload``.
        """
        batch = self._asked(partial(self._wire.look_at_batch, batch_id)).fields or {}
        if batch.get("status") == "failed":
            return BatchState("failed")
        if batch.get("status") not in _ENDED:
            return BatchState("working")
        outcomes: dict[str, LineOutcome] = {}
        for name in ("error_file_id", "output_file_id"):
            file_id = batch.get(name)
            if isinstance(file_id, str) and file_id:
                outcomes |= outcomes_of(self._asked(partial(self._wire.download, file_id)), plans)
        self._learn(plans, outcomes)
        return BatchState("done", {key: settled_line(plans[key], outcome) for key, outcome in outcomes.items()})

    def _learn(self, plans: Mapping[str, PlannedCall], outcomes: Mapping[str, LineOutcome]) -> None:
        """Remember once what refused lines teach, unless the model is asked in another form by now."""
        lessons = Lessons(self._settings, self._memory)
        refused = {
            (plans[key].model, plans[key].mode, one.matter, one.context_tokens): one
            for key, one in outcomes.items()
            if isinstance(one, Refusal) and is_of_the_form(one)
        }
        forms = {model: form_of(self._settings, self._memory.learned(model)) for model, *_ in refused}
        for (model, mode, _, _), refusal in refused.items():
            form = forms[model]
            if refusal.too_long:
                lessons.context(model, refusal.context_tokens)
            elif form.mode == mode and lessons.can_be_put_otherwise(model, form, refusal):
                lessons.other_form(model, form, refusal)

    def _body(self, question: Question) -> dict[str, Any]:
        form = form_of(self._settings, self._memory.learned(question.model))
        body = body_of(question, form, self._settings)
        return {name: value for name, value in body.items() if name != "stream"}

    def _asked(self, ask: Callable[[], RawAnswer]) -> RawAnswer:
        try:
            raw = ask()
        except (Unreachable, AddressRefused) as error:
            raise self._postponed(error) from None
        if raw.status == 200:
            return raw
        refusal = Refusal(raw)
        if raw.status in {400, 404, 405, 501} and not refusal.out_of_money:
            raise Permanent(
                f"The model's server does not take this batch (status {raw.status}).",
                "Its questions can be asked one by one; model.batch = false does so for all.",
            )
        raise self._postponed(refusal)

    def _text_of(self, raw: RawAnswer, name: str) -> str:
        value = (raw.fields or {}).get(name)
        if isinstance(value, str) and value:
            return value
        raise self._postponed(Refusal(raw))

    def _postponed(self, outcome: Unreachable | AddressRefused | Refusal) -> Postponed:
        now = self._clock()
        why, way_out, wait = trouble(outcome, self._settings, now)
        return Postponed(f"{why}.", wait or now + _LATER, way_out)


def _listed(page: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The batches of a page; Permanent when it is no such page."""
    listed = page.get("data")
    if isinstance(listed, list) and all(isinstance(one, dict) and isinstance(one.get("id"), str) for one in listed):
        return listed
    raise Permanent("The model's server does not list its batches.", "Its questions can be asked one by one.")


def _names(batch: Mapping[str, Any]) -> Mapping[str, Any]:
    names = batch.get("metadata")
    return names if isinstance(names, dict) else {}


def _begun(batch: Mapping[str, Any]) -> datetime:
    """When it was begun; one that does not say might have been at any time."""
    seconds = batch.get("created_at")
    try:
        return datetime.fromtimestamp(float(seconds), UTC) if isinstance(seconds, int | float) else _ANY_TIME
    except (ValueError, OverflowError, OSError):
        return _ANY_TIME


def _is_before(listed: list[Mapping[str, Any]], since: datetime) -> bool:
    """Whether the page ends before ``since`` and the pages after it do too: the newest come first."""
    times = [_begun(one) for one in listed]
    return not times or (times == sorted(times, reverse=True) and times[-1] < since)

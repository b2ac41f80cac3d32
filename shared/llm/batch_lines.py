"""Reads the files in which a Batch API tells what became of each question."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from shared.domain.protocols import PlannedCall, SettledCall
from shared.domain.text import clean_tree
from shared.llm.answers import RawAnswer
from shared.llm.calls import Call
from shared.llm.refusals import Refusal
from shared.llm.replies import Reply, is_completion, read_reply

_OF_THE_FORM = frozenset({400, 404, 405, 413, 415, 422})
"""No model has worked on a question that was refused so, and none is paid for."""

LineOutcome = Reply | Refusal | None
"""None: the line holds nothing that can be read."""


def outcomes_of(raw: RawAnswer, plans: Mapping[str, PlannedCall]) -> dict[str, LineOutcome]:
    """Return what became of each of the planned calls that the file tells of, by their keys."""
    return {key: _outcome(line) for key, line in _lines(raw) if key in plans}


def is_of_the_form(refusal: Refusal) -> bool:
    """Whether the question was refused for how it was put, before any model had worked on it."""
    return refusal.raw.status in _OF_THE_FORM and not (refusal.filtered or refusal.cut or refusal.out_of_money)


def settled_line(plan: PlannedCall, outcome: LineOutcome) -> SettledCall:
    """Return how the call is written down: one whose form was refused was not sent, and uses up nothing of a merge."""
    if isinstance(outcome, Reply):
        return Call(plan, outcome).settled
    if outcome is not None and is_of_the_form(outcome):
        return SettledCall(status="unsent", error=f"the batch did not take it (status {outcome.status})")
    return SettledCall(status="refused", error="the batch brought no answer")


def _outcome(line: Mapping[str, Any]) -> LineOutcome:
    response = line.get("response")
    if not isinstance(response, dict):
        return None
    status, body = response.get("status_code"), response.get("body")
    if status == 200:
        return read_reply(body) if isinstance(body, dict) and is_completion(body) else None
    if not isinstance(status, int) or not 400 <= status < 600:
        return None
    try:
        return Refusal(RawAnswer(status, {}, json.dumps(body).encode()))
    except RecursionError:
        return Refusal(RawAnswer(status, {}, b""))


def _lines(raw: RawAnswer) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """The lines of a file that can be read, by their keys; texts may hold other breaks than that of lines."""
    for line in raw.text.split("\n"):
        try:
            value = clean_tree(json.loads(line))
        except (ValueError, RecursionError):
            continue
        if isinstance(value, dict) and isinstance(value.get("custom_id"), str):
            yield value["custom_id"], value

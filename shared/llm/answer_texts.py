"""Finds the answer in a model's text: behind its thinking, in a fence, as the last JSON object that fits (R-60)."""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NoReturn, TypeVar

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

_THINKING = "think|thinking|thought|reasoning"
_OPENED = re.compile(rf"<(?:{_THINKING})>", re.IGNORECASE)
_CLOSED = re.compile(rf"</(?:{_THINKING})>", re.IGNORECASE)
_FENCE = re.compile(r"^[ \t]*+```[\w-]*+[ \t]*+$", re.MULTILINE)
_MARKS = re.compile(r'\\.|[{}"]', re.DOTALL)
_TRAILING_COMMA = re.compile(r'("(?:[^"\\]++|\\.)*+")|,(?=\s*+[}\]])', re.DOTALL)
_PLAIN_NAME = re.compile(r"[A-Za-z_]\w{0,40}")
_SHAPE = frozenset({"missing", "extra_forbidden"})
_LONGEST = 200_000
"""Characters from the end that are looked at: no answer that may be asked for is half as long."""
_MOST_TRIED = 40
_MOST_PARTS = 100
_MOST_NAMED = 4

Answer = TypeVar("Answer", bound=BaseModel)


@dataclass(frozen=True)
class Unread:
    """Why a text holds no answer: ``fault`` in a few words, none of them the model's.

    ``shapeless``: it does not look as if the schema had been in force at all.
    """

    fault: str
    shapeless: bool = False


def read_answer(text: str, answer_class: type[Answer]) -> Answer | str:
    """Return the answer that ``text`` holds, or in a few words why it holds none.

    Where several objects fit the last one counts: what comes before is a draft. A thinking block is no answer, even
    where it holds one. Takes time in proportion to the text, whatever it is.
    """
    found = look_for_answer(text, answer_class)
    return found.fault if isinstance(found, Unread) else found


def look_for_answer(text: str, answer_class: type[Answer]) -> Answer | Unread:
    """As ``read_answer``, with more about why there is none."""
    reason: Unread | None = None
    for candidate in _candidates(text[-_LONGEST:]):
        found = _validated(candidate, answer_class)
        if isinstance(found, BaseModel):
            return found
        reason = reason or found
    return reason or Unread("there is no JSON object in it", shapeless=True)


def _candidates(text: str) -> Iterator[str]:
    yield text
    said = _after_thinking(text)
    yield from _last_objects(said)
    # A brace or a quote of the prose around a fence may hide the object in it.
    parts = _FENCE.split(said)
    if len(parts) > 1:
        for part in reversed(parts[-_MOST_PARTS:]):
            yield from _last_objects(part)


def _after_thinking(text: str) -> str:
    """What follows the last thinking block; where one is never closed, what stands before it."""
    objects = _objects(text)
    ends = [mark for mark in _CLOSED.finditer(text) if not _is_within(objects, mark.start())]
    if ends:
        return text[ends[-1].end() :]
    opened, brace = _OPENED.search(text), text.find("{")
    return text[: opened.start()] if opened and (brace < 0 or opened.start() < brace) else text


def _is_within(objects: list[tuple[int, int]], at: int) -> bool:
    """Whether a place is inside an object: there a tag is a word of the answer."""
    before = bisect_right(objects, (at, at)) - 1
    return before >= 0 and objects[before][0] < at < objects[before][1]


def _last_objects(text: str) -> list[str]:
    return [text[start:end] for start, end in reversed(_objects(text)[-_MOST_TRIED:])]


def _objects(text: str) -> list[tuple[int, int]]:
    """Where balanced braces stand that are in no others, found in one pass; a brace that is never closed is passed."""
    spans: list[tuple[int, int]] = []
    starts: list[int] = []
    quoted = False
    for mark in _MARKS.finditer(text):
        kind = text[mark.start()]
        if kind == '"':
            quoted = bool(starts) and not quoted
        elif quoted or kind == "\\":
            continue
        elif kind == "{":
            starts.append(mark.start())
        elif starts:
            start = starts.pop()
            while spans and spans[-1][0] > start:
                spans.pop()
            spans.append((start, mark.end()))
    return spans


def _validated(text: str, answer_class: type[Answer]) -> Answer | Unread | None:
    """The answer, why the object is none, or None where there is no object."""
    value = _decoded(text)
    if not isinstance(value, dict):
        return None
    try:
        return answer_class.model_validate(value)
    except ValidationError as error:
        problems = error.errors(include_url=False, include_context=False, include_input=False)
        return Unread(_named(problems), shapeless=any(problem["type"] in _SHAPE for problem in problems))
    except RecursionError:
        return Unread("it is nested too deeply", shapeless=True)


def _decoded(text: str) -> Any:
    for tried in (text, None):
        try:
            # Not strict: small models write line breaks into their texts as they are.
            return json.loads(
                _TRAILING_COMMA.sub(_without_comma, text) if tried is None else tried,
                strict=False,
                parse_constant=_no_number,
            )
        except (ValueError, RecursionError):
            continue
    return None


def _without_comma(found: re.Match[str]) -> str:
    return found[1] or ""


def _no_number(_name: str) -> NoReturn:
    raise ValueError("no number of JSON")


def _named(problems: list[ErrorDetails]) -> str:
    """The first problems by place and kind; the names of keys that the model made up are not repeated."""
    named = [f"{_place(problem)}: {problem['type'].replace('_', ' ')}" for problem in problems[:_MOST_NAMED]]
    more = len(problems) - len(named)
    return "; ".join(named) + (f"; and {more} more" if more else "")


def _place(problem: ErrorDetails) -> str:
    place = problem["loc"][:-1] if problem["type"] == "extra_forbidden" else problem["loc"]
    plain = [str(step) for step in place if isinstance(step, int) or _PLAIN_NAME.fullmatch(step)]
    return ".".join(plain) or "the object"

"""Blackens the secrets in all texts of a value, such as a merge or a digest."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from enum import Enum
from typing import Any, TypeVar

from pydantic import BaseModel

from shared.domain.protocols import SourceTexts
from shared.domain.pull_request import PullRequest
from shared.redaction.blackening import redact

_M = TypeVar("_M", bound=BaseModel)


def redact_pull_request(pull_request: PullRequest) -> PullRequest:
    """Return the merge without secrets in its title, description, commits, review, paths and patches."""
    return redact_value(pull_request)


def redact_value(value: _M) -> _M:
    """Return ``value`` without secrets in any of its texts; the same object when there are none.

    All texts are searched at once, and only when something was found one by one.
    """
    if not redact("\n".join(_texts(value))).found:
        return value
    return _walked(value)


def redact_document(document: str) -> str:
    """Return a JSON document without secrets in any of its texts; as it was written when there are none.

    Escapes are looked behind: an escaped sign that nobody sees can split a secret.
    ``ValueError`` when it is searched through and is no JSON.
    """
    if "\\u" not in document and not redact(document).found:
        return document
    told = json.loads(document)
    made = _part(told)
    return document if made is told else json.dumps(made, ensure_ascii=False)


def redact_texts(texts: SourceTexts | None) -> SourceTexts | None:
    """Return the whole texts of changed files without secrets, under the same paths."""
    if texts is None:
        return None
    return {path: (_side(before), _side(after)) for path, (before, after) in texts.items()}


def _side(text: str | None) -> str | None:
    return None if text is None else redact(text).text


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        if not isinstance(value, Enum):
            yield value
    elif isinstance(value, BaseModel):
        for _, part in value:
            yield from _texts(part)
    elif isinstance(value, dict):
        for key, part in value.items():
            yield from _texts(key)
            yield from _texts(part)
    elif isinstance(value, (tuple, list, frozenset)):
        for part in value:
            yield from _texts(part)


def _walked(value: _M) -> _M:
    changed: dict[str, Any] = {}
    for name, part in value:
        made = _part(part)
        if made is not part:
            changed[name] = _fitting(value, name, made)
    return value.model_copy(update=changed) if changed else value


def _part(part: Any) -> Any:
    """The part itself when nothing was found in it, so that what has no secrets stays the same object."""
    if isinstance(part, str):
        return part if isinstance(part, Enum) or not (made := redact(part)).found else made.text
    if isinstance(part, BaseModel):
        return _walked(part)
    if isinstance(part, dict):
        return _same(part, {_part(key): _part(one) for key, one in part.items()}, _in_dict)
    if isinstance(part, (tuple, list, frozenset)):
        return _same(part, type(part)(_part(one) for one in part), _in_list)
    return part


def _same(part: Any, made: Any, in_order: Callable[[Any], list[Any]]) -> Any:
    before, after = in_order(part), in_order(made)
    unchanged = len(before) == len(after) and all(one is other for one, other in zip(before, after, strict=True))
    return part if unchanged else made


def _in_dict(part: dict[Any, Any]) -> list[Any]:
    return [*part.keys(), *part.values()]


def _in_list(part: Any) -> list[Any]:
    return list(part)


def _fitting(value: BaseModel, name: str, made: Any) -> Any:
    """A mark may be longer than its secret; a text with a longest length stays within it, for it is read again."""
    told = (getattr(one, "max_length", None) for one in type(value).model_fields[name].metadata)
    limits = [limit for limit in told if limit is not None]
    return made[: min(limits)] if limits and isinstance(made, str) else made

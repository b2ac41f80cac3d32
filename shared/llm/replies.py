"""What a completion says, whatever shape its server gave it: text, why it ended, what it took (C-59)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

_ABSURD = 10_000_000
"""No call takes so many tokens: a count that is larger is none."""
_PARTS = ("text", "output_text")


@dataclass(frozen=True)
class Usage:
    """Tokens as the server counted them."""

    input_tokens: int
    cached_tokens: int
    output_tokens: int


@dataclass(frozen=True)
class Reply:
    """What was said; ``fault`` says why it can be no whole answer, and ``final`` that asking again will not help."""

    text: str
    finish_reason: str | None = None
    fault: str | None = None
    final: bool = False
    cut: bool = False
    usage: Usage | None = None


def is_completion(fields: Mapping[str, Any] | None) -> bool:
    """Whether the body of an answer is a completion, an empty one too, and not an error or something else."""
    return fields is not None and "choices" in fields and (bool(fields["choices"]) or not fields.get("error"))


def read_reply(fields: Mapping[str, Any]) -> Reply:
    """Read the fields of a completion; every shape has an outcome, none raises."""
    usage = _usage(fields.get("usage"))
    choices = fields.get("choices")
    choice = choices[0] if isinstance(choices, list) and choices else None
    if not isinstance(choice, dict):
        return Reply("", fault="the server gave no choice", usage=usage)
    reason = choice.get("finish_reason")
    finish = reason[:40] if isinstance(reason, str) else None
    message = choice.get("message")
    if not isinstance(message, dict):
        return Reply("", finish, fault="the server gave no message", usage=usage)
    content, refusal = _content(message)
    return Reply(
        content or refusal,
        finish,
        _fault(finish, content, refusal, message),
        final=finish == "content_filter" or bool(refusal),
        cut=finish == "length",
        usage=usage,
    )


def _fault(finish: str | None, content: str, refusal: str, message: Mapping[str, Any]) -> str | None:
    """Why the text is no whole answer, or None; one that was cut is none even where it can be read."""
    if finish == "content_filter":
        return "the server's filter took the answer"
    if refusal:
        return "the model refused"
    if finish == "length":
        return "the answer was cut at the limit of its length"
    return None if content.strip() else _why_empty(message)


def _why_empty(message: Mapping[str, Any]) -> str:
    if message.get("tool_calls"):
        return "the model called a tool instead of answering"
    if message.get("reasoning_content") or message.get("reasoning"):
        return "the model thought and did not answer"
    return "the answer is empty"


def _content(message: Mapping[str, Any]) -> tuple[str, str]:
    """The text and the refusal of a message, which may come in parts."""
    content, refusal = message.get("content"), message.get("refusal")
    parts = [part for part in content if isinstance(part, dict)] if isinstance(content, list) else []
    texts = [part["text"] for part in parts if part.get("type") in _PARTS and isinstance(part.get("text"), str)]
    refusals = [part["refusal"] for part in parts if isinstance(part.get("refusal"), str)]
    return (
        content if isinstance(content, str) else "".join(texts),
        refusal if isinstance(refusal, str) else "".join(refusals),
    )


def _usage(usage: Any) -> Usage | None:
    """The counts where they are believable; None else."""
    if not isinstance(usage, dict):
        return None
    details = usage.get("prompt_tokens_details")
    cached = _count(details.get("cached_tokens")) if isinstance(details, dict) else None
    taken, written = _count(usage.get("prompt_tokens")), _count(usage.get("completion_tokens"))
    if taken is None or written is None:
        return None
    return Usage(taken, min(cached or 0, taken), written)


def _count(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < _ABSURD else None

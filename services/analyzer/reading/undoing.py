"""Tells reverts from re-lands, and what each names: numbers, commits, the quoted title."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from services.analyzer.reading.reading import Reading
from services.analyzer.reading.references import REFERENCE, SHA, local_numbers
from shared.domain.text import fold

_REVERT = re.compile(
    r"(?:partial(?:ly)?\s+)?(?:revert(?:s|ed|ing)?|roll(?:s|ed|ing)? ?back|back(?:s|ed)? out)\b[:\s]*", re.IGNORECASE
)
_RELAND = re.compile(
    r"(?:re-?land(?:s|ed|ing)?|re-?appl(?:y|ies|ied|ying)|re-?introduce[sd]?|redo)\b[:\s]*", re.IGNORECASE
)
_QUOTED = re.compile(r"[\"“”'`](?P<inner>.+)[\"“”'`]")
_SQUASHED = re.compile(r"\((#\d{1,9})\)\W{0,6}$")
_BODY_REVERT = re.compile(
    rf"\s*(?:this\s+(?:pr\s+|pull request\s+|commit\s+|change\s+)?)?(?P<partial>partially\s+)?revert(?:s|ed)?\s+"
    rf"(?:commit\s+|pr\s+|pull request\s+)?(?:{REFERENCE}|{SHA})",
    re.IGNORECASE,
)
_COMMIT = re.compile(rf"\brevert(?:s|ed)?\s+commit\s+({SHA})|\bcommit\s+({SHA})", re.IGNORECASE)
_BODY_LINE = re.compile(r"\b(?:revert|re-?land|re-?appl|roll(?:s|ed)? ?back)\w*\b", re.IGNORECASE)


class UndoKind(StrEnum):
    """Undone, or done again."""

    REVERT = "revert"
    RELAND = "reland"


@dataclass(frozen=True, slots=True)
class Undoing:
    """What a revert or re-land says of itself."""

    kind: UndoKind
    quote: str
    numbers: tuple[int, ...]
    commits: tuple[str, ...]
    inner_title: str | None


def read_undoing(reading: Reading) -> Undoing | None:
    """Return what is undone or done again, or None when the pull request does neither.

    Only the title, or a description that begins with it, can say so: ``this was reverted in #3`` tells of another.
    """
    kind, inner, quote = _kind_of_title(reading)
    body = reading.prose.text
    if kind is None:
        if not _BODY_REVERT.match(body):
            return None
        kind, quote = UndoKind.REVERT, body.split("\n", 1)[0][:160]
    lines = "\n".join(line for line in body.split("\n") if _BODY_LINE.search(line))
    repository, own = reading.pull_request.repository, reading.pull_request.number
    text = f"{_references_of_title(reading.title.raw, inner)}\n{lines}"
    numbers = tuple(number for number in local_numbers(text, repository) if number != own)
    messages = f"{lines}\n{reading.commit_messages}"
    commits = tuple(dict.fromkeys(found[1] or found[2] for found in _COMMIT.finditer(messages)))
    return Undoing(kind, quote, numbers, commits[:10], inner)


def _kind_of_title(reading: Reading) -> tuple[UndoKind | None, str | None, str]:
    title = reading.title
    marks = {fold(mark) for mark in (*title.brackets, title.scope or "")}
    words = title.words
    reverts = 0
    while found := _REVERT.match(words.lstrip(" \"“'`")):
        reverts += 1
        words = words.lstrip(" \"“'`")[found.end() :]
        if reverts > 6:
            break
    if title.prefix in {"revert", "reverts"} or "revert" in marks:
        reverts = max(reverts, 1)
    quoted = _QUOTED.search(title.words)
    inner = words.strip(" \"“”'`") if reverts and quoted else quoted["inner"] if quoted else None
    if _RELAND.match(title.words) or marks & {"reland", "re-land", "reapply", "re-apply"}:
        return UndoKind.RELAND, inner, title.raw[:160]
    if reverts:
        return (UndoKind.REVERT if reverts % 2 else UndoKind.RELAND), inner, title.raw[:160]
    return None, None, ""


def _references_of_title(raw: str, inner: str | None) -> str:
    """Numbers in a quoted title belong to that title, but the squash number at its end names what is undone."""
    if inner is None:
        return raw
    squashed = _SQUASHED.search(inner)
    outside = _QUOTED.sub(" ", raw)
    return f"{outside} {squashed[1] if squashed else ''}"

"""Finds private keys in PEM: whole, cut at either end by a hunk, as lines of a patch, or as one escaped line."""

from __future__ import annotations

import re
from collections.abc import Iterator

from shared.redaction.spans import Span

KIND = "private-key"
_ANCHOR = "PRIVATE KEY"
_BEGIN = re.compile(r"-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----")
_END = re.compile(r"-----END [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----")
_ON_ONE_LINE = re.compile(r"(?:[A-Za-z0-9+/=]|\\+[nr]|[ \t\"',+])*+")
_BODY = re.compile(r"[+\- ]?[ \t]*(?:#|//|\*)?[ \t]*[\"'`]?[A-Za-z0-9+/=]*(?:\\+[nr])*[\"'`]?[ \t,;+\\]*\r?")
_HEADER = re.compile(r"[+\- ]?[ \t]*[\"'`]?[A-Z][A-Za-z-]{1,30}: [ -~]{0,200}\r?")
_KEY_TEXT = re.compile(r"[A-Za-z0-9+/]{16}")
_INDENT = re.compile(r"[+\- ]?[ \t]*")
_MOST_LINES = 500
"""Lines of one key: a 16,384 bit RSA key has 200."""
_LONGEST_LINE = 20_000
"""Characters of a line that is looked at: a key on one line has 13,000."""

_Lines = list[tuple[int, int]]


def private_keys(text: str) -> Iterator[Span]:
    """Yield the lines of each private key; a header without any key below it is none."""
    if _ANCHOR not in text:
        return
    covered = 0
    for begin in _BEGIN.finditer(text):
        if begin.start() < covered:
            continue
        lines = _from(text, begin)
        if lines:
            covered = lines[-1][1]
            yield from _spans(text, lines)
    covered = 0
    for end in _END.finditer(text):
        yield from _spans(text, _up_to(text, end, covered))
        covered = end.end()


def _from(text: str, begin: re.Match[str]) -> _Lines:
    """The lines of the key that begins here, as far as they go; none when no key follows."""
    line_end = _line_end(text, begin.end())
    # A key ends before the next one begins: looking further would take ever longer on a line of beginnings.
    next_begin = text.find("-----BEGIN", begin.end(), line_end)
    end = _END.search(text, begin.end(), line_end if next_begin < 0 else next_begin)
    rest = _ON_ONE_LINE.match(text, begin.end(), line_end)
    assert rest is not None
    if end is not None or _KEY_TEXT.search(rest[0]):
        stop = rest.end() if end is None else end.end()
        return [(begin.start(), stop)] if _KEY_TEXT.search(text, begin.end(), stop) else []
    lines: _Lines = [(begin.start(), line_end)]
    seen = False
    while text.startswith("\n", line_end) and len(lines) < _MOST_LINES:
        start, line_end = line_end + 1, _line_end(text, line_end + 1)
        if (end := _END.search(text, start, line_end)) is not None:
            lines.append((start, end.end()))
            break
        if _BODY.fullmatch(text, start, line_end):
            seen = seen or _KEY_TEXT.search(text, start, line_end) is not None
        elif not _HEADER.fullmatch(text, start, line_end):
            break
        lines.append((start, line_end))
    return lines if seen else []


def _up_to(text: str, end: re.Match[str], covered: int) -> _Lines:
    """The lines of a key whose beginning is cut off, the last one first."""
    start = text.rfind("\n", covered, end.start()) + 1
    lines: _Lines = []
    while start > covered and len(lines) < _MOST_LINES:
        line_end, start = start - 1, max(covered, text.rfind("\n", covered, start - 1) + 1)
        if not (_BODY.fullmatch(text, start, line_end) and _KEY_TEXT.search(text, start, line_end)):
            if lines or not _BODY.fullmatch(text, start, line_end):
                break
            continue
        lines.append((start, line_end))
    return [*reversed(lines), (end.start(), end.end())] if lines else []


def _spans(text: str, lines: _Lines) -> Iterator[Span]:
    goes_on = False
    for start, end in lines:
        indent = _INDENT.match(text, start, end)
        begin = start if text.startswith(("-----BEGIN", "-----END"), start) or indent is None else indent.end()
        stop = end - 1 if text[end - 1 : end] == "\r" else end
        if begin < stop:
            yield Span(begin, stop, KIND, goes_on)
            goes_on = True


def _line_end(text: str, position: int) -> int:
    limit = min(len(text), position + _LONGEST_LINE)
    end = text.find("\n", position, limit)
    return limit if end < 0 else end

"""Reads calls and literals out of statements: what is called, with which arguments, on which line."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from itertools import accumulate

from services.analyzer.facts.sides import Line, Side
from services.analyzer.facts.statements import Statement

LONGEST_VALUE = 120
MOST_LINKS = 8
"""Lines of a chain above and below."""
_LINKS = (".", "?.", "??", "||")
MOST_ARGUMENTS = 40
_LONGEST_CALL = 4_000
"""Characters from the opening bracket; whatever goes on for longer is a table."""
_MARK = re.compile(r"[()\[\]{},;]")
_NAMED = re.compile(r"\s{0,80}(?P<name>[A-Za-z_]\w{0,60})\s{0,4}=(?![=>])")
_FIELD = re.compile(r"\s{0,80}[\"']?(?P<name>[A-Za-z_]\w{0,60})[\"']?\s{0,4}[:=](?![:=])")
_STRING = re.compile(r"""\s{0,80}&?[rRbBuUfFL]{0,2}(?P<mark>"{3}|'{3}|["'`])(?P<text>[^"'`]{0,200})(?P=mark)\s{0,80}""")
_CLOSING = {")": "(", "]": "[", "}": "{"}


@dataclass(frozen=True, slots=True)
class Argument:
    """One argument: its name where it is named, its text with blanks folded, and where it begins and ends."""

    name: str | None
    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Joined:
    """The lines of a statement in one text, ``bare`` as long as ``code``, so that a place is one place in both."""

    code: str
    bare: str
    lines: tuple[Line, ...]
    starts: tuple[int, ...]

    def line_at(self, place: int) -> Line:
        """The line that holds a place of the text."""
        return self.lines[max(0, bisect_right(self.starts, place) - 1)]

    def line_of(self, start: int, end: int) -> Line:
        """The line to quote for a part: its first changed line, else its first one."""
        first = max(0, bisect_right(self.starts, start) - 1)
        last = max(first, bisect_right(self.starts, max(start, end - 1)) - 1)
        return next((line for line in self.lines[first : last + 1] if line.changed), self.lines[first])


def joined(lines: tuple[Line, ...]) -> Joined:
    """Return the lines joined by one blank each."""
    starts = (0, *accumulate(len(line.code) + 1 for line in lines[:-1]))
    return Joined(" ".join(line.code for line in lines), " ".join(line.bare for line in lines), lines, starts)


def chained(side: Side, statement: Statement) -> Joined:
    """Return a statement joined with the lines around it that carry on its chain of calls (``.unwrap_or(1)``)."""
    fragment = side.fragment_of(statement.number)
    if fragment is None:
        return joined(statement.lines)
    begin = statement.number - fragment.first
    end = begin + len(statement.lines)
    for _ in range(MOST_LINKS):
        if begin == 0 or not fragment.lines[begin].bare.lstrip().startswith(_LINKS):
            break
        begin -= 1
    for _ in range(MOST_LINKS):
        if end >= len(fragment.lines) or not fragment.lines[end].bare.lstrip().startswith(_LINKS):
            break
        end += 1
    return joined(tuple(fragment.lines[begin:end]))


def arguments(text: Joined, opening: int) -> tuple[tuple[Argument, ...], int]:
    """Return the arguments behind the bracket at ``opening``, and where its closing bracket stands.

    Where the call is not closed within what is known, the last argument goes as far as it is known.
    """
    found: list[Argument] = []
    naming = _FIELD if text.bare[opening : opening + 1] == "{" else _NAMED
    depth, begin = 0, opening + 1
    limit = min(len(text.bare), opening + _LONGEST_CALL)
    for mark in _MARK.finditer(text.bare, opening, limit):
        sign = mark[0]
        if sign in "([{":
            depth += 1
        elif sign in ")]}":
            depth -= 1
        if depth == 0 or (depth == 1 and sign == ","):
            _append(found, text, begin, mark.start(), naming)
            begin = mark.end()
        if depth <= 0 or len(found) >= MOST_ARGUMENTS:
            return tuple(found), mark.start()
    _append(found, text, begin, limit, naming)
    return tuple(found), limit


def _append(found: list[Argument], text: Joined, begin: int, end: int, naming: re.Pattern[str]) -> None:
    named = naming.match(text.code, begin, end)
    start = named.end() if named else begin
    start = min(end, start + len(text.code[start:end]) - len(text.code[start:end].lstrip()))
    value = folded(text.code[start:end])
    if value:
        found.append(Argument(named["name"] if named else None, value, start, end))


def named(found: tuple[Argument, ...], *names: str) -> Argument | None:
    """Return the argument of one of these names."""
    return next((argument for argument in found if argument.name in names), None)


def positional(found: tuple[Argument, ...]) -> tuple[Argument, ...]:
    """Return the arguments without a name, in order."""
    return tuple(argument for argument in found if argument.name is None)


def literal(text: str) -> str | None:
    """Return what stands in a single string literal, None where the text is anything else."""
    matched = _STRING.fullmatch(text)
    return matched["text"] if matched else None


def unquoted(text: str) -> str:
    """Return a value as a person would type it: a string literal without its quotes."""
    inner = literal(text)
    return text.strip() if inner is None else inner


def typed(value: str) -> bool:
    """Whether a person can type a value as it is written: a literal or a number."""
    return literal(value) is not None or re.fullmatch(r"-?[\w.]{1,40}", value) is not None


def folded(text: str) -> str:
    """Return a value as it is quoted: blanks folded, no trailing comma, at most 120 characters."""
    value = " ".join(text.split()).strip(" ,;")
    return value if len(value) <= LONGEST_VALUE else value[: LONGEST_VALUE - 1] + "…"

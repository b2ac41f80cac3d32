"""Joins lines to statements by their brackets, and finds what encloses a line."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from services.analyzer.facts.sides import Fragment, Line, Side

MOST_LINES = 60
"""A statement that goes on for longer is a table of data: its lines are told one by one."""
_DEFINITION = re.compile(
    r"^\s{0,80}(?:(?:export|default|declare|abstract|public|private|protected|internal|static|final|async|pub(?:\([a-z]{1,8}\))?|"
    r"unsafe|extern|inline|virtual|constexpr|override|suspend|open|sealed|data)\s{1,4}){0,6}"
    r"(?:(?P<what>def|class|func|fn|function|struct|enum|trait|impl|interface|type|mod|namespace|module|object|record)\s{1,4}"
    r"(?:\([^)]{0,80}\)\s{0,4})?(?:<[^>]{0,60}>\s{0,4})?(?P<name>[A-Za-z_][\w:.]{0,100}))"
)
_CALLBACK = ("=> {", ") {", "| {")
"""How a line ends that opens the body of a function within the arguments of a call."""
_SCOPES = frozenset({"class", "struct", "enum", "trait", "impl", "interface", "type", "object", "record"})


@dataclass(frozen=True)
class Statement:
    """Lines that belong together: a call with its arguments over several lines, a definition with its parameters."""

    lines: tuple[Line, ...]

    @property
    def number(self) -> int:
        """The number of its first line."""
        return self.lines[0].number

    @cached_property
    def code(self) -> str:
        """Its code in one line, blanks folded; contents of strings kept."""
        return " ".join(" ".join(line.code for line in self.lines).split())

    @cached_property
    def bare(self) -> str:
        """Its code without the contents of strings."""
        return " ".join(" ".join(line.bare for line in self.lines).split())

    @property
    def indent(self) -> int:
        """Blanks before its first line."""
        text = self.lines[0].text
        return len(text) - len(text.lstrip())

    @property
    def changed(self) -> Line:
        """Its first line that the merge touched (its first line when none)."""
        return next((line for line in self.lines if line.changed), self.lines[0])


def statements(side: Side) -> Iterator[Statement]:
    """Yield each statement with at least one changed line, in order."""
    held = side.remembered.get("statements")
    if held is None:
        held = side.remembered["statements"] = tuple(_changed(side))
    yield from held


def _changed(side: Side) -> Iterator[Statement]:
    for fragment in side.fragments:
        changed = fragment.lines.changed_places
        for begin, end in extents(fragment) if changed else ():
            place = bisect_left(changed, begin)
            if place < len(changed) and changed[place] < end:
                yield Statement(tuple(fragment.lines[begin:end]))


def all_statements(fragment: Fragment) -> Iterator[Statement]:
    """Yield every statement of a fragment, in order; the body of a function that is handed over is not part of it."""
    for begin, end in extents(fragment):
        yield Statement(tuple(fragment.lines[begin:end]))


def extents(fragment: Fragment) -> Iterator[tuple[int, int]]:
    """Yield the places, from 0 and half-open, of each statement of a fragment, in order."""
    begin = depth = place = 0
    for place, bare in enumerate(fragment.lines.bare, start=1):
        depth = max(0, depth + bare.count("(") + bare.count("[") - bare.count(")") - bare.count("]"))
        if depth and bare.rstrip().endswith(_CALLBACK):
            depth = 0
        if depth == 0 and not bare.endswith("\\"):
            yield begin, place
            begin = place
        elif place - begin > MOST_LINES:
            yield from ((one, one + 1) for one in range(begin, place))
            begin, depth = place, 0
    yield from ((one, one + 1) for one in range(begin, place))


def definition_of(text: str) -> tuple[str, str] | None:
    """Return (keyword, name) of the definition that a line begins, such as ``("def", "start")``, or None."""
    matched = _DEFINITION.match(text)
    return (matched["what"], matched["name"].rstrip(":")) if matched else None


def enclosing(side: Side, number: int) -> tuple[str, ...]:
    """Return the names of the definitions around line ``number``, the outermost first, as far as they are known.

    Told by indentation, which formatters keep in every language; where the patch does not reach up to the definition,
    the name that git printed behind the ``@@`` stands for it.
    """
    return tuple(name for _, name in enclosing_definitions(side, number))


def enclosing_definitions(side: Side, number: int) -> tuple[tuple[str, str], ...]:
    """Return (keyword, name) of the definitions around line ``number``, the outermost first."""
    fragment = side.fragment_of(number)
    if fragment is None:
        return ()
    place = number - fragment.first
    inner = _indent(fragment.lines[place])
    found: list[tuple[str, str]] = []
    for line in reversed(fragment.lines[:place]):
        if not line.bare.strip():
            continue
        indent = _indent(line)
        if indent < inner:
            if matched := _DEFINITION.match(line.bare):
                found.append((matched["what"], matched["name"].rstrip(":")))
            if line.bare.strip()[:1] not in ")]}":
                inner = indent
        if inner == 0:
            break
    if (
        inner > 0
        and (matched := _DEFINITION.match(fragment.section))
        and (matched["what"], matched["name"].rstrip(":")) not in found
    ):
        found.append((matched["what"], matched["name"].rstrip(":")))
    return tuple(reversed(found))


def owner_class(side: Side, number: int) -> str | None:
    """Return the innermost class (or struct, trait …) around line ``number``."""
    return next((name for what, name in reversed(enclosing_definitions(side, number)) if what in _SCOPES), None)


def _indent(line: Line) -> int:
    return len(line.text) - len(line.text.lstrip())

"""The two sides of a changed file as numbered lines: as far as the patch shows them, or whole."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, overload

from services.analyzer.facts.beginnings import opened_before
from services.analyzer.facts.lexing import Lexer, lexed

LONGEST_LINE = 500
_HUNK = re.compile(r"@@ -(?P<old>\d{1,9})(?:,\d{1,9})? \+(?P<new>\d{1,9})(?:,\d{1,9})? @@ ?(?P<section>.{0,300})")


@dataclass(frozen=True, slots=True)
class Line:
    """One line: its number in the file, its text (at most 500 characters), and whether the merge touched it.

    ``code`` is the text without comments, with the contents of strings kept; ``bare`` has those blanked out as well, so
    that what is only said in a string never looks like code. Both have the length of ``text``. Inside a comment or a
    documentation string both are blank.
    """

    number: int
    text: str
    code: str
    bare: str
    changed: bool


class Lines(Sequence[Line]):
    """Lines that follow each other; each is made when it is asked for, because files are long and changes are short."""

    def __init__(self, rows: _Rows, begin: int, end: int) -> None:
        self._rows = rows
        self._begin = begin
        self._end = end

    def __len__(self) -> int:
        return self._end - self._begin

    @overload
    def __getitem__(self, place: int) -> Line: ...
    @overload
    def __getitem__(self, place: slice) -> Lines: ...
    def __getitem__(self, place: int | slice) -> Line | Lines:
        if isinstance(place, slice):
            begin, end, step = place.indices(len(self))
            if step != 1:
                raise ValueError("lines are sliced in order")
            return Lines(self._rows, self._begin + begin, self._begin + max(begin, end))
        if place < 0:
            place += len(self)
        if not 0 <= place < len(self):
            raise IndexError(place)
        return self._rows.line(self._begin + place)

    def __iter__(self) -> Iterator[Line]:
        return map(self._rows.line, range(self._begin, self._end))

    def __reversed__(self) -> Iterator[Line]:
        return map(self._rows.line, reversed(range(self._begin, self._end)))

    @property
    def bare(self) -> Sequence[str]:
        """The bare text of each, without making lines."""
        return self._rows.bare[self._begin : self._end]

    @property
    def code(self) -> Sequence[str]:
        """The code of each, without making lines."""
        return self._rows.code[self._begin : self._end]

    @property
    def changed_places(self) -> list[int]:
        """The places, from 0, of the lines that the merge touched."""
        return [place - self._begin for place in self._rows.changed if self._begin <= place < self._end]


class _Rows:
    """The texts of a fragment, taken apart once."""

    def __init__(
        self, texts: Sequence[str], changed: Sequence[int], first: int, lexer: Lexer, *, whole: bool = False
    ) -> None:
        self.texts = [text[:LONGEST_LINE].rstrip("\r") for text in texts]
        text = "\n".join(self.texts)
        opened = "" if whole or first == 1 else opened_before(text, lexer)
        code, bare = (side[len(opened) :] for side in lexed(opened + text, lexer))
        self.code, self.bare = code.split("\n"), bare.split("\n")
        self.changed = changed
        self._touched = frozenset(changed)
        self._first = first
        self._made: dict[int, Line] = {}

    def line(self, place: int) -> Line:
        made = self._made.get(place)
        if made is None:
            made = Line(
                self._first + place, self.texts[place], self.code[place], self.bare[place], place in self._touched
            )
            self._made[place] = made
        return made


@dataclass(frozen=True)
class Fragment:
    """Lines that follow each other; ``section`` is what git printed behind the ``@@`` (the enclosing definition)."""

    lines: Lines
    section: str = ""

    @property
    def first(self) -> int:
        """The number of its first line."""
        return self.lines[0].number


@dataclass(frozen=True, eq=False)
class Side:
    """The file before or after the merge; ``whole`` when every line of it is known."""

    fragments: tuple[Fragment, ...]
    whole: bool = False
    source: str | None = None
    """The text of a whole file."""
    remembered: dict[str, Any] = field(default_factory=dict, repr=False)
    """What was found out about it once and is asked for by every reader, by name."""

    @cached_property
    def changed(self) -> tuple[Line, ...]:
        """The lines that the merge removed (before) or added (after)."""
        return tuple(fragment.lines[place] for fragment in self.fragments for place in fragment.lines.changed_places)

    @cached_property
    def lines(self) -> tuple[Line, ...]:
        """All lines that are known."""
        return tuple(line for fragment in self.fragments for line in fragment.lines)

    @cached_property
    def code(self) -> str:
        """The code of all known lines, for quick questions of the kind "is this name there at all"."""
        return "\n".join("\n".join(fragment.lines.code) for fragment in self.fragments)

    @cached_property
    def _firsts(self) -> list[int]:
        return [fragment.first for fragment in self.fragments]

    def fragment_of(self, number: int) -> Fragment | None:
        """The fragment that holds line ``number``."""
        position = bisect_right(self._firsts, number) - 1
        if position < 0:
            return None
        fragment = self.fragments[position]
        return fragment if number <= fragment.lines[-1].number else None


EMPTY = Side(())


def sides_of_patch(patch: str, lexer: Lexer) -> tuple[Side, Side]:
    """Return the file before and after, as far as the hunks of a unified diff without file headers show it."""
    before: list[Fragment] = []
    after: list[Fragment] = []
    for old, new, section, rows in _hunks(patch):
        removed = _fragment([(row[1:], row[:1] == "-") for row in rows if row[:1] in ("-", " ", "")], old, lexer)
        added = _fragment([(row[1:], row[:1] == "+") for row in rows if row[:1] in ("+", " ", "")], new, lexer)
        if removed:
            before.append(Fragment(removed, section))
        if added:
            after.append(Fragment(added, section))
    return Side(tuple(before)), Side(tuple(after))


def changed_lines(patch: str) -> tuple[frozenset[int], frozenset[int]]:
    """Return the numbers of the removed lines (in the file before) and of the added ones (in the file after)."""
    removed: set[int] = set()
    added: set[int] = set()
    for old, new, _, rows in _hunks(patch):
        old_line, new_line = old, new
        for row in rows:
            if row[:1] == "-":
                removed.add(old_line)
            elif row[:1] == "+":
                added.add(new_line)
            old_line += row[:1] != "+"
            new_line += row[:1] != "-"
    return frozenset(removed), frozenset(added)


def whole_side(text: str | None, changed: frozenset[int], lexer: Lexer) -> Side:
    """Return a side of which the whole text is known; None is a file that does not exist on this side."""
    if text is None:
        return Side((), whole=True)
    rows = text.removesuffix("\n").split("\n") if text else []
    touched = [number - 1 for number in sorted(changed) if number <= len(rows)]
    lines = Lines(_Rows(rows, touched, 1, lexer, whole=True), 0, len(rows))
    return Side((Fragment(lines),) if lines else (), whole=True, source=text)


def _hunks(patch: str) -> Iterator[tuple[int, int, str, list[str]]]:
    """Yield (first old line, first new line, section, rows with their signs) of each hunk."""
    rows: list[str] = []
    head: tuple[int, int, str] | None = None
    for row in patch.split("\n"):
        found = _HUNK.match(row)
        if found:
            if head:
                yield (*head, rows)
            rows = []
            head = int(found["old"]), int(found["new"]), found["section"].strip()
        elif head and row[:1] != "\\":
            rows.append(row)
    if head:
        yield (*head, rows)


def _fragment(rows: Sequence[tuple[str, bool]], first: int, lexer: Lexer) -> Lines:
    changed = [place for place, (_, touched) in enumerate(rows) if touched]
    return Lines(_Rows([text for text, _ in rows], changed, first, lexer), 0, len(rows))

"""What each statement stands under: conditions, handlers, functions and classes, told by indentation."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

from services.analyzer.facts.sides import Fragment, Side
from services.analyzer.facts.statements import Statement, definition_of, extents

LONGEST_HEADER = 400
"""Characters of a header that are looked at."""
MOST_PARENTS = 40
"""Nothing that people write is nested deeper."""
_CONTROL = re.compile(
    r"(?:\}\s{0,4})?(?:(?P<alternative>else(?!\s{0,4}if\b)|default\b|_\s{0,4}=>|case\s{1,4}_\s{0,4}:)|"
    r"(?P<condition>if|elif|else\s{0,4}if|elsif|elseif|unless|guard|when|case)\b|"
    r"(?P<choice>match|switch|select)\b|(?P<loop>for|while|loop|foreach|until)\b|(?P<attempt>try|begin)\b|"
    r"(?P<handler>except|catch|rescue|finally|ensure)\b)"
)
_NO_STATEMENT = re.compile(r"[\s)\]}{;,]*$|#|(?:public|private|protected|signals)\s{0,4}:$|@")
_ARROW = re.compile(
    r"(?:export\s{1,4})?(?:const|let|"
    r"var)\s{1,4}(?P<name>\w{1,100})\s{0,4}(?::[^=]{1,120})?=\s{0,4}(?:async\s{0,4})?(?:\(|function\b|"
    r"\w{1,60}\s{0,4}=>)"
)
_NO_FUNCTION = frozenset(
    [
        "if",
        "for",
        "while",
        "switch",
        "return",
        "catch",
        "else",
        "do",
        "new",
        "throw",
        "await",
        "yield",
        "delete",
        "case",
        "with",
        "match",
        "select",
        "go",
        "defer",
        "using",
        "lock",
        "when",
    ]
)
_NAME_AT_END = re.compile(r"(?P<name>[~\w:]{1,120})$")
_FUNCTION_WORDS = frozenset({"def", "func", "fn", "function"})


class BlockKind(StrEnum):
    """What a statement that others stand under is."""

    CONDITION = "condition"
    ALTERNATIVE = "alternative"
    """``else`` and ``default``."""
    CHOICE = "choice"
    LOOP = "loop"
    ATTEMPT = "attempt"
    HANDLER = "handler"
    FUNCTION = "function"
    SCOPE = "scope"
    """A class, a struct, a module."""
    OTHER = "other"


@dataclass(frozen=True, eq=False)
class Node:
    """A statement, the one it stands under (None: not known, or none), and what it is for those under it.

    ``begin`` and ``end`` are its places in the fragment, ``position`` its place in the outline. ``changed`` tells
    whether its first line was touched (a definition whose parameters alone changed stays the same one), ``touched``
    whether any of its lines was.
    """

    fragment: Fragment
    begin: int
    end: int
    indent: int
    parent: Node | None
    position: int
    changed: bool
    touched: bool

    @cached_property
    def statement(self) -> Statement:
        """The statement itself."""
        return Statement(tuple(self.fragment.lines[self.begin : self.end]))

    @cached_property
    def kind(self) -> BlockKind:
        """What it is for the statements under it."""
        return _kind_of(self.statement)

    @cached_property
    def name(self) -> str | None:
        """The name that it defines, for functions and scopes."""
        return name_of(self.statement)

    def parents(self) -> Iterator[Node]:
        """What it stands under, the innermost first."""
        node = self.parent
        for _ in range(MOST_PARENTS):
            if node is None:
                return
            yield node
            node = node.parent

    def within(self, kind: BlockKind) -> Node | None:
        """The innermost of this kind that it stands under."""
        return next((node for node in self.parents() if node.kind is kind), None)


def outline(side: Side) -> list[Node]:
    """Return every statement of code of a side with what it stands under, in order; linear in the side."""
    nodes: list[Node] = []
    for fragment in side.fragments:
        stack: list[Node] = []
        rows, places = fragment.lines.bare, fragment.lines.changed_places
        for begin, end in extents(fragment):
            text = rows[begin]
            bare = text.strip()
            if _NO_STATEMENT.match(bare):
                continue
            indent = len(text) - len(text.lstrip())
            while stack and stack[-1].indent >= indent:
                stack.pop()
            first = bisect_left(places, begin)
            touched = first < len(places) and places[first] < end
            parent = stack[-1] if stack else None
            node = Node(fragment, begin, end, indent, parent, len(nodes), touched and places[first] == begin, touched)
            nodes.append(node)
            stack.append(node)
    return nodes


def name_of(statement: Statement) -> str | None:
    """Return the name of the function or scope that a statement defines, or None."""
    definition = definition_of(statement.lines[0].bare)
    if definition is not None:
        return definition[1]
    head = statement.bare[:LONGEST_HEADER]
    if arrow := _ARROW.match(head):
        return arrow["name"]
    before, opened, behind = head.partition("(")
    if not opened or not statement.bare.rstrip().endswith("{") or re.search(r"[=.!?]|\bnew\b", before):
        return None
    words = before.split()
    found = _NAME_AT_END.search(before.rstrip())
    if not words or words[0] in _NO_FUNCTION or words[-1] in _NO_FUNCTION or found is None or "=>" in behind:
        return None
    return found["name"].rsplit("::", 1)[-1]


def _kind_of(statement: Statement) -> BlockKind:
    head = statement.bare[:LONGEST_HEADER]
    if control := _CONTROL.match(head):
        return BlockKind(str(control.lastgroup))
    definition = definition_of(statement.lines[0].bare)
    if definition is not None:
        return BlockKind.FUNCTION if definition[0] in _FUNCTION_WORDS else BlockKind.SCOPE
    return BlockKind.FUNCTION if name_of(statement) else BlockKind.OTHER

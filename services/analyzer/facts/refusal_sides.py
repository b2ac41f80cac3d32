"""Both sides of the files of a merge, as the questions about refusals need them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property

from services.analyzer.facts.blocks import BlockKind, Node, name_of, outline
from services.analyzer.facts.change import Change, FileChange
from services.analyzer.facts.sides import Fragment, Side
from services.analyzer.facts.statements import Statement, statements

_FIELD = re.compile(
    r"\s{1,40}(?:pub |public |private |"
    r"readonly ){0,2}(?:(?P<name>[A-Za-z]\w{1,80})\??\s{0,4}:\s{0,4}[A-Za-z\"'][^={]{0,120}(?:=|$)|"
    r"(?P<exported>[A-Z]\w{1,80})\s{1,40}[*\[\]\w.{}]{1,80}(?:\s{1,40}`\s{0,300}`)?\s{0,4}$)"
)
_TAKEN = re.compile(r"\s{1,80}(?:const |let |var )?(?P<name>[A-Za-z]\w{1,80})\s{0,4}=[^=].{0,160}[\"'](?P=name)[\"']")
_OPTION = re.compile(r"[\"']--(?P<name>[a-z][a-z0-9-]{1,60})[\"']")
_PARAMETER = re.compile(r"[(,]\s{0,4}\*{0,2}([A-Za-z]\w{1,80})\s{0,4}(?=[:=,)]|$)")
_CONTEXT = 3
"""Unchanged lines that a patch shows around changed ones."""


class Sides:
    """Both outlines of every file, and what is asked of them."""

    def __init__(self, change: Change) -> None:
        self.change = change
        self._outlines: dict[tuple[str, bool], list[Node]] = {}
        self._touched: dict[tuple[str, bool], list[Node]] = {}

    def outline(self, file: FileChange, *, new: bool) -> list[Node]:
        """The outline of one side of a file, made when it is asked for."""
        key = (file.path, new)
        if key not in self._outlines:
            self._outlines[key] = outline(file.after if new else file.before)
        return self._outlines[key]

    def touched(self, file: FileChange, *, new: bool) -> list[Node]:
        """The statements of one side with a changed line."""
        key = (file.path, new)
        if key not in self._touched:
            self._touched[key] = [node for node in self.outline(file, new=new) if node.touched]
        return self._touched[key]

    @cached_property
    def _known(self) -> dict[bool, str]:
        return {
            new: "\n".join((file.after if new else file.before).code for file in self.change.product)
            for new in (True, False)
        }

    def says(self, word: str, *, new: bool) -> bool:
        """Whether the known code of one side has the word."""
        return word in self._words[new]

    @cached_property
    def _words(self) -> dict[bool, frozenset[str]]:
        return {new: frozenset(re.findall(r"[A-Za-z_]\w{0,100}", text)) for new, text in self._known.items()}

    @cached_property
    def _declared(self) -> dict[bool, frozenset[str]]:
        return {
            new: frozenset(
                name for file in self.change.product for name in _declarations(file.after if new else file.before)
            )
            for new in (True, False)
        }

    def only_there(self, name: str, *, new: bool) -> bool:
        """Whether the merge itself declares a name of a field, a parameter or an option (for ``new``) or drops it."""
        return name in self._declared[new] and not self.says(name, new=not new)

    def own_parameters(self, function: Node | None, *, new: bool) -> frozenset[str]:
        """The parameters that the merge gave to (or took from) a function that there was before and is still."""
        if function is None or not function.touched or function.changed:
            return frozenset()
        return frozenset(_parameters(function.statement)) - self._declared[not new]

    def nearly_only_there(self, name: str, *, new: bool) -> bool:
        """The same question, answered by the changed lines and the three around each, which is all a patch shows."""
        return name in self._declared[new] and name not in self._words_nearby[not new]

    @cached_property
    def _words_nearby(self) -> dict[bool, frozenset[str]]:
        return {
            new: frozenset(
                word
                for file in self.change.product
                for fragment in (file.after if new else file.before).fragments
                for text in _nearby(fragment)
                for word in re.findall(r"[A-Za-z_]\w{0,100}", text)
            )
            for new in (True, False)
        }

    def defines(self, file: FileChange, name: str, kind: BlockKind, *, new: bool) -> bool:
        """Whether the known lines of one side of a file define it."""
        return any(
            name in node.fragment.lines.bare[node.begin] and node.name == name and node.kind is kind
            for node in self.outline(file, new=new)
        )

    def called(self, file: FileChange, name: str) -> bool:
        """Whether an added line, in a function that was there before, calls it: the way into a new check."""
        for node in self.touched(file, new=True):
            if f"{name}(" in node.statement.bare and node.name != name:
                function = node.within(BlockKind.FUNCTION)
                if function is None or not self.brought(file, function, new=True):
                    return True
        return False

    def brought(self, file: FileChange, node: Node, *, new: bool) -> bool:
        """Whether the merge brought (or took away) the function or class that ``node`` defines."""
        if file.new if new else file.gone:
            return True
        scope = node if node.kind is BlockKind.SCOPE else node.within(BlockKind.SCOPE)
        if (
            scope is not None
            and scope.changed
            and scope.name
            and not self.defines(file, scope.name, BlockKind.SCOPE, new=not new)
        ):
            return True
        if node is scope or not node.changed or not node.name:
            return False
        others = [
            other
            for other in self.outline(file, new=not new)
            if node.name in other.fragment.lines.bare[other.begin]
            and other.kind is node.kind
            and other.name == node.name
        ]
        mine = node.within(BlockKind.SCOPE)
        for other in others:
            theirs = other.within(BlockKind.SCOPE)
            if mine is None or theirs is None or mine.name == theirs.name:
                return False
        return True


def _nearby(fragment: Fragment) -> Iterator[str]:
    rows = fragment.lines.code
    done = 0
    for place in fragment.lines.changed_places:
        yield from rows[max(done, place - _CONTEXT) : place + _CONTEXT + 1]
        done = max(done, place + _CONTEXT + 1)


def _declarations(side: Side) -> Iterator[str]:
    """The fields, options and parameters that changed lines of one side declare."""
    for line in side.changed:
        if found := _FIELD.match(line.bare):
            yield found["name"] or found["exported"]
        if found := _TAKEN.match(line.code):
            yield found["name"]
        if "--" in line.code and (found := _OPTION.search(line.code)):
            yield found["name"].replace("-", "_")
    for statement in statements(side):
        if "(" in statement.bare and name_of(statement):
            yield from _parameters(statement)


def _parameters(statement: Statement) -> Iterator[str]:
    """The parameters on the changed lines of a definition."""
    for line in statement.lines:
        if line.changed:
            yield from _PARAMETER.findall(f"({line.bare.split('(', 1)[-1].strip()}")

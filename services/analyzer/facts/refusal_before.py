"""What stood where a refusal stands now: a warning, or an assertion without words."""

from __future__ import annotations

from services.analyzer.facts.blocks import BlockKind, Node
from services.analyzer.facts.raising import Guard, warning_of
from services.analyzer.facts.refusal_reach import words_of
from services.analyzer.facts.refusal_sides import Sides
from services.analyzer.facts.texts import cut

_COMMON = frozenset(
    [
        "self",
        "not",
        "none",
        "true",
        "false",
        "isinstance",
        "the",
        "and",
        "for",
        "is",
        "len",
        "cls",
        "logger",
        "warning",
        "warn",
        "error",
    ]
)
_NEAR_LINES = 60


def instead(guard: Guard, sides: Sides) -> str | None:
    """Return what stood there before: a warning about the same that the merge removed from the function, as written."""
    words = _long_words(guard.message)
    for node in sides.touched(guard.file, new=False):
        said = warning_of(node)
        if said is None or not _same_function(node, guard):
            continue
        same_branch = (
            node.parent is not None
            and guard.above is not None
            and guard.above.statement.bare == node.parent.statement.bare
        )
        if same_branch or len(words & _long_words(said)) >= 2:
            return said
    return None


def bare_assertion(guard: Guard, sides: Sides) -> str | None:
    """Return an assertion without words about the same names that the merge removed from the function, as written."""
    about = _words(f"{guard.condition or ''} {guard.message}")
    for node in sides.touched(guard.file, new=False):
        bare = node.statement.bare
        if not bare.startswith(("assert ", "assert(")) or not node.changed:
            continue
        asserted = _words(bare.removeprefix("assert"))
        enough = len(asserted) / 2 if _same_function(node, guard) else max(2, len(asserted))
        if asserted and len(asserted & about) >= enough:
            return cut(node.statement.code)
    return None


def _words(text: str) -> frozenset[str]:
    """The words of identifiers, of three letters or more."""
    return frozenset(word for word in words_of(text) if len(word) > 2) - _COMMON


def _long_words(text: str) -> frozenset[str]:
    return frozenset(word for word in words_of(text) if len(word) > 4) - _COMMON


def _same_function(node: Node, guard: Guard) -> bool:
    one, other = node.within(BlockKind.FUNCTION), guard.function
    if one is not None and other is not None:
        scope, of_guard = node.within(BlockKind.SCOPE), guard.scope
        if scope is not None and of_guard is not None and scope.name != of_guard.name:
            return False
        return one.name == other.name or (one.changed and other.changed)
    return abs(node.statement.number - guard.line.number) <= _NEAR_LINES

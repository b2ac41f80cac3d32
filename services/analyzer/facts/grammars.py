"""The only door to tree-sitter: parses small pieces of code, such as the header of one definition."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache

import tree_sitter_cpp
import tree_sitter_go
import tree_sitter_python
import tree_sitter_rust
import tree_sitter_typescript
from tree_sitter import Language, Node, Parser

LONGEST_TEXT = 20_000
"""Characters of one piece; the longest real header has a few thousand."""
_MOST_NODES = 4_000

_GRAMMARS: dict[str, Callable[[], object]] = {
    "python": tree_sitter_python.language,
    "cpp": tree_sitter_cpp.language,
    "rust": tree_sitter_rust.language,
    "go": tree_sitter_go.language,
    "typescript": tree_sitter_typescript.language_typescript,
}
"""By the name of the language file; that of C++ reads C and CUDA, that of TypeScript reads JavaScript."""

LANGUAGES = frozenset(_GRAMMARS)


def parse(language: str, text: str) -> Node | None:
    """Return the root node of a piece of code, or None where it is too long or no grammar reads the language.

    Broken code gives a tree with error nodes, never an exception.
    """
    if language not in LANGUAGES or len(text) > LONGEST_TEXT:
        return None
    return _parser(language).parse(text.encode("utf-8", "replace")).root_node


def walk(node: Node) -> Iterator[Node]:
    """Yield the node and those below it, the outer ones first; at most 4,000, without recursion."""
    waiting = [node]
    for _ in range(_MOST_NODES):
        if not waiting:
            return
        one = waiting.pop()
        yield one
        waiting.extend(reversed(one.named_children))


def text_of(node: Node | None) -> str:
    """Return the source text of a node, blanks folded; empty where there is none."""
    return " ".join((node.text or b"").decode("utf-8", "replace").split()) if node is not None else ""


@cache
def _parser(language: str) -> Parser:
    return Parser(Language(_GRAMMARS[language]()))


__all__ = ["LANGUAGES", "LONGEST_TEXT", "Node", "parse", "text_of", "walk"]

"""The words of an error: its strings, those of a variable just above it, those of a list that was filled above it."""

from __future__ import annotations

import re

from services.analyzer.facts.blocks import BlockKind, Node
from services.analyzer.facts.statements import Statement
from services.analyzer.facts.texts import BETWEEN, joined_strings

LONGEST_STATEMENT = 4_000
"""Characters of a statement that are looked at."""
PRINTED = re.compile(r"\$?\{[^{}]{0,120}\}")
"""Code that is printed within a string."""
_NEAR = 14
"""Statements above a ``raise Error(message)`` among which the message is looked for."""
_JOINED = re.compile(r"[\"']\s{0,9}[\"']\.join\((?P<list>\w{1,60})\)")


def texts_of(statement: Statement) -> tuple[str, str]:
    """Return the code of a statement and the same without the contents of strings, of one length."""
    margin = min((len(line.code) - len(line.code.lstrip()) for line in statement.lines[:1]), default=0)
    code = "\n".join(line.code[margin:] if place == 0 else line.code for place, line in enumerate(statement.lines))
    bare = "\n".join(line.bare[margin:] if place == 0 else line.bare for place, line in enumerate(statement.lines))
    return code[:LONGEST_STATEMENT], bare[:LONGEST_STATEMENT]


def behind(code: str, bare: str, check: str) -> tuple[str, str]:
    """Return what follows the first argument, in both."""
    place = code.find(check[-20:]) + len(check[-20:]) if check else 0
    return code[place:], bare[place:]


def said_above(argument: str, node: Node, nodes: list[Node]) -> tuple[str, bool] | None:
    """Return the words of a message in a variable, from its assignment just above, and whether that was touched."""
    argument = argument.split(".", 1)[0].strip()
    if not argument.isidentifier():
        return None
    for other in reversed(nodes[max(0, node.position - _NEAR) : node.position]):
        if re.match(
            rf"(?:const |let |var |auto |std::string )?{re.escape(argument)}\s{{0,4}}(?::[^=]{{1,40}})?(?:\+|:)?=",
            other.statement.bare,
        ):
            code, bare = texts_of(other.statement)
            return joined_strings(code, bare), any(line.changed for line in other.statement.lines)
    return None


def with_items(code: str, bare: str, node: Node, nodes: list[Node]) -> str:
    """Return the words of an error; where it joins a list that was filled above, with what may stand in the list."""
    found = _JOINED.search(bare)
    if found is None:
        return joined_strings(code, bare)
    function = node.within(BlockKind.FUNCTION)
    begin = function.position if function is not None else 0
    items = [
        words
        for other in nodes[max(begin, node.position - 5 * _NEAR) : node.position]
        if other.statement.bare.startswith((f"{found['list']}.append(", f"{found['list']} += "))
        and (words := joined_strings(*texts_of(other.statement)))
    ]
    before = joined_strings(code[: found.start()], bare[: found.start()])
    after = joined_strings(code[found.end() :], bare[found.end() :])
    joined = ", ".join(PRINTED.sub(BETWEEN, item) for item in items[:8]) or BETWEEN
    return f"{before} {joined}{'' if after[:1] in '.,;:)' else ' '}{after}"

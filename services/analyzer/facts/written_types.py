"""Compares types as they are written: the same in other words, or one that lets more through."""

from __future__ import annotations

import re

_LONGEST = 400
_WORDS = re.compile(r"\b(?:typing|t|collections\.abc|builtins)\.|\b\w{1,60}::|[\"'\s]")
_OPTIONAL = re.compile(r"^Optional\[(?P<inner>.*)\]$")
_UNION = re.compile(r"^Union\[(?P<inner>.*)\]$")
_OLD_NAMES = re.compile(r"\b(?:List|Dict|Tuple|Set|Type|FrozenSet)\[")
NOTHING = frozenset({"None", "null", "undefined"})
"""How languages write the value for nothing."""


def same_type(one: str, other: str) -> bool:
    """Whether both say the same: quotes, blanks, order of a union and old names of types do not count."""
    return one == other or parts_of(one) == parts_of(other)


def widened(one: str, other: str) -> bool:
    """Whether ``other`` is ``one`` and something more, or leaves everything open."""
    parts = parts_of(other)
    return (
        parts_of(one) < parts or bool(parts & {"Any", "object", "any", "unknown"}) or other.startswith(f"Option<{one}")
    )


def may_be_nothing(written: str) -> bool:
    """Whether a type has a value for nothing."""
    return bool(parts_of(written) & NOTHING) or written.startswith("Option<")


def parts_of(written: str) -> frozenset[str]:
    """The members of a union, each in one spelling; a type that is no union has one."""
    text = _WORDS.sub("", written[:_LONGEST])
    text = _OLD_NAMES.sub(lambda found: found[0].lower(), text)
    if text.startswith("(") and text.endswith(")") and text.count("(") == 1:
        text = text[1:-1]
    if matched := _OPTIONAL.match(text):
        return frozenset({*_members(matched["inner"], "|"), "None"})
    if matched := _UNION.match(text):
        return frozenset(_members(matched["inner"], ","))
    return frozenset(_members(text, "|"))


def _members(text: str, sign: str) -> list[str]:
    """The parts between signs that stand in no bracket."""
    parts, depth, begin = [], 0, 0
    for place, letter in enumerate(text):
        depth += (letter in "[(<{") - (letter in "])>}")
        if letter == sign and depth == 0:
            parts.append(text[begin:place])
            begin = place + 1
    return [part for part in [*parts, text[begin:]] if part]

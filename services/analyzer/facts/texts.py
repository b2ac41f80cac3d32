"""Pieces of code as text: the words of its strings, its arguments, its identifiers."""

from __future__ import annotations

import re

LONGEST_VALUE = 120
"""Characters of an old or a new value, as quoted."""
BETWEEN = "…"
"""Stands for what code puts between two strings."""
_STRING = re.compile(r"(?P<quote>[\"'`])\s*(?P=quote)")
_PREFIX = re.compile(r"[\s\\+.&]*[rRuUbBfFlLs]{0,2}[\s\\+.&]*")
_IDENTIFIER = re.compile(r"[A-Za-z_]\w{1,80}")
_OPENING, _CLOSING = "([{", ")]}"


def folded(text: str) -> str:
    """Return the text in one line, blanks folded."""
    return " ".join(text.split())


def cut(text: str, most: int = LONGEST_VALUE) -> str:
    """Return the text in one line, at most ``most`` characters, cut between words where there is one."""
    text = folded(text)
    if len(text) <= most:
        return text
    short = text[: most - 1]
    return (short.rsplit(" ", 1)[0] if " " in short[most // 2 :] else short) + BETWEEN


def joined_strings(code: str, bare: str) -> str:
    """Return the words of the strings in a piece of code, joined; ``bare`` is the same without their contents.

    What stands between two strings (a variable that is printed) becomes ``…``.
    """
    pieces: list[str] = []
    last = None
    for found in _STRING.finditer(bare):
        words = code[found.start() + 1 : found.end() - 1]
        if last is not None and not _PREFIX.fullmatch(bare[last : found.start()]):
            pieces.append(f" {BETWEEN} ")
        pieces.append(words)
        last = found.end()
    return folded("".join(pieces)).strip(f"{BETWEEN} ")


def split_arguments(code: str, bare: str, *, bracketed: bool = True) -> list[str]:
    """Return the arguments of the first call in a piece of code, each in one line.

    Without brackets (``assert condition, message``) what follows the first word is split.
    """
    begin = bare.find("(") if bracketed else bare.find(" ")
    if begin < 0:
        return []
    depth, start = 0, begin + 1
    arguments: list[str] = []
    for place in range(begin + 1, len(bare)):
        sign = bare[place]
        if sign in _OPENING:
            depth += 1
        elif sign in _CLOSING:
            if depth == 0 and bracketed:
                arguments.append(code[start:place])
                return [one for one in map(folded, arguments) if one]
            depth = max(0, depth - 1)
        elif sign == "," and depth == 0:
            arguments.append(code[start:place])
            start = place + 1
    arguments.append(code[start:])
    return [one for one in map(folded, arguments) if one]


def identifiers(code: str) -> frozenset[str]:
    """Return the identifiers in a piece of code."""
    return frozenset(_IDENTIFIER.findall(code))

"""Literals that are assigned on one line, in the forms of many languages."""

from __future__ import annotations

import re

LITERAL = (
    r"""(?:true|false|none|null|nil|some\([\w.\"']{1,30}\)|-?\d[\w.]{0,20}(?:\s?\*\s?[\w.]{1,20}|[ ]?[a-z]{1,2})?|"""
    r"""\"[^\"]{0,40}\"|'[^']{0,40}')"""
)
_MODIFIERS = (
    r"(?:(?:export|pub(?:\([a-z]{1,10}\))?|public|private|protected|internal|static|final|const|constexpr|inline|let|"
    r"var|val|readonly|self\.|this\.)\s?){0,5}"
)
_ASSIGNED = re.compile(
    rf"""^\s{{0,40}}{_MODIFIERS}(?:[\w<>\[\]*&]{{1,30}}(?:::[\w<>]{{1,30}}){{0,3}}\s)?(?P<name>[\w.\[\]"'-]{{2,60}})"""
    rf"""(?:\s?:\s?[\w\[\], |.<>&']{{1,60}}?)?\s?(?::?=|:)\s?(?P<value>{LITERAL})"""
    rf"""\s?,?;?\s{{0,40}}$""",
    re.IGNORECASE,
)


def literal_of(line: str) -> tuple[str, str] | None:
    """Return (name, literal) of a line that assigns one and does nothing else, or None."""
    found = _ASSIGNED.match(line[:400])
    return (found["name"].strip("\"'"), found["value"].strip()) if found else None

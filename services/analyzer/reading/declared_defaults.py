"""Finds literals that code declares as a default: constants, fields, options, flags, builders."""

from __future__ import annotations

import re
from collections.abc import Iterator

from services.analyzer.reading.patches import LONGEST_LINE, MOST_CHARACTERS, PatchReading

MOST_LINES = 3_000
_NEAR = 6
"""Lines within which an option's name, its old and its new default stand together."""

_LITERAL = (
    r"""(?:true|false|none|null|nil|some\([\w.\"']{1,30}\)|-?\d[\w.]{0,20}(?:\s?\*\s?[\w.]{1,20}|[ ]?[a-z]{1,2})?|"""
    r"""\"[^\"]{0,40}\"|'[^']{0,40}')"""
)
_MODIFIERS = (
    r"(?:(?:export|pub(?:\([a-z]{1,10}\))?|public|private|protected|internal|static|final|const|constexpr|inline|let|"
    r"var|val|readonly|self\.|this\.)\s?){0,5}"
)
_ASSIGNED = re.compile(
    rf"""^\s{{0,40}}{_MODIFIERS}(?:[\w<>\[\]*&]{{1,30}}(?:::[\w<>]{{1,30}}){{0,3}}\s)?(?P<name>[\w.\[\]"'-]{{2,60}})"""
    rf"""(?:\s?:\s?[\w\[\], |.<>&']{{1,60}}?)?\s?(?P<sign>:?=|:)\s?(?P<value>{_LITERAL})"""
    rf"""\s?,?;?\s{{0,4}}(?:[#/].{{0,80}})?$""",
    re.IGNORECASE,
)
_CALLED = re.compile(
    rf"""\.(?:SetDefault|(?:Int|String|Bool|Duration|Float|Uint)\w{{0,12}})"""
    rf"""\(\s?(?:&?[\w.]{{1,60}},\s?)?"(?P<name>[\w.-]{{2,60}})",\s?"""
    rf"""(?:"\w",\s?)?(?P<value>{_LITERAL})\s?[,)]"""
)
"""Flags of Go, with or without a variable and a short form before the default."""
_BUILT = re.compile(
    rf"""^\s{{0,40}}["']?(?P<name>[\w-]{{2,60}})["']?\s?[:=].{{0,160}}?\.default\(\s?(?P<value>{_LITERAL})"""
    rf"""\s?\)""",
    re.IGNORECASE,
)
_OPTION = re.compile(
    rf"""["']--(?P<name>[\w-]{{2,60}})"""
    rf"""["'].{{0,200}}?\bdefault(?:_value(?:_t)?)?\s?[=:]\s?(?P<value>{_LITERAL})""",
    re.IGNORECASE,
)
_DEFAULT_OF_ABOVE = re.compile(
    rf"""^[^"']{{0,60}}?\b(?:default|default_value|default_value_t|defaultValue)\s?[=:(]\s?(?P<value>{_LITERAL})"""
    rf"""\s?[,)\]]{{0,3}}""",
    re.IGNORECASE,
)
_NAME_ABOVE = re.compile(
    r"""["'](?:--)?(?P<option>[a-z][\w-]{2,60})["']|^\s{0,40}(?:pub )?(?P<field>[a-z]\w{2,60})"""
    r"""\s?[:=]""",
    re.IGNORECASE,
)
_NO_SETTING = re.compile(
    r"(?:.*[._-])?(?:app|chart|image|new)?_?-?(?:version|tag|sha\d*|digest|revision|checksum|hash|date|updated|commit|"
    r"created\w*|rc|build)",
    re.IGNORECASE,
)
"""Values that follow every release."""

_WORTH_READING = re.compile(r"[dD]efault|DEFAULT|\.(?:Int|String|Bool|Duration|Float|Uint)\w{0,12}\(")
_SET_BELOW = re.compile(r"\b(?:default|default_value|default_value_t|defaultValue)\s?[=:(]")

Assigned = dict[str, tuple[str, str]]


def assigned(lines: tuple[str, ...], *, everywhere: bool) -> Assigned:
    """Return name → (literal, line) of defaults set on one line; a name set twice is no setting.

    Where not ``everywhere`` counts, a plain assignment counts only when its name says that it is a default.
    """
    found: Assigned = {}
    twice: set[str] = set()
    worth_reading = lines if everywhere else [line for line in lines if _WORTH_READING.search(line)]
    for line in worth_reading[:MOST_LINES]:
        pair = _on_one_line(line, everywhere=everywhere)
        if pair is not None and not _NO_SETTING.fullmatch(pair[0]):
            twice |= {pair[0]} & set(found)
            found[pair[0]] = (pair[1], line.strip())
    return {name: value for name, value in found.items() if name not in twice}


def _on_one_line(line: str, *, everywhere: bool) -> tuple[str, str] | None:
    if matched := _ASSIGNED.match(line):
        name = matched["name"].strip("\"'")
        if everywhere or ("default" in name.casefold() and name.casefold() != "default"):
            return name, matched["value"].strip()
        return None
    called = (_CALLED.search(line) or _OPTION.search(line)) if "(" in line else None
    declared_here = called or (_BUILT.match(line) if ".default(" in line else None)
    return (declared_here["name"], declared_here["value"].strip()) if declared_here else None


def declared(patch: str, read: PatchReading) -> Iterator[tuple[str, tuple[str, str], tuple[str, str]]]:
    """Yield (name, (old, line), (new, line)) of defaults that stand on a line below the option they belong to."""
    if not all(any(_SET_BELOW.search(line) for line in lines) for lines in (read.removed, read.added)):
        return
    name, named_at, by_option = "", -_NEAR, False
    old: tuple[str, str, str] | None = None
    old_at = -_NEAR
    for place, raw in enumerate(patch[:MOST_CHARACTERS].split("\n")[:MOST_LINES]):
        line = raw[1 : LONGEST_LINE + 1]
        if raw.startswith("@@"):
            named_at = old_at = place - _NEAR - 1
            continue
        found = _DEFAULT_OF_ABOVE.match(line)
        if found is None:
            above = None if raw.startswith("-") else _NAME_ABOVE.search(line)
            if above and (above["option"] or not by_option or place - named_at > _NEAR):
                name, named_at, by_option = above["option"] or above["field"], place, bool(above["option"])
        elif raw.startswith("-") and place - named_at <= _NEAR:
            old, old_at = (name, found["value"].strip(), line.strip()), place
        elif raw.startswith("+") and old is not None and place - old_at <= _NEAR:
            yield old[0], old[1:], (found["value"].strip(), line.strip())
            old = None

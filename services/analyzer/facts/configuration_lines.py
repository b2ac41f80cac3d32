"""Reads the keys of configuration files line by line: YAML, TOML, JSON, INI, properties and env files."""

from __future__ import annotations

import re
from collections.abc import Iterator

from services.analyzer.facts.calls import folded
from services.analyzer.facts.sides import Line, Side

MOST_UP = 800
"""Lines looked through upwards for the keys around one."""
_KEY = re.compile(
    r"(?P<indent>\s{0,80})(?:-\s{1,4})?(?P<quote>[\"']?)(?P<key>[A-Za-z_@$][\w.@/$-]{0,80})(?P=quote)\s{0,4}(?P<sign>[:=])(?:\s{1,8}|$|(?<==))(?P<value>.{0,300})$"
)
_EQUALS = re.compile(
    r"(?P<indent>\s{0,20})(?:export\s{1,4})?(?P<key>[A-Za-z_][\w.-]{0,80})\s{0,4}=\s{0,4}(?P<value>.{0,300})$"
)
_SECTION = re.compile(r"\s{0,20}\[{1,2}(?P<name>[\w.\"' /:-]{1,120})\]{1,2}\s{0,8}$")
_ENTRY = re.compile(r"\s{0,80}-\s{1,4}[\"']?(?P<key>[A-Z][A-Z0-9_]{1,80})=(?P<value>[^\"']{0,200})[\"']?\s{0,8}$")
_PORT = re.compile(
    r"\s{0,80}-\s{1,4}[\"']?(?P<host>(?:[\d.]{7,15}:)?[\w${}:.-]{1,60}):(?P<inner>\d{1,5})(?:/\w{3})?[\"']?\s{0,8}$"
)
_NO_SETTING = re.compile(
    r"(?:.*[._-])?(?:(?:app|chart|image|new|schema|api)?_?-?(?:version|tag|sha\d*|digest|revision|checksum|hash|date|updated|"
    r"commit|created\w*|image|repository)|\$schema|description|title|\w{0,60}version|\w{0,60}image(?:name|tag|repo\w{0,8})?)",
    re.IGNORECASE,
)
"""Values that follow every release, are pinned elsewhere, or only describe."""


def keys(side: Side, line: Line) -> Iterator[tuple[str, str]]:
    """Yield (path of the key, value as written) of a line; nothing where it opens a block."""
    text = line.code.rstrip()
    if found := _ENTRY.match(text):
        yield ".".join([*_around(side, line), found["key"]]), folded(found["value"])
    elif found := _PORT.match(text):
        around = _around(side, line)
        if around and around[-1] == "ports":
            yield ".".join([*around, found["inner"]]), folded(found["host"])
    elif found := _KEY.match(text) or _EQUALS.match(text):
        value = folded(found["value"])
        if value and value[:1] not in "{[|>&*" and not _NO_SETTING.fullmatch(found["key"]):
            yield ".".join([*_around(side, line), found["key"]]), value


def _around(side: Side, line: Line) -> list[str]:
    """The keys around a line, the outermost first, as far as they are known."""
    fragment = side.fragment_of(line.number)
    if fragment is None:
        return []
    place = line.number - fragment.first
    inner = _indent(line)
    listed = line.text.strip().startswith("- ")
    found: list[str] = []
    for up in range(place - 1, max(-1, place - MOST_UP), -1):
        above = fragment.lines[up]
        if not above.code.strip():
            continue
        if section := _SECTION.match(above.code):
            return [*section["name"].strip("\"'").split("."), *reversed(found)]
        indent = _indent(above)
        if indent > inner or (indent == inner and not listed):
            continue
        if above.text.strip().startswith("- "):  # a row of a list has no name of its own
            inner, listed = indent, True
        elif key := _KEY.match(above.code.rstrip()):
            found.append(key["key"])
            inner, listed = indent, False
    return list(reversed(found))


def _indent(line: Line) -> int:
    return len(line.text) - len(line.text.lstrip())

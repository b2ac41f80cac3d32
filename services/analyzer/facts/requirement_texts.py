"""Reads what one text asks for: ``name[extra] >= 1; marker``, the address of a wheel, a repository at a revision."""

from __future__ import annotations

import re
from dataclasses import dataclass

from services.analyzer.facts.sides import Line

MOST_TEXT = 500
VERSIONED = re.compile(r"(?:[=<>~!^]=?=?|@)\s{0,3}v?\d|@\s{0,3}(?:git|https?)\b")
"""Found in a text that asks for a version."""
_REQUIREMENT = re.compile(
    r"(?P<name>[A-Za-z0-9][\w.-]{0,99})\s{0,3}(?P<extras>\[[^\]]{0,80}\])?\s{0,3}"
    r"(?P<spec>(?:[=<>~!^]=?=?|\(|@)[^;\"'#]{1,200})?\s{0,3}(?:;(?P<marker>.{1,500}))?"
)
_ADDRESS = re.compile(r"(?:git\+)?(?:https?|ssh|git)://\S{4,300}")
_WHEEL = re.compile(
    r"/(?P<name>[A-Za-z0-9][\w.]{0,60})-(?P<version>\d[\w.+%!]{0,60})(?:-[\w.]{1,60}){3}\.whl",
)
_REVISION = re.compile(r"/(?P<name>[\w.-]{1,80}?)(?:\.git)?(?:@(?P<version>[\w./-]{1,80}))?(?:#.{0,120})?$")
_OPTIONS = re.compile(r"\s--?[a-z]|\s\\")


@dataclass(frozen=True, slots=True)
class Entry:
    """One package in one place; ``version`` as written, None where any will do."""

    name: str
    version: str | None
    line: Line
    group: str = ""
    """The section and list, in lower case: ``project.optional-dependencies tests``; empty where it is not seen."""
    extras: str = ""
    marker: str = ""
    source: str = ""
    """The address that it is fetched from, where that is no index of packages."""
    indirect: bool = False
    weak: bool = False
    """Whether the place alone does not prove that it is a package."""
    build: bool = False
    """Whether who builds the project resolves it, not who installs it."""


def requirement(text: str, line: Line, group: str = "") -> Entry | None:
    """Return what ``text`` asks for, None when it is no requirement."""
    text = text[:MOST_TEXT].strip().rstrip(",\\ ")
    if address := _ADDRESS.match(text):
        return _at_address(address[0], line, group)
    found = _REQUIREMENT.fullmatch(text)
    if found is None:
        return None
    spec = _OPTIONS.split(" ".join((found["spec"] or "").strip("() ").split()), maxsplit=1)[0]
    marker = " ".join((found["marker"] or "").split())
    source = ""
    if spec.startswith("@") and (address := _ADDRESS.search(spec)):
        source, known = address[0], _at_address(address[0], line, group)
        spec = known.version if known and known.version else spec
    return Entry(found["name"], spec or None, line, group, found["extras"] or "", marker, source)


def _at_address(address: str, line: Line, group: str) -> Entry | None:
    if wheel := _WHEEL.search(address):
        return Entry(wheel["name"].replace("_", "-"), wheel["version"], line, group, source=address)
    found = _REVISION.search(address) if address.startswith("git") else None
    return Entry(found["name"], found["version"], line, group, source=address) if found else None

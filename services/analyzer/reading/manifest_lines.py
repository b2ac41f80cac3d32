"""Walks the patch of a manifest and tells for each changed line in which section and which list it stands."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from services.analyzer.reading.patches import LONGEST_LINE, MOST_CHARACTERS

MOST_LINES = 3_000
"""Of one manifest's patch: longer ones are written by tools."""

_TOML_HEADER = re.compile(r"\[\[?\s*(?P<name>[\w.\"' @/-]{1,120}?)\s*\]\]?\s*(?:#.*)?$")
_LIST_OPENS = re.compile(r"[\"']?(?P<key>[\w.@/-]{1,80})[\"']?\s*[=:]\s*\[(?P<rest>[^\]]*)(?P<closed>\])?")
_JSON_OPENS = re.compile(r"\"(?P<name>[^\"]{1,80})\"\s*:\s*[{\[]\s*$")
_YAML_KEY = re.compile(r"(?P<name>[\w.\"'-]{1,80})\s*:(?:\s|$)")
_XML_ARTIFACT = re.compile(r"<artifactId>(?P<name>[\w.-]{1,120})</artifactId>")


@dataclass(frozen=True, slots=True)
class ManifestLine:
    """One changed line: its sign, its text, and where it stands as far as the patch shows (None where it does not)."""

    added: bool
    text: str
    indent: int
    section: str | None
    key: str | None
    """The list that is open, such as ``features``."""
    above: str | None
    """The artifact named in the lines just above, in XML."""


class _Place:
    """Where in the file the walk stands; forgotten at each hunk, for lines lie between them."""

    def __init__(self, ending: str) -> None:
        self.ending = ending
        self.forget()

    def forget(self) -> None:
        self.section: str | None = None
        self.key: str | None = None
        self.above: str | None = None
        self._open: list[str] = []

    def pass_by(self, text: str, indent: int) -> None:
        """Take note of what ``text`` opens and closes."""
        if self.ending == "toml":
            self._toml(text)
        elif self.ending == "json":
            self._json(text)
        elif self.ending in {"yaml", "yml"}:
            if indent == 0 and (found := _YAML_KEY.match(text)):
                self.section = found["name"].strip("\"'")
        elif found := _XML_ARTIFACT.search(text):
            self.above = found["name"]
        elif text.startswith(("</dependency>", "</plugin>", "</parent>", "<dependency>", "<plugin>")):
            self.above = None

    def _toml(self, text: str) -> None:
        if self.key is None and (found := _TOML_HEADER.match(text)):
            self.section = found["name"].replace('"', "").replace("'", "").casefold()
        elif text.startswith("]"):
            self.key = None
        elif (opened := _LIST_OPENS.match(text)) and not opened["closed"]:
            self.key = opened["key"].casefold()

    def _json(self, text: str) -> None:
        if opened := _JSON_OPENS.match(text):
            self._open.append(opened["name"])
        elif text.startswith(("}", "]")) and self._open:
            self._open.pop()
        elif text.startswith(("}", "]")):
            self.section = None
        self.section = self._open[-1] if self._open else None


def walk(patch: str, ending: str) -> Iterator[ManifestLine]:
    """Yield the changed lines of ``patch`` with their place; what ``ending`` says tells how places are written."""
    place = _Place(ending)
    for line in patch[:MOST_CHARACTERS].split("\n")[:MOST_LINES]:
        if line.startswith("@@"):
            place.forget()
            continue
        raw = line[1 : LONGEST_LINE + 1]
        text = raw.strip()
        indent = len(raw) - len(raw.lstrip())
        if line[:1] in {"+", "-"} and text:
            yield ManifestLine(line[0] == "+", text, indent, place.section, place.key, place.above)
        place.pass_by(text, indent)

"""Tells of each line of a manifest in which section and which list it stands, as far as a side shows it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from services.analyzer.facts.sides import Line, Side

_TOML_HEADER = re.compile(r"\[\[?\s{0,4}(?P<name>[\w.\"' @/()=,+-]{1,120}?)\s{0,4}\]\]?\s*$")
_OPENED = re.compile(r"[\"']?(?P<key>[\w.@/-]{1,80})[\"']?\s{0,8}(?:=|:|\+=)\s{0,8}(?:list\()?[\[{(]")
_JSON_OPENED = re.compile(r"\"(?P<name>[^\"]{1,80})\"\s{0,4}:\s{0,4}[{\[]\s*$")
_YAML_KEY = re.compile(r"(?P<name>[\w.\"'-]{1,80})\s{0,4}:(?:\s|$)")
_INI_KEY = re.compile(r"(?P<name>[\w.-]{1,80})\s{0,4}=")
_ARTIFACT = re.compile(r"<(?P<tag>artifactId|groupId)>(?P<name>[\w.${}-]{1,120})</")
_NEW_ARTIFACT = ("<dependency>", "</dependency>", "<plugin>", "</plugin>", "<parent>", "</parent>")


@dataclass(frozen=True, slots=True)
class Placed:
    """A line without comment and blanks around it; what is not seen is None."""

    line: Line
    text: str
    section: str | None = None
    """The table, object or part of the file, in lower case and without quotes: ``project.optional-dependencies``."""
    key: str | None = None
    """The list that is open in it, such as ``requires``."""
    artifact: str | None = None
    """What the lines above name, in XML."""


def placed(side: Side, ending: str) -> Iterator[Placed]:
    """Yield every known line that has code; ``ending`` (``toml``, ``json``, ``xml`` …) tells how places are written."""
    for fragment in side.fragments:
        place = _walker(ending)
        if fragment.section:
            place.pass_by(fragment.section, 0)
        for line in fragment.lines:
            text = line.code.strip()
            if not text or text.startswith("<!--"):
                continue
            indent = len(line.code) - len(line.code.lstrip())
            place.before(text, indent)
            yield Placed(line, text, place.section, place.key, place.artifact)
            place.pass_by(text, indent)


class _Place:
    """Where the walk stands; it begins anew at each hunk, for lines lie between them."""

    def __init__(self) -> None:
        self.section: str | None = None
        self.key: str | None = None
        self.artifact: str | None = None

    def before(self, text: str, _indent: int) -> None:
        """Take note of what closes with ``text``, before it is read."""

    def pass_by(self, text: str, _indent: int) -> None:
        """Take note of what ``text`` opens and closes."""


class _Toml(_Place):
    def before(self, text: str, _indent: int) -> None:
        if text.startswith("]") or (_indent == 0 and _TOML_HEADER.match(text) and '"' not in text[:2]):
            self.key = None

    def pass_by(self, text: str, _indent: int) -> None:
        if self.key is None and (found := _TOML_HEADER.match(text)):
            self.section = found["name"].replace('"', "").replace("'", "").strip().casefold()
        elif (opened := _OPENED.match(text)) and "]" not in text[opened.end() :] and text[opened.end() - 1] == "[":
            self.key = opened["key"].casefold()
        elif self.key is not None and text.endswith("]") and text.count("]") > text.count("["):
            self.key = None


class _Json(_Place):
    def __init__(self) -> None:
        super().__init__()
        self._open: list[str] = []

    def before(self, text: str, _indent: int) -> None:
        if text[:1] in "}]" and self._open:
            self._open.pop()
        self.section = next((name for name in reversed(self._open) if name), None)

    def pass_by(self, text: str, _indent: int) -> None:
        if text[-1:] in "{[":
            opened = _JSON_OPENED.match(text)
            self._open.append(opened["name"].casefold() if opened else "")


class _Yaml(_Place):
    def pass_by(self, text: str, _indent: int) -> None:
        found = _YAML_KEY.match(text)
        if found and _indent == 0:
            self.section, self.key = found["name"].strip("\"'").casefold(), None
        elif found:
            self.key = found["name"].strip("\"'").casefold()


class _Ini(_Place):
    def pass_by(self, text: str, _indent: int) -> None:
        if text.startswith("[") and text.endswith("]"):
            self.section, self.key = text.strip("[] ").casefold(), None
        elif _indent == 0 and (found := _INI_KEY.match(text)):
            self.key = found["name"].casefold()


class _Xml(_Place):
    def before(self, text: str, _indent: int) -> None:
        if text.startswith(_NEW_ARTIFACT):
            self.artifact = None

    def pass_by(self, text: str, _indent: int) -> None:
        if found := _ARTIFACT.search(text):
            group = self.artifact if found["tag"] == "artifactId" and ":" not in (self.artifact or ":") else None
            self.artifact = f"{group}:{found['name']}" if group else found["name"]


class _Brackets(_Place):
    """Lists of a program, such as the arguments of ``setup()``."""

    def before(self, text: str, _indent: int) -> None:
        if text[:1] in "])}":
            self.key = None

    def pass_by(self, text: str, _indent: int) -> None:
        if (opened := _OPENED.match(text)) and text[-1:] in "[{(,":
            self.key = opened["key"].casefold()


_WALKERS: dict[str, type[_Place]] = {
    "toml": _Toml,
    "json": _Json,
    "yml": _Yaml,
    "yaml": _Yaml,
    "cfg": _Ini,
    "xml": _Xml,
    "py": _Brackets,
}


def _walker(ending: str) -> _Place:
    return _WALKERS.get(ending, _Place)()

"""Reads dependency lines of manifests and build files: which name had which version before and after."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from services.analyzer.reading.reading import FileReading

_VERSIONED = re.compile(
    r"""(?<![\w.@/:\[,-])["']?(?P<name>[A-Za-z@][A-Za-z0-9_.@/:\[\],-]{0,99}?)["']?\s{0,4}(?:[=:<>~!^@]{1,3}|\s)\s{0,4}["'(\[{]?\s{0,3}(?:version\s?=\s?)?["']?
    (?P<version>[v^~<>=]{0,3}\s?\d[\w.+*-]{0,60})""",
    re.VERBOSE,
)
_FROM_IMAGE = re.compile(
    r"^\s{0,8}FROM\s+(?:--\S+\s+)?(?P<name>[^\s:@]{1,120})(?:[:@](?P<version>[^\s]{1,120}))?", re.IGNORECASE
)
_IMAGE_ARGUMENT = re.compile(
    (
        r"^\s{0,8}(?:ARG|ENV)\s+(?P<name>\w{0,60}(?:VERSION|BRANCH|TAG|COMMIT|REF|IMAGE|"
        r"SHA)\w{0,20})\s?=\s?[\"']?(?P<version>[^\s\"']{1,120})"
    ),
    re.IGNORECASE,
)
_PLACE = r"(?:[~^<>=v ]{0,4}\d|workspace:|npm:|catalog:|file:|link:|git|https?:|latest|next|\*)"
_ENTRIES = {
    "json": (re.compile(rf'"(?P<name>[^"]{{1,120}})"\s?:\s?"(?P<version>{_PLACE}[^"]{{0,120}})"'),),
    "toml": (
        re.compile(
            r"""["'](?P<name>[A-Za-z][\w.-]{0,99}(?:\[[^\]]{0,60}\])?)\s?(?P<version>[=<>~!^@][^"']{1,120})["']"""
        ),
        re.compile(rf"""["']?(?P<name>[A-Za-z][\w.-]{{0,99}})["']?\s?=\s?["'](?P<version>{_PLACE}[^"']{{0,80}})["']"""),
        re.compile(
            r"""["']?(?P<name>[A-Za-z][\w.-]{0,99})["']?\s?=\s?\{.{0,200}?\b(?:version|rev|tag|branch|git|path)\s?=\s?["'](?P<version>[^"']{1,120})"""
        ),
        re.compile(r"""["'](?P<name>[a-z][a-z0-9_-]{2,60}(?:\[[^\]]{0,60}\])?)["'],?$"""),
    ),
}
"""Entries of manifests in JSON and TOML: a value must be a version or a place to get one from, no script, no switch."""
_COMMAND = re.compile(
    r"\b(?:pip3?|uv|npm|yarn|pnpm|gem|cargo|go|apt-get|apt|apk|dnf|yum|brew)\s+(?:\S+\s+){0,2}?(?:install|add|get)\b"
)
_PIN = re.compile(
    (
        r"\b(?:GIT_TAG|GIT_REPOSITORY|URL_HASH|FetchContent_Declare|find_package|set\(\w{0,60}(?:VERSION|TAG)|"
        r"uses:|rev:|commit\s?=|sha256\s?=)"
    ),
    re.IGNORECASE,
)
_DECLARED = re.compile(
    r"""^\s{0,8}[-+]?\s{0,4}["']?(?P<name>[A-Za-z@][A-Za-z0-9_.@/-]{1,99})(?:\[[^\]]{0,60}\])?["']?\s{0,3}(?:[=<>~!^]=?.{0,80}|:\s.{1,80}|@\s?\S{1,80}|;.{0,80}|,?)\s{0,3}$"""
)


@dataclass(frozen=True, slots=True)
class DependencyLine:
    """One changed line of a manifest: the name, the version as written (None when it has none), and the line."""

    name: str
    version: str | None
    line: str


def read_line(line: str, file: FileReading) -> DependencyLine | None:
    """Return what a changed line of a manifest or build file pins, or None when it pins nothing."""
    text = line.strip()
    if not text or (text.startswith(("#", "//", "<!--", "--")) and not _PIN.search(text)):
        return None
    ending = file.path.folded.rsplit(".", 1)[-1]
    if ending in {"json", "toml"}:
        found = next((hit for pattern in _ENTRIES[ending] if (hit := pattern.match(text))), None)
    elif file.path.toolchain and not file.path.manifest:
        found = _FROM_IMAGE.match(text) or _IMAGE_ARGUMENT.match(text)
        if found is None and (_COMMAND.search(text) or re.search(r"\d+\.\d+", text)):
            found = _VERSIONED.search(text)
    else:
        found = _VERSIONED.search(text) or _DECLARED.match(text)
    if found is not None:
        version = found.groupdict().get("version")
        return DependencyLine(found["name"].strip("\"'[").rstrip("@,"), version.strip(" ,") if version else None, text)
    return DependencyLine(text[:60], None, text) if _PIN.search(text) or _COMMAND.search(text) else None


def changed_pins(file: FileReading) -> Iterator[tuple[DependencyLine | None, DependencyLine | None]]:
    """Yield (old, new) for every pin that the patch changes; None where it was added or taken out."""
    old = _pins(file.patch.removed, file)
    new = _pins(file.patch.added, file)
    for name, line in sorted(new.items(), key=lambda item: "indirect" in item[1].line):
        before = old.pop(name, None)
        if before is None or before.version != line.version or (before.version is None and before.line != line.line):
            yield before, line
    for line in old.values():
        yield line, None


def _pins(lines: tuple[str, ...], file: FileReading) -> dict[str, DependencyLine]:
    found = (read_line(line, file) for line in lines[:1_000])
    return {pin.name.casefold(): pin for pin in found if pin is not None}

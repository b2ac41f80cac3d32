"""Finds environment variables that become read, and defaults that change, in the lines of patches."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from services.analyzer.reading.paths import FileKind
from services.analyzer.reading.reading import FileReading, Reading
from services.analyzer.reading.signs import LanguageSigns

_LITERAL = r"""true|false|none|null|-?\d[\d_.]{0,20}|"[^"]{0,40}"|'[^']{0,40}'"""
_ASSIGNED = re.compile(
    r"""^\s{0,40}(?P<name>[\w.\[\]"'-]{2,60}(?:\s?:\s?[\w\[\], |.]{1,60})?)\s?(?P<sign>[=:])\s?"""
    rf"(?P<value>{_LITERAL})\s?,?;?\s{{0,4}}(?:[#/].{{0,80}})?$",
    re.IGNORECASE,
)
_SETTINGS = re.compile(
    r"(?:^|[/_.-])(?:envs?|env_?vars|environment|settings?|defaults?|options?|flags|config\w{0,12}|args|"
    r"arg_utils|cli)(?:[/_.-]|$)"
)
_SETTINGS_KINDS = frozenset({FileKind.SOURCE, FileKind.CONFIGURATION})


@dataclass(frozen=True, slots=True)
class DefaultChange:
    """One setting with its old and new default, as written; ``old`` is None for a new setting."""

    name: str
    old: str | None
    new: str | None
    path: str
    line: str
    environment: bool

    @property
    def told(self) -> str:
        """The change in plain words."""
        noun = "environment variable" if self.environment else "setting"
        if self.old is None:
            return f"{noun} {self.name} is now read" + (f", default {self.new}" if self.new else "")
        if self.new is None:
            return f"{noun} {self.name} is no longer read here"
        return f"default of {noun} {self.name}: {self.old} → {self.new}"


def environment_changes(reading: Reading, signs: LanguageSigns) -> Iterator[DefaultChange]:
    """Yield environment variables that product code newly reads, no longer reads, or reads with another default."""
    old: dict[str, tuple[str | None, FileReading, str]] = {}
    new: dict[str, tuple[str | None, FileReading, str]] = {}
    for file in reading.files:
        sign = signs.environment.get(file.language.name) if file.language else None
        if sign is None or file.kind not in _SETTINGS_KINDS or file.path.test:
            continue
        for seen, lines in ((old, file.patch.removed), (new, file.patch.added)):
            for line, found, _ in sign.find(lines):
                default = found.groupdict().get("default")
                seen.setdefault(found["name"], (default.strip() if default else None, file, line))
    for variable, (value, file, line) in new.items():
        before = old.pop(variable, None)
        if before is None:
            yield DefaultChange(variable, None, value, file.name, line, environment=True)
        elif before[0] != value and before[0] is not None and value is not None:
            yield DefaultChange(variable, before[0], value, file.name, line, environment=True)
    for variable, (value, file, line) in old.items():
        yield DefaultChange(variable, value or "read", None, file.name, line, environment=True)


def default_changes(reading: Reading, signs: LanguageSigns) -> Iterator[DefaultChange]:
    """Yield settings whose default became another: environment variables, and literals in files of settings."""
    for change in environment_changes(reading, signs):
        if change.old is not None and change.new is not None:
            yield change
    for file in reading.files:
        if file.kind not in _SETTINGS_KINDS or file.path.test or not _SETTINGS.search(file.path.folded):
            continue
        before = _assigned(file.patch.removed)
        for name, (value, line) in _assigned(file.patch.added).items():
            if name in before and before[name][0] != value:
                yield DefaultChange(name, before[name][0], value, file.name, line, environment=False)


def _assigned(lines: tuple[str, ...]) -> dict[str, tuple[str, str]]:
    """Name → (value, line) of literal assignments; a name that is set twice is no setting."""
    found: dict[str, tuple[str, str]] = {}
    twice: set[str] = set()
    for line in lines[:1_000]:
        if matched := _ASSIGNED.match(line):
            name = re.split(r"\s?:\s?", matched["name"], maxsplit=1)[0].strip("\"'")
            twice |= {name} & set(found)
            found[name] = (matched["value"].strip(), line.strip())
    return {name: value for name, value in found.items() if name not in twice}

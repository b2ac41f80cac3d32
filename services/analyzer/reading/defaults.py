"""Finds environment variables that become read, and defaults that change, in the lines of patches."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from services.analyzer.reading.declared_defaults import assigned, declared
from services.analyzer.reading.paths import FileKind
from services.analyzer.reading.reading import FileReading, Reading
from services.analyzer.reading.signs import LanguageSigns

_SETTINGS = re.compile(
    r"(?:^|[/_.-])(?:envs?|env_?vars|environment|settings?|defaults?|options?|flags|config\w{0,12}|args|"
    r"arg_utils|cli|values)(?:[/_.-]|$)"
)
_SETTINGS_KINDS = frozenset({FileKind.SOURCE, FileKind.CONFIGURATION})
_TOOLING_FOLDERS = frozenset({"scripts", "script", "tools", "hack", "ci", ".github", "release"})
_OF_THE_SYSTEM = re.compile(
    r"(?:path|home|term|shell|user|username|logname|pwd|lang|language|lc_\w+|tz|tmpdir|temp|tmp|ci|github_\w+|gitlab_\w+|"
    r"sudo_\w+|no_color|force_color|clicolor\w*|colorterm|msystem|editor|visual|pager|browser|xdg_\w+|display|"
    r"hostname|appdata|localappdata|userprofile|programfiles\S*|systemroot|comspec|columns|lines|java_home|gopath|"
    r"goroot|virtual_env|conda_\w+|python(?:path|home)|ld_library_path|cargo_\w+|rustflags|out_dir|https?_proxy|"
    r"no_proxy|all_proxy|ssh_\w+|node_\w+|npm_\w+|java\.\S+|os\.\S+|user\.\S+|line\.separator|file\.\S+)",
    re.IGNORECASE,
)
"""Variables of the system, the shell and the build that programs read everywhere: no setting of the project."""


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
            return f"{noun} {self.name} is new" + (f", default {self.new}" if self.new else "")
        if self.new is None:
            return f"{noun} {self.name} is no longer read"
        return f"default of {noun} {self.name}: {self.old} → {self.new}"


def environment_changes(reading: Reading, signs: LanguageSigns) -> Iterator[DefaultChange]:
    """Yield environment variables that product code newly reads, no longer reads, or reads with another default.

    One that is no longer read is only told where settings are kept: elsewhere it may be read in another place.
    """
    old, new = _variables(reading, signs)
    for variable, seen in new.items():
        before = old.pop(variable, None)
        if before is None:
            yield DefaultChange(variable, None, seen.value, seen.file.name, seen.line, environment=True)
        elif before.value != seen.value and before.value is not None and seen.value is not None:
            yield DefaultChange(variable, before.value, seen.value, seen.file.name, seen.line, environment=True)
    for variable, seen in old.items():
        if _SETTINGS.search(seen.file.path.folded) or variable in reading.title.raw:
            yield DefaultChange(variable, seen.value or "read", None, seen.file.name, seen.line, environment=True)


def _variables(reading: Reading, signs: LanguageSigns) -> tuple[dict[str, _Seen], dict[str, _Seen]]:
    """The environment variables on the removed and on the added lines, each where it is first read."""
    old: dict[str, _Seen] = {}
    new: dict[str, _Seen] = {}
    for file in reading.files:
        sign = signs.environment.get(file.language.name) if file.language else None
        if sign is None or not _holds_settings(file):
            continue
        for variables, lines in ((old, file.patch.removed), (new, file.patch.added)):
            for line, found, _ in sign.find(lines):
                default = found.groupdict().get("default")
                if not _OF_THE_SYSTEM.fullmatch(found["name"]):
                    variables.setdefault(found["name"], _Seen(default.strip() if default else None, file, line))
    return old, new


def default_changes(reading: Reading, signs: LanguageSigns) -> Iterator[DefaultChange]:
    """Yield settings whose default became another: environment variables, then what declares a default in code.

    In files of settings every literal is a default; elsewhere only what is named so, or declared as one.
    """
    for change in environment_changes(reading, signs):
        if change.old is not None and change.new is not None:
            yield change
    for file in reading.files:
        if not _holds_settings(file) or not file.patch.size:
            continue
        everywhere = _SETTINGS.search(file.path.folded) is not None
        before = assigned(file.patch.removed, everywhere=everywhere)
        after = assigned(file.patch.added, everywhere=everywhere)
        pairs = [(name, before[name], after[name]) for name in after if name in before]
        for name, (old, _), (new, line) in (*pairs, *declared(file.file.patch or "", file.patch)):
            if old != new:
                yield DefaultChange(name, old, new, file.name, line, environment=False)


@dataclass(frozen=True, slots=True)
class _Seen:
    """One reading of an environment variable."""

    value: str | None
    file: FileReading
    line: str


def _holds_settings(file: FileReading) -> bool:
    folders = file.path.folded.split("/")[:-1]
    return file.kind in _SETTINGS_KINDS and not file.path.test and _TOOLING_FOLDERS.isdisjoint(folders)

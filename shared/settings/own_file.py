"""Settings that a watched repository gives itself in ``.github/mergecast.toml``, within what its operator allows."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import AfterValidator, BeforeValidator, Field, ValidationError, model_validator

from shared.domain.errors import InvalidInput
from shared.domain.taxonomy import Risk
from shared.settings.model import Settings
from shared.settings.path_patterns import is_bounded
from shared.settings.repository import RepositorySettings
from shared.settings.values import Language, Section, ZoneName

OWN_FILE = ".github/mergecast.toml"
LARGEST = 64 * 1024
"""Bytes."""
MOST_PATTERNS = 500
"""In the whole file."""

_LIMITED = ("featured", "key_pull_requests")
_LONGEST_SHOWN = 60
_DEEP_KEY = re.compile(
    r"""(?<![\w\\-])(?:(?:[\w-]++|"(?:[^"\\\n]|\\.)*+"|'[^'\n]*+')[ \t]*+\.[ \t]*+){16}""",
)
"""A dotted key of many parts: the time that the TOML reader takes grows with the square of their number."""


def _bounded(pattern: str) -> str:
    if not is_bounded(pattern):
        raise ValueError(
            "a pattern must not be empty, longer than 300 characters or have more than 16 wildcards, "
            "or more than two stars that may have to be tried again"
        )
    return pattern


def _plain_zone(name: str) -> str:
    """Zones are read from files: a name that could lead elsewhere is none."""
    if not re.fullmatch(r"[A-Za-z0-9_+/-]{1,64}", name):
        raise ValueError("there is no such time zone")
    return name


Zone = Annotated[ZoneName, BeforeValidator(_plain_zone)]
Pattern = Annotated[str, AfterValidator(_bounded)]
AreaName = Annotated[str, Field(min_length=1, max_length=40)]


class OwnFile(Section):
    """What may be set there; everything else is the operator's alone."""

    branches: tuple[Pattern, ...] = Field(default=(), max_length=50)
    areas: dict[AreaName, tuple[Pattern, ...]] = Field(default={}, max_length=100)
    core_paths: tuple[Pattern, ...] = ()
    risks: dict[Risk, bool] = {}
    timezone: Zone = "UTC"
    languages: tuple[Language, ...] = Field(default=("en",), min_length=1, max_length=10)
    featured: int = Field(default=1, gt=0, le=60)
    key_pull_requests: int = Field(default=1, gt=0, le=12)
    model: bool = True

    @model_validator(mode="after")
    def _few_patterns(self) -> OwnFile:
        written = len(self.branches) + len(self.core_paths) + sum(map(len, self.areas.values()))
        if written > MOST_PATTERNS:
            raise ValueError(f"it has {written} patterns, and {MOST_PATTERNS} are the most")
        return self


def allows_own_file(settings: Settings, listed: RepositorySettings) -> bool:
    """Whether the operator lets this repository override its settings."""
    return settings.github.own_files if listed.own_file is None else listed.own_file


def overridden(listed: RepositorySettings, text: str) -> RepositorySettings:
    """Return ``listed`` with what ``text``, an own file, sets; each value it sets replaces the operator's whole one.

    ``featured`` and ``key_pull_requests`` are at most those of ``listed``, and ``model`` can only be switched off.
    InvalidInput, in one line, for a file that is too large, no TOML, sets what only the operator may set, or sets it
    wrong.
    """
    own = _parsed(text)
    changes: dict[str, Any] = {name: getattr(own, name) for name in own.model_fields_set}
    for name in _LIMITED:
        limit = getattr(listed, name)
        if name in changes and limit is not None:
            changes[name] = min(changes[name], limit)
    if "model" in changes:
        changes["model"] = own.model and listed.model
    if "languages" in changes:
        changes["languages"] = tuple(dict.fromkeys(changes["languages"]))
    return listed.model_copy(update=changes)


def effective(settings: Settings, full_name: str, texts: Mapping[str, str]) -> RepositorySettings:
    """Return the settings in force of a repository, given its good convention files (text by path).

    The operator's entry, overridden by the own file where that is allowed; a file that does not fit any more, after an
    update of this program, overrides nothing.
    """
    listed = settings.repository(full_name)
    text = texts.get(OWN_FILE)
    if text is None or not allows_own_file(settings, listed):
        return listed
    limits = {name: getattr(listed, name) or getattr(settings.digest, name) for name in _LIMITED}
    try:
        return overridden(listed.model_copy(update=limits), text)
    except InvalidInput:
        return listed


def _parsed(text: str) -> OwnFile:
    values = _read(text)
    for name in values:
        if name not in OwnFile.model_fields:
            raise InvalidInput(
                f"{OWN_FILE} must not set '{_shown(name)}'.", f"It may set {', '.join(OwnFile.model_fields)}."
            )
    try:
        return OwnFile.model_validate(values)
    except ValidationError as error:
        raise InvalidInput(_first_fault(error), "docs/configuration.md says what it may be.") from error


def _read(text: str) -> dict[str, Any]:
    if len(text.encode("utf-8", "replace")) > LARGEST:
        raise InvalidInput(f"{OWN_FILE} is larger than {LARGEST // 1024} KB.", "Say less in it.")
    if _DEEP_KEY.search(text):
        raise InvalidInput(f"{OWN_FILE} is nested too deeply.", "No setting there has more than two levels.")
    try:
        return tomllib.loads(text.removeprefix("\ufeff"))
    except ValueError as error:
        raise InvalidInput(f"{OWN_FILE} is not TOML: {_shown(str(error), 200)}.", "Mend that line.") from error
    except RecursionError as error:
        raise InvalidInput(f"{OWN_FILE} is nested too deeply.", "No setting there has more than two levels.") from error


def _first_fault(error: ValidationError) -> str:
    fault = error.errors(include_url=False, include_input=False, include_context=False)[0]
    place = ".".join(_shown(str(part)) for part in fault["loc"] if part != "[key]")
    wrong = f"'{place}' of {OWN_FILE} is wrong" if place else f"{OWN_FILE} is wrong"
    return f"{wrong}: {_shown(fault['msg'].removeprefix('Value error, '), 200)}."


def _shown(text: str, longest: int = _LONGEST_SHOWN) -> str:
    """What a stranger wrote, as it may stand in a log line: short, and without signs that steer a terminal."""
    printable = "".join(sign if sign.isprintable() else "\N{REPLACEMENT CHARACTER}" for sign in text[: longest + 1])
    return printable if len(text) <= longest else f"{printable[:longest]}…"

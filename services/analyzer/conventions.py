"""Reads the repository's own conventions: ``labeler.yml`` of both formats, and CODEOWNERS."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import yaml

from services.analyzer.area_names import convention_area, plain_name
from services.analyzer.path_globs import PathGlobs, gitignore_globs, minimatch_globs

LARGEST_FILE = 256 * 1024
"""Characters; a larger convention file is not read, for it is parsed in memory."""
MOST_GLOBS = 5_000
_SECTION = re.compile(r"\^?\[(?P<name>[^\]]{1,60})\](?:\[\d{1,3}\])?(?:\s+@.*)?")
_TEAM_WORDS = re.compile(r"-(?:team|maintainers?|reviewers?|owners?|codeowners?|admins?|devs?|leads?)$")


@dataclass(frozen=True)
class GlobArea:
    """One area with the paths that belong to it and the file that says so."""

    name: str | None
    globs: PathGlobs
    origin: str


def read_labeler(text: str, origin: str) -> tuple[GlobArea, ...]:
    """Return the areas of a ``labeler.yml``, version 4 or 5 of actions/labeler; one that cannot be read gives none.

    A file must fit one pattern and none that begins with ``!``; patterns on branches say nothing about files.
    """
    areas = []
    for label, rules in _mapping(text).items():
        name = convention_area(str(label))
        globs = [glob for glob in _globs(rules, MOST_GLOBS) if glob]
        if name and any(not glob.startswith("!") for glob in globs):
            areas.append(GlobArea(name, minimatch_globs(globs[:MOST_GLOBS]), f"label '{label}' in {origin}"))
    return tuple(areas)


def read_codeowners(text: str, origin: str) -> tuple[GlobArea, ...]:
    """Return the areas of a CODEOWNERS file, the strongest first (the last line that matches wins).

    The area is the section where there are sections, else the one team of the line; a line without either, or for
    every path, has no name but still ends the search, as it does for owners.
    """
    areas: list[GlobArea] = []
    section: str | None = None
    for written in text[:LARGEST_FILE].splitlines()[:MOST_GLOBS]:
        line = written.split(" #", 1)[0].strip()
        if not line or line.startswith("#"):
            continue
        if heading := _SECTION.fullmatch(line):
            section = plain_name(heading["name"])
            continue
        pattern, *owners = line.split()
        everything = pattern.strip("/") in {"*", "**", ""}
        name = None if everything else section or _team(owners)
        areas.append(GlobArea(name, gitignore_globs([pattern]), f"'{pattern}' in {origin}"))
    return tuple(reversed(areas))


def read_conventions(texts: Mapping[str, str]) -> tuple[tuple[GlobArea, ...], tuple[GlobArea, ...]]:
    """Return the areas of labeler files and those of CODEOWNERS files among ``texts`` (text by path)."""
    labeled: list[GlobArea] = []
    owned: list[GlobArea] = []
    for path, text in sorted(texts.items()):
        name = path.rsplit("/", 1)[-1].casefold()
        if name in {"labeler.yml", "labeler.yaml"}:
            labeled.extend(read_labeler(text, path))
        elif name == "codeowners":
            owned.extend(read_codeowners(text, path))
    return tuple(labeled), tuple(owned)


def _team(owners: list[str]) -> str | None:
    teams = [owner for owner in owners if owner.startswith("@") and "/" in owner]
    if len(teams) != 1:
        return None
    slug = _TEAM_WORDS.sub("", plain_name(teams[0].split("/", 1)[1]))
    return slug or None


def _mapping(text: str) -> dict[Any, Any]:
    if len(text) > LARGEST_FILE:
        return {}
    try:
        value = yaml.safe_load(text)
    except (yaml.YAMLError, ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def _globs(rules: Any, most: int) -> Iterator[str]:
    """Walk the rules of one label without recursion: aliases may make a small file a very large tree."""
    waiting, seen = [rules], 0
    while waiting and seen < most:
        seen += 1
        rule = waiting.pop(0)
        if isinstance(rule, str):
            yield rule
        elif isinstance(rule, list):
            waiting.extend(rule[:most])
        elif isinstance(rule, dict):
            waiting.extend(value for key, value in rule.items() if str(key) not in {"base-branch", "head-branch"})

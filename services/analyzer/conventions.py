"""Reads the repository's own conventions: labeler files, CODEOWNERS, and what is wrong with them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from services.analyzer.area_names import plain_name
from services.analyzer.labeler import read_labeler
from services.analyzer.path_globs import PathGlobs, codeowners_globs
from shared.domain.errors import InvalidInput

LARGEST_CODEOWNERS = 1024 * 1024
"""Characters; a third of what GitHub reads."""
MOST_LINES = 5_000
"""Lines of a CODEOWNERS file that name a pattern."""

_LINE = re.compile(r"(?P<pattern>(?:\\.|[^\s\\])+)(?P<owners>.*)")
LONGEST_OWNER = 320
"""Characters of an account or an address: the local part of one has at most 64, its domain 255."""
_OWNER = re.compile(r"@[\w.-]+(?:/[\w.-]+)*|[^@\s]+@[^@\s][^@\s.]*\.[^@\s]+")
"""Each sign can be read in one way only, so that nothing is tried twice."""
_SECTION = re.compile(r"\^?\[(?P<name>[^\]]{1,60})\](?:\[\d{1,3}\])?(?:\s+@.*)?")
_TEAM_WORDS = re.compile(r"-(?:team|maintainers?|reviewers?|owners?|codeowners?|admins?|devs?|leads?)$")


@dataclass(frozen=True)
class GlobArea:
    """One area with the paths that belong to it and the file that says so."""

    name: str | None
    globs: PathGlobs
    origin: str


def fault_of(path: str, text: str) -> str | None:
    """Return what is wrong with a labeler or CODEOWNERS file, in one line; None when it can be used."""
    try:
        _read(path, text)
    except InvalidInput as error:
        return f"{path} cannot be used: {error.message}."
    return None


def read_conventions(texts: Mapping[str, str]) -> tuple[tuple[GlobArea, ...], tuple[GlobArea, ...]]:
    """Return the areas of labeler files and those of CODEOWNERS files among ``texts`` (text by path).

    A file that cannot be used gives none.
    """
    labeled: list[GlobArea] = []
    owned: list[GlobArea] = []
    for path, text in sorted(texts.items()):
        try:
            (owned if _is_codeowners(path) else labeled).extend(_read(path, text))
        except InvalidInput:
            continue
    return tuple(labeled), tuple(owned)


def read_codeowners(text: str, origin: str) -> tuple[GlobArea, ...]:
    r"""Return the areas of a CODEOWNERS file, the strongest first; a path is in the one of the last line that fits it.

    The area is the section where there are sections, else the one team of the line; a line without either, or for
    every path, has no name but still ends the search, as it does for owners. Lines that GitHub skips are skipped: with
    ``!``, with ``\#``, with an owner that is neither account nor address. InvalidInput when there is too much of it.
    """
    if len(text) > LARGEST_CODEOWNERS:
        raise InvalidInput(f"it is larger than {LARGEST_CODEOWNERS // 1024} KB")
    lines: list[tuple[str, str | None]] = []
    section: str | None = None
    for written in text.removeprefix("\ufeff").split("\n"):
        line = re.sub(r"(?:^|\s)#.*", "", written).strip()
        if heading := _SECTION.fullmatch(line):
            section = plain_name(heading["name"])
        elif found := _LINE.fullmatch(line):
            pattern, owners = found["pattern"], found["owners"].split()
            if pattern.startswith(("!", r"\#")) or not all(map(_is_owner, owners)):
                continue
            everything = pattern.strip("/") in {"*", "**", ""}
            name = None if everything else section or _team(owners)
            lines.append((pattern, name))
            if len(lines) > MOST_LINES:
                raise InvalidInput(f"it has more than {MOST_LINES:,} patterns")
    globs = codeowners_globs([pattern for pattern, _ in lines])
    areas = [
        GlobArea(name, each, f"'{pattern}' in {origin}") for (pattern, name), each in zip(lines, globs, strict=True)
    ]
    return tuple(reversed(areas))


def _read(path: str, text: str) -> tuple[GlobArea, ...]:
    if _is_codeowners(path):
        return read_codeowners(text, path)
    if path.rsplit("/", 1)[-1].casefold() in {"labeler.yml", "labeler.yaml"}:
        return tuple(GlobArea(each.area, each.globs, f"label '{each.label}' in {path}") for each in read_labeler(text))
    return ()


def _is_codeowners(path: str) -> bool:
    return path.rsplit("/", 1)[-1].casefold() == "codeowners"


def _is_owner(written: str) -> bool:
    return len(written) <= LONGEST_OWNER and _OWNER.fullmatch(written) is not None


def _team(owners: list[str]) -> str | None:
    teams = [owner for owner in owners if owner.startswith("@") and "/" in owner]
    if len(teams) != 1:
        return None
    slug = _TEAM_WORDS.sub("", plain_name(teams[0].split("/", 1)[1]))
    return slug or None

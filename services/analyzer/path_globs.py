"""Path patterns of settings and CODEOWNERS, as pathspec reads them, compared without case."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import TypeVar

from pathspec import GitIgnoreSpec, PathSpec
from pathspec.pattern import RegexPattern
from pathspec.patterns.gitignore.spec import GitIgnoreSpecPattern

from shared.domain.text import fold
from shared.settings.path_patterns import is_bounded

_TOGETHER = 50
"""Patterns of one matcher: RE2 gives each 8 MB for its program and its states, and refuses what needs more."""
_REMEMBERED = 1_024
"""Paths whose owner is known."""

_SIGN = re.compile(r"\\.|(?P<set>\[[!^]?\]?(?:\[:[a-z]+:\]|[^\]])*\])", re.DOTALL)
_NAMED = re.compile(r"\[:([a-z]+):\]")
_RANGES = {
    "alpha": "a-z",
    "digit": "0-9",
    "alnum": "a-z0-9",
    "lower": "a-z",
    "upper": "a-z",
    "xdigit": "0-9a-f",
    "space": " \t",
}
"""Sets by name, which pathspec does not know; paths are compared without case."""
_MISREAD = re.compile(r"^\[\[|\[:|--|&&|\|\||~~")
"""What Python's engine warns of in a set, or RE2 refuses."""


_Read = TypeVar("_Read")


@dataclass(frozen=True)
class PathGlobs:
    """Compiled patterns; ``match`` takes a folded path, ``patterns`` are those that were compiled."""

    match: Callable[[str], bool]
    patterns: tuple[str, ...]


def gitignore_globs(patterns: Iterable[str]) -> PathGlobs:
    """Return gitignore-style patterns; a later ``!pattern`` takes files out again; those out of bounds are dropped."""
    read = [(pattern, meant) for pattern in patterns if (meant := _gitignore(pattern)) is not None]
    specs = [GitIgnoreSpec(meant for _, meant in some) for some in _portions(read)]

    def last_word(path: str) -> bool:
        said = (spec.check_file(path).include for spec in reversed(specs))
        return next((include for include in said if include is not None), False)

    match = specs[0].match_file if len(specs) == 1 else last_word
    return PathGlobs(match, tuple(pattern for pattern, _ in read))


def codeowners_globs(patterns: Sequence[str]) -> tuple[PathGlobs, ...]:
    """Return the patterns of a CODEOWNERS file, in order; of those that fit a path, the last one alone matches it.

    Like gitignore, without ``!`` and ``[]``, and ``docs/*`` goes no deeper. One out of bounds fits nothing.
    https://docs.github.com/en/repositories/managing-your-repositorys-settings-and-features/customizing-your-repository/about-code-owners
    """
    read = [(place, meant) for place, each in enumerate(patterns) if (meant := _codeowners(each)) is not None]
    # A GitIgnoreSpec lets a pattern of files win over a later one of folders.
    portions = [([place for place, _ in some], PathSpec(meant for _, meant in some)) for some in _portions(read)]

    @lru_cache(maxsize=_REMEMBERED)
    def owning(path: str) -> int | None:
        said = ((places, spec.check_file(path).index) for places, spec in reversed(portions))
        return next((places[index] for places, index in said if index is not None), None)

    return tuple(PathGlobs(partial(_is, owning, place), (pattern,)) for place, pattern in enumerate(patterns))


def _is(owning: Callable[[str], int | None], place: int, path: str) -> bool:
    return owning(path) == place


def _portions(read: Sequence[_Read]) -> list[Sequence[_Read]]:
    return [read[start : start + _TOGETHER] for start in range(0, len(read), _TOGETHER)]


def _gitignore(pattern: str) -> GitIgnoreSpecPattern | None:
    """Return the pattern as pathspec reads it; None when it says nothing, or nothing that can be compared."""
    if not is_bounded(pattern):
        return None
    try:
        meant = GitIgnoreSpecPattern(_SIGN.sub(_plain_set, fold(pattern)))
    except (ValueError, re.error):
        return None
    return meant if meant.include is not None else None


def _plain_set(found: re.Match[str]) -> str:
    """Return a set without names; ValueError for one that the engines would read in different ways."""
    written = found["set"]
    if written is None:
        return found[0]
    if written == "[[]":
        return r"\["
    written = _NAMED.sub(lambda name: _RANGES.get(name[1], name[0]), written)
    if _MISREAD.search(written):
        raise ValueError(f"the set {written} has no one meaning")
    return written


def _codeowners(pattern: str) -> RegexPattern | None:
    """Return the pattern in gitignore's words; ``docs/*`` has none there, so a name is put behind its folder."""
    if pattern.startswith("!"):
        return None
    plain = re.sub(r"(?<!\\)\[", r"\\[", pattern)
    if not plain.endswith("/*") or plain.endswith("**/*"):
        return _gitignore(plain)
    folder = plain.removesuffix("*").removeprefix("/")
    below = _gitignore(f"/{folder}") if folder else RegexPattern(re.compile("^"), include=True)
    if below is None or below.regex is None:
        return None
    return RegexPattern(re.compile(f"{below.regex.pattern}[^/]+$"), include=True)

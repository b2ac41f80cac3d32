"""Path patterns from outside (settings, labeler.yml, CODEOWNERS), compared without case and without danger."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

import pathspec

from shared.domain.text import fold

LONGEST_GLOB = 300
MOST_STARS = 3
"""In one segment, and of ``**`` in a pattern: each further one multiplies the work of a comparison that fails."""
MOST_ALTERNATIVES = 64


@dataclass(frozen=True)
class PathGlobs:
    """Compiled patterns; ``match`` takes a folded path."""

    match: Callable[[str], bool]
    patterns: tuple[str, ...]


def gitignore_globs(patterns: Iterable[str]) -> PathGlobs:
    """Return gitignore-style patterns; a later ``!pattern`` takes files out again; those out of bounds are dropped."""
    kept = tuple(pattern for pattern in patterns if _sane(pattern))
    spec = pathspec.GitIgnoreSpec.from_lines(_tolerated(fold(pattern) for pattern in kept))
    plain = [pattern.regex.match for pattern in spec.patterns if pattern.include and pattern.regex is not None]
    if any(pattern.include is False for pattern in spec.patterns):
        return PathGlobs(spec.match_file, kept)
    if len(plain) == 1:
        alone = plain[0]
        return PathGlobs(lambda path: alone(path) is not None, kept)
    return PathGlobs(lambda path: any(match(path) for match in plain), kept)


def minimatch_globs(patterns: Iterable[str]) -> PathGlobs:
    """Return patterns in minimatch style, as actions/labeler uses: ``*`` stops at a slash, ``{a,b}`` is known.

    A path that one of the ``!patterns`` fits is not meant.
    """
    kept = tuple(pattern for pattern in patterns if _sane(pattern))
    meant = _any_of(pattern for pattern in kept if not pattern.startswith("!"))
    refused = _any_of(pattern[1:] for pattern in kept if pattern.startswith("!"))
    return PathGlobs(lambda path: bool(meant.fullmatch(path)) and not refused.fullmatch(path), kept)


def _any_of(patterns: Iterable[str]) -> re.Pattern[str]:
    expressions = [_minimatch(fold(each)) for pattern in patterns for each in _braces(pattern)]
    return re.compile("|".join(expressions) or r"(?!)")


def _sane(pattern: str) -> bool:
    segments = pattern.split("/")
    crowded = any(segment.count("*") > MOST_STARS for segment in segments)
    return bool(pattern.strip()) and len(pattern) <= LONGEST_GLOB and not crowded and segments.count("**") <= MOST_STARS


def _tolerated(patterns: Iterable[str]) -> list[str]:
    """Drop what pathspec refuses, such as a lone ``!``: one odd line must not cost the others."""
    kept = []
    for pattern in patterns:
        try:
            pathspec.GitIgnoreSpec.from_lines([pattern])
        except ValueError:
            continue
        kept.append(pattern)
    return kept


def _braces(pattern: str) -> list[str]:
    """Expand ``{a,b}``, innermost first, to at most 64 patterns."""
    done: list[str] = []
    waiting = [pattern]
    while waiting and len(done) + len(waiting) <= MOST_ALTERNATIVES:
        current = waiting.pop()
        found = re.search(r"\{([^{},]*(?:,[^{},]*)+)\}", current)
        if found is None:
            done.append(current)
        else:
            waiting.extend(current[: found.start()] + choice + current[found.end() :] for choice in found[1].split(","))
    return [*done, *waiting]


def _minimatch(pattern: str) -> str:
    segments = pattern.strip().removeprefix("./").split("/")
    expression = ""
    for place, segment in enumerate(segments):
        last = place == len(segments) - 1
        if segment == "**":
            expression += ".*" if last else "(?:[^/]+/)*"
        else:
            expression += _segment(segment) + ("" if last else "/")
    return f"(?:{expression})"


def _segment(segment: str) -> str:
    found = re.sub(r"\\\*(?:\\\*)*", "[^/]*", re.escape(segment)).replace(r"\?", "[^/]")
    return re.sub(r"\\\[(!?)([\w\\-]+)\\\]", lambda m: f"[{'^' if m[1] else ''}{m[2]}]", found)

"""Path patterns of labeler files, read by wcmatch as minimatch does, within bounds that keep comparing quick."""

from __future__ import annotations

import re
from itertools import permutations

import bracex
from wcmatch import glob

from services.analyzer.path_globs import PathGlobs
from shared.domain.text import fold
from shared.settings.path_patterns import is_bounded

LONGEST_PATH = 512
"""Characters of a path that may fit: it is Python's engine that compares, and a second ``**`` starts at each folder."""
DEEPEST_PATH = 64
"""Folders of a path that may fit."""
MOST_CHOICES = 64
"""Patterns that one pattern may stand for; one with two ``**`` before its end counts as eight."""
MOST_BRACES = 16
MOST_WORDS = 16
"""Alternatives in one group."""
HEAVIEST = 4
"""Of the segments with groups in one pattern: two for each star and each group that repeats, one for each other."""

_MEANT = glob.GLOBSTAR | glob.EXTGLOB | glob.DOTGLOB | glob.FORCEUNIX
_WARNED_OF = re.compile(r"(?<!\\)\[\[")
"""What wcmatch leaves of a range that runs backwards before a bracket, and Python's engine warns of."""
_STARS = re.compile(r"\*+")
_OPENING = re.compile(r"[@?+*!]\(")
_GROUP = re.compile(r"(?P<kind>[@?+*!])\((?P<words>[^()\[\]{}\\*?]*)\)")


def minimatch_glob(pattern: str) -> PathGlobs:
    """Return one pattern as actions/labeler reads it: minimatch with ``dot``, where ``!pattern`` fits all other paths.

    A pattern that is out of bounds fits nothing, and so does a comment. ``patterns`` are its choices of ``{a,b}``,
    written out. https://github.com/isaacs/minimatch
    """
    refused = len(pattern) - len(pattern.lstrip("!"))
    written = pattern[refused:].strip()
    readable = is_bounded(written) and written.count("{") <= MOST_BRACES and not pattern.startswith("#")
    choices = _choices(fold(written)) if readable else ()
    meant = _compiled(choices)
    if meant is None:
        return PathGlobs(lambda _: False, ())
    fits, opposite = meant.fullmatch, refused % 2 == 1

    def match(path: str) -> bool:
        usual = len(path) <= LONGEST_PATH and path.count("/") <= DEEPEST_PATH
        return usual and (fits(path) is None) is opposite

    return PathGlobs(match, choices)


def _choices(pattern: str) -> tuple[str, ...]:
    """Return the patterns that ``pattern`` stands for; none where one is out of bounds, or there are too many."""
    try:
        found = bracex.expand(pattern, keep_escapes=True, limit=MOST_CHOICES)
    except bracex.ExpansionLimitException:
        return ()
    choices = tuple(dict.fromkeys(choice.removeprefix("./") for choice in found))
    cost = sum(8 if _folders(choice) > 1 else 1 for choice in choices)
    return choices if cost <= MOST_CHOICES and all(map(_is_quick, choices)) else ()


def _compiled(choices: tuple[str, ...]) -> re.Pattern[str] | None:
    if not choices:
        return None
    together = "|".join(glob.translate(choices, flags=_MEANT)[0])
    if _WARNED_OF.search(together):
        return None
    try:
        return re.compile(together)
    except re.error:
        return None


def _folders(pattern: str) -> int:
    """Count the ``**`` that are not at the end."""
    return pattern.rstrip("*").split("/").count("**")


def _is_quick(pattern: str) -> bool:
    """Whether a path of ``LONGEST_PATH`` is compared in some milliseconds.

    Without groups it always is: wcmatch tries each part between two stars of a segment at the first place only.
    """
    grouped = [segment for segment in pattern.split("/") if _OPENING.search(segment)]
    groups = [group for segment in grouped for group in _GROUP.finditer(segment)]
    if sum(len(_OPENING.findall(segment)) for segment in grouped) != len(groups) or not all(map(_is_plain, groups)):
        return False
    stars = sum(len(_STARS.findall(_GROUP.sub(" ", segment))) for segment in grouped)
    weight = 2 * stars + sum(1 if group["kind"] in "@?" else 2 for group in groups)
    return is_bounded(pattern) and weight <= HEAVIEST and _folders(pattern) <= (1 if groups else 2)


def _is_plain(group: re.Match[str]) -> bool:
    """Whether a group has few words, and a path can be read as its words in one way only should it repeat.

    That is so where no word begins another one, or none ends another one.
    """
    words = group["words"].split("|")
    if len(words) > MOST_WORDS or group["kind"] not in "+*":
        return len(words) <= MOST_WORDS
    pairs = list(permutations(words, 2))
    return not (any(one.startswith(other) for one, other in pairs) and any(one.endswith(other) for one, other in pairs))

"""Takes a title apart: brackets, a Conventional Commits prefix, a series number, and what is left to read."""

from __future__ import annotations

import re
from dataclasses import dataclass

LONGEST_TITLE = 400
_MARK = re.compile(
    r"(?::[a-z0-9_+-]{2,30}:|[\U0001F000-\U0001FAFF\u2600-\u27BF\u2B00-\u2BFF\uFE0F\u200D]|\[x\])\s*", re.IGNORECASE
)
_BRACKET = re.compile(r"[\[【]\s*([^\[\]【】]{1,60}?)\s*[\]】]\s*:?\s*")
_BROKEN_BRACKET = re.compile(r"([A-Za-z/ ]{2,20})\]\s*")
_PREFIX = re.compile(
    r"(?P<word>[A-Za-z][A-Za-z_-]{1,20})\s?(?:\((?P<scope>[^()]{1,60})\))?(?P<bang>!)?\s?:\s+|"
    r"(?P<word2>[A-Za-z][A-Za-z_-]{1,20})\((?P<scope2>[^()]{1,60})\)(?P<bang2>!)?\s*:?\s*"
)
_SCOPE = re.compile(r"(?P<scope>[A-Za-z0-9_.@-]{1,40}(?:[/,] ?[A-Za-z0-9_.@*-]{1,40}){0,4}):\s+")
_ISSUE = re.compile(
    r"(?:[A-Z][A-Z0-9]{1,9}-\d{1,7}|(?:(?:Fixe[sd]|Refs?|Closes?d?|Resolves?d?)\s+)?(?:#|gh-|GH-)\d{1,9})"
    r"(?:\s*(?:--|[:–—-])\s*|\s+(?=[A-Z]))"
)
_TRAILING = re.compile(
    r"\s*(?:[(\[]\s*(?:(?:fix(?:e[sd])?|close[sd]?|resolve[sd]?|refs?|see|part of)[\s:]*)?"
    r"(?:(?:[\w.-]{1,60}/[\w.-]{1,80})?#\d{1,9}|GH-\d{1,9})(?:[\s,&]{1,3}#\d{1,9}){0,9}\s*[)\]])\s*$",
    re.IGNORECASE,
)
_SERIES = re.compile(
    (
        r"[\[(【]?\s*(?:part|pt\.?|step|phase|PR)?\s*(?P<part>\d{1,3}|last|final)\s*(?:/|of|"
        r"\bout of\b)\s*(?P<of>\d{1,3}|[nNxX])\s*[\])】]?"
    ),
    re.IGNORECASE,
)
_SERIES_WORD = re.compile(r"\b(?:part|pt\.?|step|phase)\s+(?P<part>\d{1,3}|[ivx]{1,4})\b", re.IGNORECASE)
_MOST_MARKS = 12


@dataclass(frozen=True, slots=True)
class Series:
    """Part ``part`` of ``of`` (either may be a letter or a word, as written) and the words that say so."""

    part: str
    of: str | None
    quote: str


@dataclass(frozen=True, slots=True)
class TitleReading:
    """A title in parts.

    ``text`` is what is shown: without brackets, prefix and references behind it. ``words`` is what the verbs are looked
    for in: also without a scope such as ``net/http:`` that stands alone.
    """

    raw: str
    text: str
    words: str
    brackets: tuple[str, ...]
    prefix: str | None
    scope: str | None
    bang: bool
    series: Series | None


def read_title(title: str, known_words: frozenset[str]) -> TitleReading:
    """Return the title in parts; a prefix counts as one only when its word is among ``known_words`` (folded)."""
    raw = " ".join(title[:LONGEST_TITLE].split())
    brackets: list[str] = []
    prefix, scope, bang = None, None, False
    rest, shown = raw, raw
    for _ in range(_MOST_MARKS):
        if mark := _MARK.match(rest) or _ISSUE.match(rest):
            rest = rest[mark.end() :]
            prefix = "fix" if prefix is None and mark[0].casefold().startswith("fix") else prefix
        elif bracket := _BRACKET.match(rest):
            brackets.append(bracket[1])
            rest = rest[bracket.end() :]
        elif brackets and (bracket := _BROKEN_BRACKET.match(rest)):
            brackets.append(bracket[1].strip())
            rest = rest[bracket.end() :]
        elif prefix is None and (matched := _PREFIX.match(rest)) and _word(matched) in known_words:
            prefix, scope = _word(matched), matched["scope"] or matched["scope2"]
            bang = bool(matched["bang"] or matched["bang2"])
            rest = rest[matched.end() :]
        elif scope is None and (matched := _SCOPE.match(rest)) and rest[matched.end() :]:
            scope, shown = matched["scope"], rest
            rest = rest[matched.end() :]
            break
        else:
            break
        shown = rest
    return TitleReading(raw, _shown(shown, raw), rest, tuple(brackets), prefix, scope, bang, _series(raw))


def _word(matched: re.Match[str]) -> str:
    return str(matched["word"] or matched["word2"]).casefold()


def _shown(rest: str, raw: str) -> str:
    """The title without trailing references to issues; the whole title when nothing would be left."""
    for _ in range(3):
        rest = _TRAILING.sub("", rest)
    return rest.strip() or raw


def _series(raw: str) -> Series | None:
    for found in _SERIES.finditer(raw):
        marked = found[0].strip()[0] in "[(【" or re.match(r"\s*[a-z]", found[0], re.IGNORECASE)
        inside = raw.rfind("[", 0, found.start()) > raw.rfind("]", 0, found.start())
        if marked or inside:
            return Series(found["part"].casefold(), found["of"].casefold(), found[0].strip())
    if found_word := _SERIES_WORD.search(raw):
        return Series(found_word["part"].casefold(), None, found_word[0])
    return None

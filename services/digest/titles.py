"""Titles as comparable words: prefixes, code, identifiers and plain words, each with the place where it stands."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from shared.domain.text import fold

_TRAILING_NUMBER = re.compile(r"\s*\(#\d+\)\s*$")
_CONVENTIONAL = re.compile(r"^\s*(?P<kind>[a-z]{2,12})(?:\((?P<scope>[^()]{1,60})\))?!?:\s+", re.IGNORECASE)
_BRACKETS = re.compile(r"\s*\[[^\[\]]{0,60}\]")
_PLAIN_SCOPE = re.compile(r"\s*[\w./+-]{2,40}:(?=\s)")
_QUOTED = re.compile(r"`[^`]+`")
_WORD = re.compile(r"[^\W_](?:\w|[-.+](?=\w))*|_\w+")
_WIDE = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_WIDE_PARTS = re.compile(rf"{_WIDE.pattern}|[^\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+")
_BOUNDARY = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|(?<=[A-Za-z])(?=[0-9])|(?=[A-Z])|[-_.+]+")
_LONGEST = 300
"""Characters of a title that are compared; the host itself allows 256."""

_CHANGE = """
    feat feature features fix fixes fixed fixing bugfix bugfixes bug bugs hotfix perf performance refactor refactoring
    refactored cleanup clean chore misc docs doc documentation test tests testing unittest ut ci build style revert
    reverts reland reapply deps dependencies dependency minor wip backport cherry pick cherrypick release bump upgrade
    update updates typo typos nit new core general improvement improvements enhancement optimization opt
"""
CHANGE_WORDS = frozenset(_CHANGE.split())
"""Words that say what kind of change it is, not what it is about."""

_STOP = """
    a an the and or nor of in on at to for from by with without into onto over under via per as is are be been being was
    were it its this that these those not no non only also just when while if else then than so such can could should
    would may might must will do does did don doesn isn has have had all any each every some more most less least other
    same own both between during after before up down out off again still too very now
    add adds added adding remove removes removed removing use uses used using make makes allow allows support supports
    supported supporting enable enables enabled disable disables disabled move moves moved moving rename renames change
    changes changed handle handles handling improve improves set sets get gets let lets avoid avoids prevent prevents
    ensure ensures introduce implement implements replace replaces drop drops switch convert extract split merge combine
    simplify reduce increase expose include includes skip skips run runs initial preview part step missing wrong correct
    incorrect failing failure failures error errors issue issues default defaults option options value values code file
    preserve preserves preserving reject rejects respect respects honor honors honour honours accept accepts treat
    treats keep keeps stop stops validate validates align aligns restore restores retain reuse reuses unify unifies tidy
    report reports require requires refuse refuses
    files path paths name names type types function method class module api call calls case cases work works working
    mode version versions model models frontend backend kernel kernels init based related multiple single first second
"""
STOP_WORDS = frozenset(_STOP.split())
"""Words too common in titles to be what a theme is about; inside a longer phrase they may stand."""


@dataclass(frozen=True)
class Word:
    """One word of a title: ``key`` is compared, ``start`` and ``end`` say where it stands."""

    key: str
    start: int
    end: int
    weak: bool
    """A stop word or a word for the kind of change."""
    identifier: bool
    """Code: in back quotes, or with inner capitals, underscores or digits."""
    proper: bool
    """Names something: an identifier, an abbreviation, or the scope before the title's text."""
    segment: int = 0
    """Which scope before the text it stands in, counted from 1; 0 in the text."""


def bare(title: str) -> str:
    """Return the title without the number that a squash merge appends, and not longer than titles are."""
    return _TRAILING_NUMBER.sub("", title)[:_LONGEST].strip()


@lru_cache(maxsize=16_384)
def words_of(title: str) -> tuple[Word, ...]:
    """Return the words of a ``bare`` title in order, without a Conventional Commits prefix (its scope stays)."""
    scopes, begin = scopes_of(title)
    quotes = [match.span() for match in _QUOTED.finditer(title)]
    found: list[Word] = []
    for start, end in (*(span for span in scopes if span[1] <= begin), (begin, len(title))):
        for match in _WORD.finditer(title, start, end):
            segment = next((n for n, (one, other) in enumerate(scopes, 1) if one <= match.start() < other), 0)
            quoted = any(one <= match.start() < other for one, other in quotes)
            found += _split_wide(match, quoted=quoted, segment=segment)
    return tuple(found)


def trimmed(words: Sequence[Word]) -> list[Word]:
    """Return ``words`` without weak ones at either end; unchanged when all are weak."""
    strong = [place for place, word in enumerate(words) if not word.weak]
    return list(words[strong[0] : strong[-1] + 1]) if strong else list(words)


def pieces_of(text: str) -> frozenset[str]:
    """Return the keys of the parts of an identifier between capitals, digits and separators, joined parts too.

    Capitals are ambiguous (``MoERunner`` is Mo, E, Runner or MoE, Runner), so every run between two boundaries is
    given; the caller keeps those that occur as words.
    """
    cuts = sorted({0, len(text), *(match.start() for match in _BOUNDARY.finditer(text))})[:12]
    runs = {text[one:other] for place, one in enumerate(cuts) for other in cuts[place + 1 :]}
    return frozenset(key_of(run) for run in runs if len(run) > 2) - {key_of(text)}


@lru_cache(maxsize=16_384)
def key_of(word: str) -> str:
    """Return the form in which words are compared: folded, without separators, without English endings."""
    key = re.sub(r"[\W_]+", "", fold(word))
    for ending, shortest in (("ing", 4), ("ied", 4), ("ed", 4), ("ers", 4), ("es", 4), ("s", 3)):
        if key.endswith(ending) and len(key) - len(ending) >= shortest and not key.endswith("ss"):
            key = key.removesuffix("s") if ending == "ers" else key.removesuffix(ending)
            break
    return key[:-1] if len(key) > 4 and key.endswith("e") else key


def scopes_of(title: str) -> tuple[list[tuple[int, int]], int]:
    """Return where the title says what it is about before its text, and from where on it is read.

    That is ``[area]``, ``fix(area):`` or ``area:``. Of a Conventional Commits prefix only the scope is read; brackets
    and a plain ``area:`` are part of the text.
    """
    prefix = _CONVENTIONAL.match(title)
    if prefix is not None and (prefix["scope"] or fold(prefix["kind"]) in CHANGE_WORDS):
        return ([prefix.span("scope")] if prefix["scope"] else []), prefix.end()
    scopes: list[tuple[int, int]] = []
    place = 0
    while match := _BRACKETS.match(title, place):
        scopes.append(match.span())
        place = match.end()
    if (plain := _PLAIN_SCOPE.match(title, place)) is not None:
        scopes.append(plain.span())
    return scopes, 0


def _split_wide(match: re.Match[str], *, quoted: bool, segment: int) -> list[Word]:
    """Scripts without spaces are compared character by character."""
    if not _WIDE.search(match.group()):
        return [_word(match.group(), match.start(), quoted=quoted, segment=segment)]
    return [
        Word(
            key=key_of(part.group()),
            start=match.start() + part.start(),
            end=match.start() + part.end(),
            weak=False,
            identifier=False,
            proper=False,
            segment=segment,
        )
        for part in _WIDE_PARTS.finditer(match.group())
        if key_of(part.group())
    ]


def _word(text: str, start: int, *, quoted: bool, segment: int) -> Word:
    plain = fold(text)
    inner = any(c.isupper() for c in text[1:]) and any(c.islower() for c in text)
    coded = "_" in text or (any(c.isdigit() for c in text) and any(c.isalpha() for c in text))
    identifier = quoted or inner or coded
    return Word(
        key=key_of(text),
        start=start,
        end=start + len(text),
        weak=plain in STOP_WORDS or plain in CHANGE_WORDS or (len(plain) < 2 and not plain.isdigit()),
        identifier=identifier,
        proper=segment > 0 or identifier or (len(text) > 1 and text.isupper()),
        segment=segment,
    )

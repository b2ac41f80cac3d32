"""Whether a claim keeps to its quotations: no figure of its own, no limit lost on the way."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from shared.claims.amounts import number_of
from shared.claims.identifiers import LONGEST_TEXT, Mention, MentionKind, mentioned
from shared.claims.qualifiers import HARDWARE, QUALIFIERS, Qualifier
from shared.domain.text import clean_text

_DIGITS = re.compile(r"\d{1,40}")
_SAME_NUMBER = (
    ("two", "2", "twice", "second", "both", "pair", "double", "doubled", "doubles", "doubling", "twofold"),
    ("three", "3", "thrice", "third", "triple", "tripled", "triples", "tripling", "threefold"),
    ("four", "4", "fourfold", "quadruple", "quadrupled"),
    ("half", "halved", "halves", "halving", "50", "0.5"),
    ("five", "5"),
    ("six", "6"),
    ("seven", "7"),
    ("eight", "8"),
    ("nine", "9"),
    ("ten", "tenfold", "10"),
    ("eleven", "11"),
    ("twelve", "dozen", "12"),
    ("twenty", "20"),
    ("fifty", "50"),
    ("hundred", "100"),
    ("thousand", "1000", "k"),
    ("million", "1000000", "m"),
    ("billion", "1000000000"),
)
_NUMBER_WORDS = re.compile(
    r"\b(two|twice|twofold|thrice|three|threefold|triple[sd]?|tripling|doubled|doubles|doubling|four|fourfold|"
    r"quadrupled?|five|six|seven|eight|nine|ten|tenfold|eleven|twelve|dozen|twenty|fifty|hundred|thousand|million|"
    r"billion|half|halved|halves|halving)s?\b|[一二两三四五六七八九十百半]+(?:倍|成|分之[一二三四五六七八九十百]+)|翻倍|减半|一半",
    re.IGNORECASE,
)
"""Numbers in words that make a claim an amount; ``one``, ``first`` and ``double`` are said of too much else."""


def unsupported_figures(claim: str, quotes: Sequence[str]) -> tuple[str, ...]:
    """Return the figures of ``claim`` that stand in none of ``quotes``, as the claim writes them.

    Number and unit must be the same; how the thousands are set apart, and a space before the unit, does not matter.
    """
    known = {(figure.number, figure.unit) for quote in quotes for figure in _figures(quote)}
    lost = (figure.text for figure in _figures(claim) if (figure.number, figure.unit) not in known)
    return tuple(dict.fromkeys(lost))


def unsupported_digits(claim: str, quotes: Sequence[str]) -> tuple[str, ...]:
    """Return the digits of ``claim`` that belong to no checkable token and stand in none of ``quotes``.

    Dates, keys, times and parts of a series are no figures (``2026-05-01``, ``CVE-2026-1234``), and are invented as
    easily.
    """
    claim = clean_text(claim[:LONGEST_TEXT])
    inside = {at for mention in mentioned(claim) for at in range(mention.start, mention.end)}
    known = {digits for quote in quotes for digits in _DIGITS.findall(quote)}
    alone = (found[0] for found in _DIGITS.finditer(claim) if found.start() not in inside)
    return tuple(dict.fromkeys(digits for digits in alone if digits not in known))


def unsupported_number_words(claim: str, quotes: Sequence[str]) -> tuple[str, ...]:
    """Return the numbers in words of ``claim`` (``three``, ``twice``, ``三倍``) that no quotation has in any form."""
    quoted = " ".join(quotes).casefold()
    words = set(re.findall(r"[a-z]+|\d+", quoted))
    numbers = {mention.number for quote in quotes for mention in _figures(quote)}
    lost = (found[0] for found in _NUMBER_WORDS.finditer(claim) if not _has_number(found, quoted, words | numbers))
    return tuple(dict.fromkeys(lost))


def _has_number(found: re.Match[str], quoted: str, words: set[str]) -> bool:
    word = (found[1] or "").casefold()
    if not word:
        return found[0] in quoted
    same = {one for group in _SAME_NUMBER if word in group for one in group} | {word, f"{word}s"}
    return not same.isdisjoint(words)


def lost_qualifiers(claim: str, quotes: Sequence[str]) -> tuple[str, ...]:
    """Return the limits of ``quotes`` that ``claim`` no longer has, as the quotations write them.

    Limits of a figure (``up to``, ``about``, ``per call``) count where the claim repeats the figure; all others
    (``experimental``, ``off by default``, hardware) count always: a quotation is evidence, so it should hold nothing
    that the claim is not about.
    """
    claim = clean_text(claim[:LONGEST_TEXT])
    numbers = {figure.number for figure in _figures(claim)}
    lost: list[str] = []
    for quote in quotes:
        words = clean_text(quote[:LONGEST_TEXT])
        for qualifier in QUALIFIERS:
            if not qualifier.kept.search(claim):
                lost += _limits(qualifier, words, numbers)
        lost += [found[0] for found in HARDWARE.finditer(words) if not _names_hardware(claim, found[0])]
    return tuple(dict.fromkeys(lost))


def _figures(text: str) -> Iterator[Mention]:
    return (mention for mention in mentioned(text) if mention.kind is MentionKind.FIGURE)


def _limits(qualifier: Qualifier, quote: str, numbers: set[str]) -> Iterator[str]:
    for found in qualifier.pattern.finditer(quote):
        if not qualifier.figure:
            yield found[0]
        elif number_of(found["figure"]) in numbers:
            yield found["words"].strip()


def _names_hardware(claim: str, words: str) -> bool:
    return words.removesuffix("-only").removesuffix("s").casefold() in claim.casefold()

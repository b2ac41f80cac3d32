"""Whether a claim keeps to its quotations: no figure of its own, no limit lost on the way."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from shared.claims.amounts import number_of
from shared.claims.identifiers import LONGEST_TEXT, Mention, MentionKind, mentioned
from shared.claims.number_words import number_words, same_values, values_said
from shared.claims.qualifiers import HARDWARE, QUALIFIERS, Qualifier
from shared.domain.text import clean_text

_DIGITS = re.compile(r"\d{1,40}")
_SHARES = re.compile(r"(?<![\d/])1/\d(?![\d/])")


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
    """Return the numbers in words of ``claim`` (``three``, ``三倍``, ``½``) that no quotation has in any form."""
    claim = clean_text(claim[:LONGEST_TEXT])
    quoted = clean_text(" ".join(quotes)[:LONGEST_TEXT])
    known = {*_DIGITS.findall(quoted), *values_said(quoted), *_SHARES.findall(quoted)}
    known |= {figure.number for figure in _figures(quoted)}
    folded = quoted.casefold()
    lost = (
        word.text
        for word in number_words(claim)
        if (same_values(word.value).isdisjoint(known) if word.value else word.text.casefold() not in folded)
    )
    return tuple(dict.fromkeys(lost))


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

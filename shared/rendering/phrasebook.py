"""What rules say in English, said in another language: known sentences by template, everything else as it is."""

from __future__ import annotations

import re
from functools import lru_cache

from shared.domain.digest import Span
from shared.rendering.locale import Locale, load_locale
from shared.rendering.rule_words import linked

Spans = tuple[Span, ...]

_PREFIX = "phrases."
_PLACE = re.compile(r"(?P<words>.+?) \((?P<place>[^()]+)\)")
_QUOTE = re.compile(r"(?P<words>.+?): (?P<quote>“.*”|\".*\")", re.DOTALL)
_INNER = "why"
"""The placeholder in which another sentence of a rule stands."""
_NUMBERS = r"#?\d[\d#, ]*"
_ONE_PART = "[^;]+?"
_SHAPES = dict.fromkeys(("number", "numbers", "others", "reverted", "revert", "lines", "files", "parts"), _NUMBERS) | (
    dict.fromkeys(("why", "title", "words", "value", "old", "new"), ".+?")
)
"""What stands in a placeholder: numbers, anything, or else anything without a semicolon."""
_LONGEST = 2_000
"""Longer words are no sentence of a rule; matching them would only cost time."""


def said(words: str, locale: Locale) -> Spans:
    """Return a rule's English ``words`` in the language of ``locale``, pull request numbers as links.

    A sentence is found by its template in the English locale, and what stood in its placeholders is kept. Several
    sentences may be joined by semicolons, each with a file in brackets or words quoted behind a colon. Words that no
    template fits are shown as they are.
    """
    if locale.language == "en" or len(words) > _LONGEST:
        return linked(words)
    pieces = words.split("; ")
    parts: list[Spans] = []
    while pieces:
        taken, part = _longest(pieces, locale)
        parts.append(part)
        pieces = pieces[taken:]
    return locale.listed(parts, "joining.clause")


def _longest(pieces: list[str], locale: Locale) -> tuple[int, Spans]:
    """The most pieces from the front that are one sentence (some have a semicolon of their own), and that sentence."""
    for taken in range(len(pieces), 0, -1):
        found = _part("; ".join(pieces[:taken]), locale)
        if found is not None:
            return taken, found
    return 1, linked(pieces[0])


def _part(words: str, locale: Locale) -> Spans | None:
    found = _sentence(words, locale)
    if found is not None:
        return found
    for pattern, key, name in ((_PLACE, "phrasing.place", "place"), (_QUOTE, "phrasing.quote", "quote")):
        suffix = pattern.fullmatch(words)
        inner = _part(suffix["words"], locale) if suffix is not None else None
        if suffix is not None and inner is not None:
            return locale.spans(key, words=inner, **{name: linked(suffix[name])})
    return None


def _sentence(words: str, locale: Locale) -> Spans | None:
    """The whole of ``words`` by one template; of several that fit, the one with the most words of its own."""
    for key, pattern in _templates():
        found = pattern.fullmatch(words.rstrip("."))
        if found is not None:
            fills = found.groupdict()
            return locale.spans(
                key, **{name: said(value, locale) if name == _INNER else linked(value) for name, value in fills.items()}
            )
    return None


@lru_cache
def _templates() -> tuple[tuple[str, re.Pattern[str]], ...]:
    english = load_locale("en")
    known = [(key, str(entry)) for key, entry in english.entries.items() if key.startswith(_PREFIX)]
    ordered = sorted(known, key=lambda item: -len(re.sub(r"\{[a-z_]+\}", "", item[1])))
    return tuple((key, _compiled(sentence)) for key, sentence in ordered)


def _compiled(sentence: str) -> re.Pattern[str]:
    parts = re.split(r"\{([a-z_]+)\}", sentence.rstrip("."))
    made = [
        f"(?P<{part}>{_SHAPES.get(part, _ONE_PART)})" if place % 2 else re.escape(part)
        for place, part in enumerate(parts)
    ]
    return re.compile("".join(made), re.DOTALL)

"""The merge as evidence: where a quotation stands, and whether it may be shown."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import NamedTuple

from services.analyzer.checking.numbers import References
from services.analyzer.checking.people import People
from services.analyzer.checking.plain_text import harmless_part, plain_words
from services.analyzer.checking.relevant import MOST_READ, relevant
from services.analyzer.checking.speakers import Speakers
from services.analyzer.checking.surroundings import Surroundings
from services.analyzer.checking.visible import visible
from services.analyzer.checking.vocabulary import Vocabulary
from services.analyzer.prompts.answer import MOST_QUOTES
from shared.claims.facts import KnownFacts
from shared.claims.haystack import Place
from shared.claims.quotes import SHORTEST_QUOTE, QuoteIndex
from shared.claims.relation import is_unrelated
from shared.domain.pull_request import PullRequest
from shared.domain.reading import LONGEST_CLAIM, DropReason, Quote
from shared.domain.text import fold
from shared.redaction import redact

REVIEW_FIELDS = frozenset({"review", "comment"})
QUOTABLE = frozenset({"diff", "title", "body", "commit"}) | REVIEW_FIELDS
"""A label or a path alone proves nothing that a sentence could say."""
_OPENING, _CLOSING = "\"'“‘«", "\"'”’»"
_SIGNS = re.compile(r"^[ \t]?[+-]", re.MULTILINE)
_CUT = re.compile(r"^… ?|\w{0,40} ?…$")
"""How a packed text shows that it was cut, with the piece of a word before it."""
_TRIED = 8
_ENGLISH = frozenset({"", "en", "english"})


class Found(NamedTuple):
    """The quotations that count, and why there are none when there are none."""

    quotes: tuple[Quote, ...]
    reason: DropReason | None


class Evidence:
    """One merge as its model could see it, for all claims of one answer, ``texts`` and ``quotes`` in ``language``."""

    def __init__(
        self, pull_request: PullRequest, texts: Sequence[str], quotes: Sequence[str], language: str = ""
    ) -> None:
        shown = visible(relevant(pull_request, texts, quotes))
        self.title = shown.title
        self.facts = KnownFacts(shown, most_characters=MOST_READ)
        self.people = People(pull_request)
        self.references = References(pull_request)
        self.speakers = Speakers(shown)
        self.surroundings = Surroundings(self.facts)
        self.vocabulary = Vocabulary(self.facts, language)
        self._is_english = fold(language).split("-")[0].strip() in _ENGLISH
        self._index = QuoteIndex(self.facts)
        self._places: dict[str, Place | None] = {}

    def quotes(self, given: Sequence[str], fields: Collection[str] = QUOTABLE) -> Found:
        """Return at most three of ``given`` that stand in one of ``fields`` and may be shown."""
        kept: list[Quote] = []
        reason: DropReason = "quote-not-found" if given else "no-quote"
        for quote in dict.fromkeys(given[:_TRIED]):
            words, place = self._found(quote)
            if place is None:
                continue
            if place.field not in fields:
                reason = "no-quote"
            elif redact(words).found or len(part := harmless_part(words, code=place.field == "diff")) < SHORTEST_QUOTE:
                reason = "not-plain-text"
            elif len(kept) < MOST_QUOTES:
                kept.append(Quote(text=part, field=place.field, path=place.path, line=place.line))
        return Found(tuple(kept), None if kept else reason)

    def is_unrelated(self, said: str, quotes: Sequence[Quote], *, inferred: bool) -> bool:
        """Whether a claim has no word of the title, nor of the sentences, lines and files of its quotations.

        Of an ``inferred`` one the words of the description count as well. Asked of claims in English alone: of others
        it cannot be told.
        """
        around = (text for quote in quotes for text in (quote.text, self.surroundings.of(quote), quote.path or ""))
        described = (self.facts.pull_request.body or "",) if inferred else ()
        return self._is_english and is_unrelated(said, (*around, self.title, *described))

    def _found(self, quote: str) -> tuple[str, Place | None]:
        """The words as they are kept and where they stand; a quoted piece of diff may come with its signs."""
        for form in dict.fromkeys((quote, _SIGNS.sub("", quote))):
            words = _trimmed(form)
            if words not in self._places:
                self._places[words] = self._index.find(words)
            if (place := self._places[words]) is not None:
                return words, place
        return "", None


def _trimmed(quote: str) -> str:
    """The quotation on one line without marks around it, cut to what is kept of one: its beginning is as true."""
    words = plain_words(quote).strip()
    if len(words) > 2 and words[0] in _OPENING and words[-1] in _CLOSING:
        words = words[1:-1]
    words = _CUT.sub("", words).strip()
    if len(words) <= LONGEST_CLAIM:
        return words
    return words[: LONGEST_CLAIM + 1].rpartition(" ")[0] or words[:LONGEST_CLAIM]

"""Who said what in review, and how it ended: the author's own remarks prove no dispute and no danger."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cached_property

from services.analyzer.checking.surroundings import flat
from services.analyzer.reading.reviews import is_other_person
from shared.claims.facts import MOST_MESSAGES
from shared.claims.quotes import plain
from shared.domain.analysis import Analysis, ReviewPoint
from shared.domain.pull_request import Person, PullRequest
from shared.domain.reading import Quote
from shared.domain.taxonomy import ReviewOutcome
from shared.domain.text import fold

_WORDS = re.compile(r"\w+")
_FEWEST_SIGNS = 10
"""Of words that tell one remark from another."""


class Speakers:
    """The remarks of one merge, as its model was shown them."""

    def __init__(self, shown: PullRequest) -> None:
        self._shown = shown

    def others_said(self, quotes: Sequence[Quote]) -> bool:
        """Whether one of ``quotes`` stands in a remark of a human being who is not the author."""
        return any(
            plain(quote.text) in words and is_other_person(person, self._shown)
            for quote in quotes
            for field, person, words in self._remarks
            if field == quote.field
        )

    def outcome(self, told: ReviewOutcome, quotes: Sequence[Quote], analysis: Analysis) -> ReviewOutcome:
        """Return the outcome that a model tells where the thread's own mark, or rules, say the same; else ``asked``."""
        if told is ReviewOutcome.SETTLED and any(self._is_resolved(quote) for quote in quotes):
            return told
        points = (point for point in analysis.review if any(_is_about(point, quote) for quote in quotes))
        return told if any(point.outcome is told for point in points) else ReviewOutcome.ASKED

    def _is_resolved(self, quote: Quote) -> bool:
        words = plain(quote.text)
        threads = (thread for thread in self._shown.review_threads or () if thread.resolved)
        return any(words in flat(comment.body) for thread in threads for comment in thread.comments)

    @cached_property
    def _remarks(self) -> tuple[tuple[str, Person, str], ...]:
        return tuple(self._said())

    def _said(self) -> Iterator[tuple[str, Person, str]]:
        shown = self._shown
        for review in shown.reviews[:MOST_MESSAGES]:
            yield "review", review.user, flat(review.body or "")
        for note in shown.review_comments[:MOST_MESSAGES]:
            yield "review", note.user, flat(note.body)
        for comment in shown.comments[:MOST_MESSAGES]:
            yield "comment", comment.user, flat(comment.body)


def _is_about(point: ReviewPoint, quote: Quote) -> bool:
    """Whether a request of the review, or its answer, holds the words of ``quote`` or is a part of them."""
    words = _bare(quote.text)
    told = [_bare(text) for text in (point.quote, point.answer)]
    return any(min(len(one), len(words)) >= _FEWEST_SIGNS and (one in words or words in one) for one in told)


def _bare(text: str) -> str:
    return " ".join(_WORDS.findall(fold(text)))

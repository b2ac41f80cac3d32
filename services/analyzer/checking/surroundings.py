"""The whole sentence or line around a quotation: what limits it may stand right outside the quoted words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property

from shared.claims.facts import LONGEST_FIELD, MOST_MESSAGES, KnownFacts
from shared.claims.quotes import plain
from shared.domain.reading import Quote

_BLOCKS = re.compile(r"\n[ \t]*\n|\n(?=[ \t]*(?:[-*+|>#]|\d{1,3}[.)][ \t]))")
_END = re.compile(r"[.!?](?=\s+[^\sa-z\d])|[。！？]")
"""Behind the point of ``approx. 30`` no sentence ends."""


class Surroundings:
    """The texts of one merge, as its model was shown them."""

    def __init__(self, facts: KnownFacts) -> None:
        self._facts = facts

    def of(self, quote: Quote) -> str:
        """Return the line of the diff, or the sentence, that holds ``quote``; the quotation where there is none."""
        words = plain(quote.text)
        if quote.field == "diff":
            return next((line for line in self._lines(quote) if words in line), quote.text)
        for text in self._texts.get(quote.field, ()):
            if words in text.replace("\n", " "):
                return _sentence(text, words)
        return quote.text

    def _lines(self, quote: Quote) -> Iterator[str]:
        place = (quote.path, quote.line)
        return (plain(line.text) for line in self._facts.diff.lines if (line.path, line.number) == place)

    @cached_property
    def _texts(self) -> dict[str, tuple[str, ...]]:
        """The texts of each field with line ends only between paragraphs, entries of lists and rows."""
        shown = self._facts.pull_request
        bodies: dict[str, list[str | None]] = {
            "title": [shown.title],
            "body": [shown.body],
            "commit": [commit.message for commit in shown.commits[:MOST_MESSAGES]],
            "review": [
                *(review.body for review in shown.reviews[:MOST_MESSAGES]),
                *(comment.body for comment in shown.review_comments[:MOST_MESSAGES]),
            ],
            "comment": [comment.body for comment in shown.comments[:MOST_MESSAGES]],
        }
        return {field: tuple(in_blocks(body) for body in texts if body) for field, texts in bodies.items()}


def in_blocks(text: str) -> str:
    """Return ``text`` in the form in which quotations are compared, each paragraph on a line of its own."""
    blocks = (flat(block) for block in _BLOCKS.split(text[:LONGEST_FIELD]))
    return "\n".join(block for block in blocks if block)


def flat(text: str) -> str:
    """Return ``text`` on one line in the form in which quotations are compared."""
    return " ".join(words for line in text[:LONGEST_FIELD].split("\n") if (words := plain(line)))


def _sentence(text: str, words: str) -> str:
    """From the end of the sentence before ``words``, or of the paragraph, to the end of the one that they end in."""
    start = text.replace("\n", " ").index(words)
    stop = start + len(words)
    begin = max([text.rfind("\n", 0, start) + 1, *(end.end() for end in _END.finditer(text) if end.end() <= start)])
    line_end = text.find("\n", stop)
    sentence_end = _END.search(text, max(start, stop - 1))
    ends = [end for end in (line_end, sentence_end.end() if sentence_end else -1) if end >= 0]
    return text[begin : min(ends, default=len(text))].strip()

"""Whether a quotation is really there: word for word, whatever the white space, quotation marks and invisible signs."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator

from shared.claims.diffs import Side
from shared.claims.facts import KnownFacts
from shared.claims.haystack import Haystack, Origin, Place, haystack
from shared.claims.spelling import WORD
from shared.domain.text import clean_text

SHORTEST_QUOTE = 10
"""Characters without white space: what is shorter stands everywhere and proves nothing."""
LONGEST_QUOTE = 4_000
_INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]")
_MARKS = str.maketrans({"‘": "'", "’": "'", "‚": "'", "‛": "'", "“": '"', "”": '"', "„": '"', "‟": '"'})
_WORD = re.compile(rf"[{WORD}]")
_SIGNS = re.compile(r"[+\- ]")
_NEW = (Side.ADDED, Side.CONTEXT)
_OLD = (Side.REMOVED, Side.CONTEXT)


class QuoteIndex:
    """The facts of one merge in the form in which quotations are compared; make one for many quotations."""

    def __init__(self, facts: KnownFacts) -> None:
        self._facts = facts
        self._made: list[Haystack] = []
        self._pending = self._texts()

    def find(self, quote: str) -> Place | None:
        """Return where ``quote`` stands, strongest place first: new lines, old lines, description, review.

        None when it stands nowhere, is shorter than ten characters or longer than 4,000, or begins or ends within a
        word. The signs of a quoted piece of diff may be kept or left out.
        """
        wanted = [words for words in dict.fromkeys((plain(quote), plain(_without_signs(quote)))) if _is_long(words)]
        if len(quote) > 2 * LONGEST_QUOTE or not wanted:
            return None
        for hay in self._haystacks():
            for words in wanted:
                if (position := _position(hay.text, words)) is not None:
                    return hay.place(position)
        return None

    def _haystacks(self) -> Iterator[Haystack]:
        yield from self._made
        for hay in self._pending:
            self._made.append(hay)
            yield hay

    def _texts(self) -> Iterator[Haystack]:
        yield self._side(_NEW)
        yield self._side(_OLD)
        yield _fields(self._facts.description)
        yield _fields(self._facts.review)

    def _side(self, sides: tuple[Side, Side]) -> Haystack:
        """The lines of one side of the diff; a line end stands between hunks, so that no quotation reaches across."""
        return _joined(
            (line.text, Origin("diff", line.path, line.number), line.hunk)
            for line in self._facts.diff.lines
            if line.side in sides
        )


def find_quote(quote: str, facts: KnownFacts) -> Place | None:
    """Return where ``quote`` stands in the facts, or None; see ``QuoteIndex.find``."""
    return QuoteIndex(facts).find(quote)


def plain(text: str) -> str:
    """Return the form in which quotations are compared: NFC, straight marks, nothing invisible, single spaces."""
    words = _INVISIBLE.sub("", clean_text(text[: 2 * LONGEST_QUOTE])).translate(_MARKS)
    return " ".join(unicodedata.normalize("NFC", words).split())


def _is_long(words: str) -> bool:
    bare = words.replace(" ", "")
    return len(bare) >= SHORTEST_QUOTE and len(words) <= LONGEST_QUOTE and any(sign.isalnum() for sign in bare)


def _without_signs(quote: str) -> str:
    """A quoted piece of diff without its signs; the quotation itself when not every line has one."""
    lines = [line for line in quote[: 2 * LONGEST_QUOTE].split("\n") if line.strip()]
    return "\n".join(line[1:] for line in lines) if all(_SIGNS.match(line) for line in lines) else quote


def _position(text: str, words: str) -> int | None:
    position = text.find(words)
    for _ in range(1_000):
        if position < 0:
            return None
        end = position + len(words)
        if not _within_word(text, position) and not _within_word(text, end):
            return position
        position = text.find(words, position + 1)
    return None


def _within_word(text: str, at: int) -> bool:
    """Whether a word goes on across the place before the sign at ``at``."""
    return 0 < at < len(text) and bool(_WORD.match(text[at - 1])) and bool(_WORD.match(text[at]))


def _fields(source: Haystack) -> Haystack:
    """The same lines, each field a block of its own."""
    lines = source.text.split("\n")
    block, marked = 0, []
    for at, (line, origin) in enumerate(zip(lines, source.origins, strict=False)):
        if at and origin is not source.origins[at - 1]:
            block += 1
        marked.append((line, origin, block))
    return _joined(marked)


def _joined(lines: Iterable[tuple[str, Origin, int]]) -> Haystack:
    """Plain lines joined by spaces; a line end stands where the block changes."""
    made: list[tuple[str, Origin]] = []
    block: int | None = None
    for line, origin, number in lines:
        words = _plain_line(line)
        if words:
            made.append((words if number == block or block is None else f"\n{words}", origin))
            block = number
    return haystack(made, separator=" ")


def _plain_line(line: str) -> str:
    if line.isascii():
        return " ".join(clean_text(line).split())
    words = _INVISIBLE.sub("", clean_text(line)).translate(_MARKS)
    return " ".join(unicodedata.normalize("NFC", words).split())

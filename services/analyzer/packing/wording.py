"""Makes a stranger's text fit for a model: what nobody sees goes, secrets are blackened, both are counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from html import unescape
from typing import Protocol

from services.analyzer.packing.invisible import without_invisible
from services.analyzer.packing.links import with_words_for_links, without_definitions
from services.analyzer.packing.markup import Tags, without_comments
from services.analyzer.packing.runs import without_long_runs
from shared.redaction.marks import marks_in

MOST_PROSE = 32_768
"""Characters of one text that are looked at: half of what GitHub takes, and many times what is shown."""
_FENCE = ("```", "~~~")


class RedactedText(Protocol):
    """A text without secrets, and how many of each kind there were."""

    @property
    def text(self) -> str:
        """The text, each secret replaced by a mark."""

    @property
    def found(self) -> Mapping[str, int]:
        """How many secrets, by kind."""


Redact = Callable[[str], RedactedText]


class Wording:
    """Cleans the texts of one merge; ``hidden`` and ``redacted`` count what went, over all of them.

    Secrets are looked for after invisible signs have gone, which could split them, and before anything is cut. Those
    that were blackened when the merge came in are counted by their marks.
    """

    def __init__(self, redact: Redact, host: str) -> None:
        self._redact = redact
        self._host = host
        self.hidden: Counter[str] = Counter()
        self.redacted: Counter[str] = Counter()

    def code(self, text: str) -> str:
        """Return a piece of code or diff, which is what it is: only invisible signs and secrets go."""
        words = without_invisible(text, self.hidden)
        self.redacted.update(marks_in(words))
        return without_long_runs(self._blackened(words), self.hidden)

    def line(self, text: str) -> str:
        """Return a text of one line, such as a title or a path."""
        return " ".join(self.code(text[:MOST_PROSE]).split())

    def prose(self, text: str | None) -> str:
        """Return what a reader of the page sees of Markdown, code blocks as they are."""
        words = without_invisible((text or "")[:MOST_PROSE], self.hidden)
        words = without_comments(words, self.hidden)
        self.redacted.update(marks_in(words))
        words = self._blackened(words)
        tags = Tags(self.hidden)
        pieces = []
        for piece, fenced in _by_fence(words):
            if not fenced:
                pieces.append(self._seen(tags.feed(without_definitions(piece, self.hidden))))
            elif not tags.hiding:
                pieces.append(piece)
        return without_long_runs("\n".join(pieces), self.hidden).strip()

    def _seen(self, text: str) -> str:
        """What links and entities stand for; what an entity stood for may be invisible, or part of a secret."""
        words = with_words_for_links(text, self._host, self.hidden) if "](" in text or "://" in text else text
        plain = unescape(words) if "&" in words else words
        return words if plain == words else self._blackened(without_invisible(plain, self.hidden))

    def _blackened(self, text: str) -> str:
        done = self._redact(text)
        self.redacted.update(done.found)
        return done.text


def _by_fence(text: str) -> list[tuple[str, bool]]:
    """The text in pieces, each with whether it is a block of code with its fence; whole lines, joined by line ends."""
    if not any(fence in text for fence in _FENCE):
        return [(text, False)]
    pieces: list[tuple[list[str], bool]] = [([], False)]
    fence = ""
    for line in text.split("\n"):
        words = line.strip()
        if fence:
            pieces[-1][0].append(line)
            if words.startswith(fence) and not words.strip(fence[0]):
                fence = ""
                pieces.append(([], False))
        elif words.startswith(_FENCE):
            fence = words[: len(words) - len(words.lstrip(words[0]))]
            pieces.append(([line], True))
        else:
            pieces[-1][0].append(line)
    return [("\n".join(lines), fenced) for lines, fenced in pieces if lines]

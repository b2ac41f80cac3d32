"""A text to be searched many times, which knows where each of its lines comes from."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import NamedTuple

from shared.claims.spelling import WORD
from shared.domain.text import clean_text
from shared.domain.value import Value

LONGEST_QUOTE = 160
RUN = re.compile(rf"[{WORD.replace('_', '')}]+")
"""Letters and digits without anything between."""


class Place(Value):
    """Where something stands: a line of a file, or a field of the pull request, with the words there.

    ``line`` counts from 1, in the file after the merge; for removed lines in the file before it. It is None where no
    line is known: a path, the words behind a hunk's header. ``field`` is ``diff``, ``path``, ``tree``, ``title``,
    ``body``, ``commit``, ``label``, ``review`` or ``comment``.
    """

    field: str
    path: str | None = None
    line: int | None = None
    quote: str = ""


class Origin(NamedTuple):
    """Where one line of a haystack comes from; a tuple, for there may be one for each line of a diff."""

    field: str
    path: str | None = None
    line: int | None = None


@dataclass(frozen=True, eq=False)
class Haystack:
    """Lines joined by line ends; ``starts`` and ``origins`` go with the lines."""

    text: str
    starts: Sequence[int]
    origins: Sequence[Origin]

    @cached_property
    def folded(self) -> str:
        """The text with underscores for dashes; every position stays what it is."""
        return self.text.replace("-", "_")

    @cached_property
    def runs(self) -> frozenset[str]:
        """All runs of letters and digits: tells at once what is not in the text."""
        return frozenset(RUN.findall(self.text))

    def place(self, position: int) -> Place:
        """Return the place of a position, with its line cut to 160 characters around it."""
        at = max(0, bisect_right(self.starts, position) - 1)
        begin = self.starts[at]
        end = self.text.find("\n", position)
        end = len(self.text) if end < 0 else end
        if position - begin > LONGEST_QUOTE // 2:
            begin = position - LONGEST_QUOTE // 2
        words = " ".join(self.text[begin : min(end, begin + LONGEST_QUOTE)].split())
        origin = self.origins[at]
        return Place(field=origin.field, path=origin.path, line=origin.line, quote=words)


def haystack(lines: Iterable[tuple[str, Origin]], separator: str = "\n") -> Haystack:
    """Return the haystack of ``lines``; text is made NFC, and free of what no store or encoder takes."""
    pairs = list(lines) or [("", Origin("diff"))]
    words = [line for line, _ in pairs]
    text = separator.join(words)
    if not text.isascii() or "\0" in text:
        words = [unicodedata.normalize("NFC", clean_text(line)) for line in words]
        text = separator.join(words)
    starts = accumulate((len(line) + len(separator) for line in words[:-1]), initial=0)
    return Haystack(text, tuple(starts), tuple(origin for _, origin in pairs))

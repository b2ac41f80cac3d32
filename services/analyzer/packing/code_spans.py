"""Where inline code stands in Markdown: what looks like a tag there is a word of the author, and is seen."""

from __future__ import annotations

import re

_RUN = re.compile("`+")

Span = tuple[int, int]


def code_spans(text: str) -> tuple[Span, ...]:
    """Return where each piece of inline code begins and ends, in order; linear in the length of ``text``.

    Only within one line, and not in a block that begins with a tag: there, backticks are backticks. Both claim less
    than Markdown does, so that nothing hidden is taken for code.
    """
    spans: list[Span] = []
    position, in_html = 0, False
    for line in text.split("\n"):
        words = line.lstrip()
        in_html = bool(words) and (in_html or words.startswith("<"))
        if not in_html and "`" in line:
            spans += _of_line(line, position)
        position += len(line) + 1
    return tuple(spans)


def _of_line(line: str, position: int) -> list[Span]:
    """A run of backticks is ended by the next one that is as long; the next like it is known from the right."""
    runs = [found.span() for found in _RUN.finditer(line)]
    following: dict[int, int] = {}
    ends: list[int | None] = [None] * len(runs)
    for at in range(len(runs) - 1, -1, -1):
        start, end = runs[at]
        ends[at] = following.get(end - start)
        following[end - start] = at
    spans: list[Span] = []
    at = 0
    while at < len(runs):
        closing = ends[at]
        if closing is not None:
            spans.append((position + runs[at][0], position + runs[closing][1]))
            at = closing
        at += 1
    return spans

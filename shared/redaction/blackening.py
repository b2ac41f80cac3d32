"""Blackens the secrets of a text; everything else, its lines included, stays as it is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from shared.redaction.assignments import assignments, environment_lines
from shared.redaction.credentials import credentials
from shared.redaction.formats import issued_tokens
from shared.redaction.invisible import Visible
from shared.redaction.private_keys import private_keys
from shared.redaction.spans import Span

_LONGER_IN_SMALL = "\u0130"
"""The only character whose small form is longer than itself."""


@dataclass(frozen=True)
class Redacted:
    """A text without its secrets; ``found`` counts them by kind."""

    text: str
    found: Mapping[str, int] = field(default_factory=dict)


def redact(text: str) -> Redacted:
    """Return ``text`` with ``[redacted:<kind>]`` in place of each secret; it never raises, and takes linear time.

    Line ends stay where they are: a key of several lines becomes the mark on each of them. What was redacted once is
    not found again. A secret that invisible signs split goes with them: whoever takes them out later would join it.
    """
    found: Counter[str] = Counter()
    parts: list[str] = []
    done = 0
    for span in _joined(text):
        parts += (text[done : span.start], f"[redacted:{span.kind}]")
        done = span.end
        found[span.kind] += not span.goes_on
    if not parts:
        return Redacted(text)
    parts.append(text[done:])
    return Redacted("".join(parts), dict(found))


def _joined(text: str) -> list[Span]:
    """The secrets in order; of those that overlap one, of the kind that was found first."""
    joined: list[Span] = []
    ranked = sorted((span.start, rank, span) for rank, span in enumerate(_found(text)))
    ranks: list[int] = []
    for start, rank, span in ranked:
        if not joined or start >= joined[-1].end:
            joined.append(span)
            ranks.append(rank)
            continue
        last = joined[-1]
        kept, ranks[-1] = (span, rank) if rank < ranks[-1] else (last, ranks[-1])
        joined[-1] = kept._replace(start=last.start, end=max(last.end, span.end))
    return joined


def _found(text: str) -> Iterator[Span]:
    """What stands in ``text`` without its invisible signs comes first: it is the whole of what they split."""
    visible = Visible.of(text)
    if visible is not None:
        for span in _standing(visible.text):
            start, end = visible.stretch(span.start, span.end)
            yield span._replace(start=start, end=end)
    yield from _standing(text)


def _standing(text: str) -> Iterator[Span]:
    """The kinds that say most come first."""
    lowered = text.replace(_LONGER_IN_SMALL, "I").lower()
    yield from private_keys(text)
    yield from issued_tokens(text)
    yield from credentials(text, lowered)
    yield from assignments(text, lowered)
    yield from environment_lines(text)

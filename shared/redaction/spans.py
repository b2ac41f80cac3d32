"""A stretch of a text that is a secret."""

from __future__ import annotations

from typing import NamedTuple


class Span(NamedTuple):
    """Characters from ``start`` to ``end`` of one line; ``kind`` is a short slug.

    ``goes_on`` marks the further lines of a secret that was counted with its first.
    """

    start: int
    end: int
    kind: str
    goes_on: bool = False

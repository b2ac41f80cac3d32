"""The bounds within which a pattern from outside may be, so that comparing it stays quick."""

from __future__ import annotations

import re

LONGEST_PATTERN = 300
MOST_WILDCARDS = 16
"""Stars, question marks and brackets in one pattern."""
MOST_RETRIES = 2
"""Stars of one pattern after which the rest may have to be tried again elsewhere."""

_WILDCARD = re.compile(r"[*?\[]")
_STARS = re.compile(r"\*+")


def is_bounded(pattern: str) -> bool:
    """Whether ``pattern`` says anything, and no more than a person would write."""
    few = len(pattern) <= LONGEST_PATTERN and len(_WILDCARD.findall(pattern)) <= MOST_WILDCARDS
    return few and bool(pattern.strip()) and _retries(pattern) <= MOST_RETRIES


def _retries(pattern: str) -> int:
    """Count every ``**`` and the second and later stars of a segment, but not the star at the end, which always fits.

    Each one multiplies the work of a comparison that fails, wherever the regular expressions are Python's own.
    """
    segments = pattern.rstrip("*").split("/")
    return sum(1 if segment == "**" else max(0, len(_STARS.findall(segment)) - 1) for segment in segments)

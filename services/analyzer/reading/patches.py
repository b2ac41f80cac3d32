"""Reads a patch once: the lines that were added and removed, within bounds that no patch can break."""

from __future__ import annotations

from dataclasses import dataclass

LONGEST_LINE = 400
MOST_CHARACTERS = 200_000
"""Of one patch; GitHub's own patches end long before."""
MOST_LINES = 4_000
NOTHING: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PatchReading:
    """Changed lines without their sign, each cut to 400 characters; ``whole`` is False when some were not looked at."""

    added: tuple[str, ...] = NOTHING
    removed: tuple[str, ...] = NOTHING
    whole: bool = True
    size: int = 0
    """Characters of the patch."""

    @property
    def pairs(self) -> tuple[tuple[str, str], ...]:
        """Removed and added lines side by side when there are as many of the one as of the other."""
        return tuple(zip(self.removed, self.added, strict=True)) if len(self.added) == len(self.removed) else ()


def read_patch(patch: str, allowance: int = MOST_CHARACTERS) -> PatchReading:
    """Return the changed lines of a unified diff without file headers; at most ``allowance`` characters are read."""
    limit = max(0, min(allowance, MOST_CHARACTERS))
    lines = patch[:limit].split("\n")
    added = [line[1 : LONGEST_LINE + 1] for line in lines[:MOST_LINES] if line[:1] == "+"]
    removed = [line[1 : LONGEST_LINE + 1] for line in lines[:MOST_LINES] if line[:1] == "-"]
    whole = len(patch) <= limit and len(lines) <= MOST_LINES
    return PatchReading(tuple(added), tuple(removed), whole, len(patch))

"""Reads a patch as hunks with the places of their lines; pure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

_HEADER = re.compile(r"@@ -(\d{1,9})(?:,(\d{1,9}))? \+\d{1,9}(?:,\d{1,9})? @@")


@dataclass(frozen=True, slots=True)
class Block:
    """Neighbouring changed lines: ``start`` of the removed ones counts from 0 in the old file."""

    start: int
    removed: tuple[str, ...]
    added: tuple[str, ...]


def blocks_of(patch: str) -> Iterator[Block]:
    """Yield the changed places of a unified diff with any number of context lines, from the top of the file."""
    start = place = 0
    removed: list[str] = []
    added: list[str] = []
    for line in patch.split("\n"):
        sign = line[:1]
        if sign == "-":
            if added:  # a removal behind an addition is the next place
                yield Block(start, tuple(removed), tuple(added))
                start, removed, added = place, [], []
            removed.append(line[1:])
            place += 1
        elif sign == "+":
            added.append(line[1:])
        elif sign != "\\":
            if removed or added:
                yield Block(start, tuple(removed), tuple(added))
            removed, added = [], []
            header = _HEADER.match(line) if sign == "@" else None
            if header:
                # Without old lines the header names the line before the place.
                place = max(0, int(header[1]) - (header[2] != "0"))
            else:
                place += 1
            start = place
    if removed or added:
        yield Block(start, tuple(removed), tuple(added))

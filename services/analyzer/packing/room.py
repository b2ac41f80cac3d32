"""How much of the budget a text takes once it stands in JSON, and its beginning that fits."""

from __future__ import annotations

import json
from typing import Any

BYTES_PER_TOKEN = 3
"""By the safe estimate (R-62): a budget in tokens is one in bytes."""
ELLIPSIS = "…"
_SHORTEST = 8
"""Bytes below which a beginning says nothing."""


def as_json(value: Any) -> str:
    """Return compact JSON: other scripts stay what they are, so that a sign costs its bytes and no escape."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def cost(value: Any) -> int:
    """Return the UTF-8 bytes that ``value`` takes as JSON, the comma after it included."""
    return len(as_json(value).encode("utf-8")) + 1


def fitted(text: str, room: int) -> str:
    """Return ``text``, or its beginning with an ellipsis, so that it costs at most ``room``; empty when none fits.

    Only as many characters as could fit are looked at, whatever the length of ``text``.
    """
    if len(text) <= room and cost(text) <= room:
        return text
    low, high = 0, max(0, min(len(text), room))
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if cost(text[:middle] + ELLIPSIS) <= room else (low, middle - 1)
    return _ended(text[:low]) if low >= _SHORTEST else ""


def _ended(head: str) -> str:
    """The beginning without half a word at its end, where that costs little of it."""
    space = max(head.rfind(" "), head.rfind("\n"))
    whole = head[:space] if space > len(head) * 3 // 4 else head
    return whole.rstrip(" \n\t,;:") + ELLIPSIS

"""A text without the signs that nobody sees, which can split a secret and are taken out where it is shown."""

from __future__ import annotations

import re
from bisect import bisect_right

_INVISIBLE = re.compile(
    "[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f"
    "\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\U0001bca0-\U0001bca3"
    "\U0001d173-\U0001d17a\U000e0000-\U000e0fff]+"
)
"""All that a renderer, or what packs a merge for a model, takes out; never a line end."""


class Visible:
    """What is seen of a text, and where it stands in it."""

    def __init__(self, text: str) -> None:
        parts: list[str] = []
        self._starts: list[int] = []
        self._taken: list[int] = []
        done = taken = 0
        for run in _INVISIBLE.finditer(text):
            if done < run.start():
                self._starts.append(done - taken)
                self._taken.append(taken)
                parts.append(text[done : run.start()])
            taken += run.end() - run.start()
            done = run.end()
        self._starts.append(done - taken)
        self._taken.append(taken)
        parts.append(text[done:])
        self.text = "".join(parts)

    @classmethod
    def of(cls, text: str) -> Visible | None:
        """Return what is seen of ``text``; None when that is all of it."""
        return cls(text) if _INVISIBLE.search(text) else None

    def stretch(self, start: int, end: int) -> tuple[int, int]:
        """Return where the characters from ``start`` to ``end`` of what is seen, at least one, stand in the text."""
        return self._place(start), self._place(end - 1) + 1

    def _place(self, position: int) -> int:
        return position + self._taken[bisect_right(self._starts, position) - 1]

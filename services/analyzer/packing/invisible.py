"""Takes out signs that no reader sees: control, zero-width, bidirectional and tag characters, stray selectors."""

from __future__ import annotations

import re
from collections import Counter

from shared.domain.text import clean_text

_LINE_ENDS = re.compile("\r\n?|[\u0085\u2028\u2029]")
_ANY_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_CONTROL = re.compile("(?:\x1b\\[[0-9;?]{0,32}[ -/]{0,4}[@-~]|[\x00-\x08\x0b-\x1f\x7f-\x9f])+")
"""Control characters but tab and line feed; with the sequences by which terminals are coloured."""
_UNSEEN = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0d\ufeff"
    "\uffa0\ufff0-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
_ANY_INVISIBLE = re.compile(f"[{_UNSEEN}\ufe0e\ufe0f]")
_INVISIBLE = re.compile(
    f"(?:[{_UNSEEN}]"
    "|(?<![^\x00-\x22\x24-\x29\x2b-\x2f\x3a-\xa8\ufe00-\ufe0f])[\ufe0e\ufe0f]|[\ufe0e\ufe0f](?=[\ufe00-\ufe0f]))+"
)
"""A selector of text or picture style stays where it is ordinary: one, behind a sign that has both styles."""


def without_invisible(text: str, hidden: Counter[str]) -> str:
    """Return ``text`` with plain line ends and only what can be seen; ``hidden`` counts the runs taken out, by kind."""
    if "\r" in text or not text.isascii():
        text = _LINE_ENDS.sub("\n", text)
    if _ANY_CONTROL.search(text):
        text, controls = _CONTROL.subn("", text)
        hidden["control-characters"] += controls
    if text.isascii():
        return text
    text = clean_text(text)
    if _ANY_INVISIBLE.search(text):
        text, invisible = _INVISIBLE.subn("", text)
        hidden["invisible-characters"] += invisible
    return text

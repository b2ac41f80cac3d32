"""Words of strangers made fit to be shown in one line: nothing hidden, nothing reordered, code told from prose."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from typing import NamedTuple

_SPACE = re.compile(r"[\s\u0085\u2028\u2029]+")
_CONTROLS = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
_BIDI_CONTROLS = re.compile("[\u202a-\u202e\u2066-\u2069]")
_DIRECTION_MARKS = re.compile("[\u061c\u200e\u200f]")
_INVISIBLE = re.compile(
    "[\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u2060-\u2065\u206a-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb"
    "\U000e0000-\U000e0fff]"
)
_JOINERS = re.compile("(.?)([\u200c\u200d])(?=(.?))", re.DOTALL)
_MARK = "[\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20f0\ufe20-\ufe2f]"
_MARK_FLOOD = re.compile(f"({_MARK}{{4}}){_MARK}+")
_BACKTICKS = re.compile("`+")


class Run(NamedTuple):
    """A piece of a line: prose, or the content of a code span."""

    text: str
    code: bool = False


def literal(text: str) -> str:
    """Return ``text`` as one line that shows what it says.

    Line breaks, tabs and runs of spaces become one space. Bidirectional overrides and embeddings are named
    (``⟨U+202E⟩``), because they reorder the text after them (C-32); invisible characters go; joiners stay where a
    script or an emoji needs them, and direction marks where the text holds letters written from right to left.
    """
    if text.isascii() and text.isprintable() and "  " not in text:
        return text
    text = _CONTROLS.sub("\ufffd", _SPACE.sub(" ", text))
    text = _BIDI_CONTROLS.sub(lambda found: f"⟨U+{ord(found[0]):04X}⟩", text)
    text = _JOINERS.sub(_needed_joiner, _INVISIBLE.sub("", text))
    if not is_right_to_left(text):
        text = _DIRECTION_MARKS.sub("", text)
    return _MARK_FLOOD.sub(r"\1", text)


def is_right_to_left(text: str) -> bool:
    """Whether ``text`` holds a letter of a script that is written from right to left."""
    return not text.isascii() and any(
        unicodedata.bidirectional(c) in {"R", "AL"} for c in text if not _DIRECTION_MARKS.match(c)
    )


def runs(text: str) -> Iterator[Run]:
    """Split one line into prose and code spans by CommonMark's rule of matching backtick strings.

    Backticks without a partner stay prose. A code span of nothing but spaces is prose as well.
    """
    ticks = [(found.start(), found.end()) for found in _BACKTICKS.finditer(text)]
    done = 0
    position = 0
    while position < len(ticks):
        start, end = ticks[position]
        closing = next((at for at in range(position + 1, len(ticks)) if _width(ticks[at]) == end - start), None)
        content = text[end : ticks[closing][0]] if closing is not None else ""
        if closing is None or not content.strip(" "):
            position += 1
            continue
        if done < start:
            yield Run(text[done:start])
        yield Run(_unpadded(content), code=True)
        done = ticks[closing][1]
        position = closing + 1
    if done < len(text):
        yield Run(text[done:])


def _width(tick: tuple[int, int]) -> int:
    return tick[1] - tick[0]


def _unpadded(content: str) -> str:
    """CommonMark takes one space from each side when both are there."""
    return content[1:-1] if content.startswith(" ") and content.endswith(" ") else content


def _needed_joiner(found: re.Match[str]) -> str:
    before, joiner, after = found.groups()
    return before + joiner if before > "\u0590" and after > "\u0590" else before

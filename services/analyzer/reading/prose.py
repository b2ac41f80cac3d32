"""What a description really says: without comments, code, quotations, unticked boxes and an untouched template."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

LONGEST_BODY = 65_536
"""GitHub's own limit for a description, in characters."""
LONGEST_LINE = 2_000
_FENCE = re.compile(r"\s{0,3}(`{3,}|~{3,})")
_UNTICKED = re.compile(r"\s*(?:[-*+]|\d{1,3}[.)])\s+\[\s?\]")
_TICKED = re.compile(r"\s*(?:[-*+]|\d{1,3}[.)])\s+\[[xX]\]\s*(?P<claim>.*)")
_SCAFFOLD = re.compile(
    r"(?:#{1,6}(?:\s.*)?|\*\*[^*]{1,80}\*\*\s?:?|__[^_]{1,80}__\s?:?|[-*_=\s]{3,}|"
    r"(?:<summary>[^<]{0,80}</summary>|</?[a-zA-Z][^<>]{0,200}>)+|[-*+]|\|[\s|:-]*)?"
)
"""What a stripped line of an untouched template looks like: a heading, a bold label, a rule, a tag, an empty item."""
_INLINE_CODE = re.compile(r"`[^`\n]{0,500}`")


@dataclass(frozen=True, slots=True)
class Prose:
    """The lines people wrote, and the boxes they ticked; ``text`` is empty when only a template is left."""

    text: str
    ticked: tuple[str, ...]

    @property
    def empty(self) -> bool:
        """True when the description says nothing."""
        return not self.text


def read_prose(body: str | None) -> Prose:
    """Return what ``body`` says; a heading without content counts as scaffold (C-31)."""
    lines = list(_outside_code(_without_comments((body or "")[:LONGEST_BODY]).replace("\r", "\n").split("\n")))
    ticked = tuple(found["claim"][:200] for line in lines if (found := _TICKED.match(line)))
    kept = [line for line in lines if not _UNTICKED.match(line) and not line.lstrip().startswith(">")]
    if all(_SCAFFOLD.fullmatch(line.strip()) for line in kept):
        return Prose("", ticked)
    text = "\n".join(_INLINE_CODE.sub(_readable_code, line) for line in kept if line.strip())
    return Prose(text.strip(), ticked)


def _without_comments(text: str) -> str:
    """Drop HTML comments; one that is never closed swallows the rest, as it does on the page."""
    kept, position = [], 0
    while (start := text.find("<!--", position)) >= 0:
        kept.append(text[position:start])
        end = text.find("-->", start + 4)
        if end < 0:
            return "".join(kept)
        position = end + 3
    return "".join([*kept, text[position:]])


def _outside_code(lines: Iterable[str]) -> Iterator[str]:
    fence = ""
    for line in lines:
        opened = _FENCE.match(line)
        if fence:
            if opened and opened[1].startswith(fence) and not line.strip().strip(fence[0]):
                fence = ""
        elif opened:
            fence = opened[1]
        elif not line.startswith(("    ", "\t")) or line.lstrip().startswith(("-", "*", "+")):
            yield line[:LONGEST_LINE]


def _readable_code(found: re.Match[str]) -> str:
    """Names in code may be read as words, but no number in code is a reference."""
    return found[0].replace("#", " ")

"""What a description says once the template is taken away: no unticked boxes, empty headings, trailers or long logs."""

from __future__ import annotations

import re

_HEADING = re.compile(r"(?P<marks>#{1,6})\s+(?P<words>.*)|(?:\*\*|__)(?P<bold>[^*_]{1,80})(?:\*\*|__)\s?:?$")
_UNTICKED = re.compile(r"(?:[-*+]|\d{1,3}[.)])\s+\[\s?\]")
_PROMISE = re.compile(
    r"(?:[-*+]|\d{1,3}[.)])\s+\[[xX]\]\s+(?:i|i've|i have|by submitting|my|the pr|this pr)\b", re.IGNORECASE
)
"""A ticked box in which the author promises to have followed the rules of contributing."""
_RULE = re.compile(r"(?:[-*_=]\s?){3,}|[-*+]|\|?[\s|:-]+\|?")
"""A line across, an empty item, the line under the head of a table."""
_TRAILER = re.compile(
    r"(?:(?:\w{1,20}-){1,3}by|change-id|/?cc):?\s+\S*[@<:].*|(?:\w{1,20}-){1,3}by:\s.*", re.IGNORECASE
)
"""A line that names people and their addresses."""
_FENCE = ("```", "~~~")
_LAST = re.compile(
    r"\b(?:test(?:ing|ed|s)?|checklist|check list|screenshots?|how to (?:test|verify|review)|before submitting|"
    r"contribut\w*|reviewers?|who can review)\b",
    re.IGNORECASE,
)
"""Headings of what tells least about the effect of a change; it comes last, so that it goes first."""
_RESULTS = re.compile(r"\b(?:results?|benchmarks?|performance)\b", re.IGNORECASE)
LONGEST_BLOCK = 10
"""Lines of one block of code or one table that are kept: logs and listings are long and say little."""


def without_template(text: str) -> str:
    """Return the lines of cleaned Markdown that people wrote, those about tests and checklists last.

    A heading without anything below it goes; so do boxes that nobody ticked, promises, trailers and lines across.
    """
    sections = _sections(_short_blocks(text.split("\n")))
    filled = _with_filled_headings(sections)
    first = [lines for heading, lines in filled if not _comes_last(heading)]
    last = [lines for heading, lines in filled if _comes_last(heading)]
    return "\n".join(line for lines in first + last for line in lines)


def without_trailers(text: str) -> str:
    """Return the lines of a commit message without trailers, which name people and their addresses, and empty lines."""
    return "\n".join(line for line in map(str.strip, text.split("\n")) if line and not _TRAILER.fullmatch(line))


def _comes_last(heading: str) -> bool:
    return bool(_LAST.search(heading)) and not _RESULTS.search(heading)


def _short_blocks(lines: list[str]) -> list[str]:
    """The lines that say something; of a long block its beginning and the fence that ends it."""
    kept: list[str] = []
    fence, within = "", 0
    for line in lines:
        words = line.strip()
        table = not fence and words.startswith("|")
        within = within + 1 if fence or table else 0
        if fence and words.startswith(fence) and not words.strip(fence[0]):
            fence = ""
            kept.append(words)
        elif fence or table:
            if within == LONGEST_BLOCK + 1:
                kept.append("…")
            elif within <= LONGEST_BLOCK and words and not (table and _RULE.fullmatch(words)):
                kept.append(
                    " | ".join(cell.strip() for cell in words.strip("|").split("|")) if table else line.rstrip()
                )
        elif words.startswith(_FENCE):
            fence = words[:3]
            kept.append(words)
        elif not _is_noise(words):
            kept.append(" ".join(words.split()))
    return kept


def _is_noise(words: str) -> bool:
    return (
        not words
        or any(pattern.match(words) for pattern in (_UNTICKED, _PROMISE))
        or any(pattern.fullmatch(words) for pattern in (_RULE, _TRAILER))
    )


def _sections(lines: list[str]) -> list[tuple[int, str, list[str]]]:
    """Depth of the heading (7 for a bold line), its words, and the lines from it to the next; the first has none."""
    sections: list[tuple[int, str, list[str]]] = [(0, "", [])]
    fenced = False
    for line in lines:
        fenced ^= line.startswith(_FENCE)
        heading = None if fenced else _HEADING.fullmatch(line)
        if heading:
            depth = len(heading["marks"]) if heading["marks"] else 7
            sections.append((depth, heading["words"] or heading["bold"] or "", [line]))
        else:
            sections[-1][2].append(line)
    return sections


def _with_filled_headings(sections: list[tuple[int, str, list[str]]]) -> list[tuple[str, list[str]]]:
    """The sections that hold a line of their own, or have one below them that does."""
    kept: list[tuple[str, list[str]]] = []
    following = 0
    for depth, heading, lines in reversed(sections):
        if len(lines) > (depth > 0) or depth < following:
            kept.append((heading, lines))
            following = depth
    return kept[::-1]

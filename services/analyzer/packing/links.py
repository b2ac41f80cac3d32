"""Makes words of Markdown's links and images, and takes out definitions and titles of links, which nobody sees."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from urllib.parse import urlsplit

_DEFINITION = re.compile(r" {0,3}\[(?!\^)[^\[\]\n]{1,300}\]:[ \t]*(?P<rest>.*)")
_DESTINATION = re.compile(r"(?:<[^<>]*>|\S+)(?P<behind>[ \t]+.*)?$")
_CLOSING = {'"': '"', "'": "'", "(": ")"}
_SPAN = re.compile(
    r"(?P<code>`[^`\n]{1,500}`)"
    r"|(?P<image>!)?\[(?P<text>[^\[\]]{0,300})\]"
    r"(?:\(\s{0,9}(?P<to><[^<>\n]{0,2000}>|[^\s()<>]{0,2000}(?:\([^\s()]{0,200}\)[^\s()]{0,200})?)"
    r"(?P<title>\s{1,9}(?:\"[^\"]{0,300}\"|'[^']{0,300}'|\([^()]{0,300}\)))?\s{0,9}\))"
)
_REST_OF_LINK = re.compile(r"\]\([^\n]{300,}")
"""Longer than any link that is told by ``_SPAN``: the words before it are what a reader sees."""
_ADDRESS = re.compile(r"<?\bhttps?://[^\s<>\"'`)\]]{1,2000}>?", re.IGNORECASE)
_LONGEST_ADDRESS = 80


def without_definitions(text: str, hidden: Counter[str]) -> str:
    """Return ``text`` without link reference definitions: also what ``[//]: # (…)`` says to nobody."""
    if "]:" not in text:
        return text
    lines = text.split("\n")
    kept: list[str] = []
    position = 0
    while position < len(lines):
        end = _end_of_definition(lines, position)
        hidden["reference-definition"] += end > position
        kept += lines[position : position + (end == position)]
        position = max(end, position + 1)
    return "\n".join(kept)


def _end_of_definition(lines: Sequence[str], start: int) -> int:
    """The line behind the definition that begins at ``start``; ``start`` itself when none does.

    Its address and its title may stand on lines of their own; a title ends with its mark or at an empty line.
    """
    found = _DEFINITION.match(lines[start])
    if not found:
        return start
    rest, at = found["rest"].strip(), start
    if not rest and start + 1 < len(lines):
        rest, at = lines[start + 1].strip(), start + 1
    target = _DESTINATION.match(rest)
    title = (target["behind"] or "").strip() if target else ""
    if not target or (title and title[0] not in _CLOSING):
        return start
    if not title and at + 1 < len(lines) and lines[at + 1].strip()[:1] in _CLOSING:
        title, at = lines[at + 1].strip(), at + 1
    closing = _CLOSING.get(title[:1], "")
    words = title[1:]
    while closing and not words.endswith(closing) and at + 1 < len(lines) and lines[at + 1].strip():
        at += 1
        words = lines[at].strip()
    return at + 1


def with_words_for_links(text: str, host: str, hidden: Counter[str]) -> str:
    """Return ``text`` with the words of links and images; an address that stands alone keeps host and path.

    ``host`` is that of the repository: of links to others their host is told as well, for it may be what matters.
    """

    def words(found: re.Match[str]) -> str:
        if found["code"]:
            return found["code"]
        hidden["link-title"] += found["title"] is not None
        shown: str = found["text"].strip()
        if found["image"]:
            return shown
        if _ADDRESS.fullmatch(shown):
            return _address(shown, host)
        other = _host((found["to"] or "").strip("<>"))
        return shown if not other or other == host or other in shown.casefold() else f"{shown} ({other})"

    # Twice: a badge is an image within a link.
    text = _SPAN.sub(words, _SPAN.sub(words, text)) if "](" in text else text
    text = _REST_OF_LINK.sub("]", text)
    return _ADDRESS.sub(lambda found: _address(found[0], host), text)


def _address(address: str, host: str) -> str:
    """Host (where it is another's) and path, without what is asked for behind them."""
    bare = address.strip("<>").rstrip(".,;:!?")
    behind = address.strip("<>")[len(bare) :]
    path = re.split(r"[?#]", bare.split("://", 1)[1], maxsplit=1)[0].rstrip("/")
    path = path.removeprefix(f"{host}/")
    return (path if len(path) <= _LONGEST_ADDRESS else path[: _LONGEST_ADDRESS - 1] + "…") + behind


def _host(address: str) -> str:
    if not address.lower().startswith(("http://", "https://")):
        return ""
    try:
        return urlsplit(address).hostname or ""
    except ValueError:
        return ""

"""Reads rendered Markdown with an independent parser: headings with their anchors, visible text, links."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from urllib.parse import unquote

from markdown_it import MarkdownIt
from markdown_it.token import Token

ZERO_WIDTH = "\u200b"
ISOLATES = "\u2068\u2069"


@dataclass
class Part:
    """What stands below one heading, up to the next heading of any level."""

    level: int
    title: str
    anchor: str
    text: str = ""
    links: list[tuple[str, str]] = field(default_factory=list)
    items: int = 0


@dataclass
class Reading:
    """A parsed document: parts in order, and everything that must not be there."""

    parts: list[Part]
    raw_html: list[str]
    images: list[str]
    prose: str
    """Visible text outside code and links: where GitHub looks for mentions and references."""

    @property
    def links(self) -> list[tuple[str, str]]:
        return [link for part in self.parts for link in part.links]

    def part(self, anchor: str) -> Part:
        return next(part for part in self.parts if part.anchor == anchor)

    def below(self, anchor: str) -> list[Part]:
        """The part with this anchor and the deeper ones that follow it."""
        start = next(place for place, part in enumerate(self.parts) if part.anchor == anchor)
        found = [self.parts[start]]
        for part in self.parts[start + 1 :]:
            if part.level <= found[0].level:
                break
            found.append(part)
        return found


def parser() -> MarkdownIt:
    return MarkdownIt("commonmark").enable(["table", "strikethrough"])


def read(text: str) -> Reading:
    """Parse a rendered digest."""
    tokens = parser().parse(text)
    reading = Reading(parts=[Part(0, "", "")], raw_html=[], images=[], prose="")
    seen: dict[str, int] = {}
    level = 0
    for token in tokens:
        if token.type == "html_block":
            reading.raw_html.append(token.content)
        elif token.type == "heading_open":
            level = int(token.tag[1])
        elif token.type == "heading_close":
            level = 0
        elif token.type == "list_item_open":
            reading.parts[-1].items += 1
        elif token.type == "inline":
            if level:
                title = visible(token)
                reading.parts.append(Part(level, title, _anchor(title, seen)))
            _read_inline(token, reading)
            if level:
                reading.parts[-1].text = ""
        elif token.type in {"fence", "code_block", "hr", "blockquote_open"}:
            reading.raw_html.append(f"unexpected {token.type}: {token.content}")
    return reading


def visible(token: Token) -> str:
    """The text that a reader sees of an inline token."""
    return "".join(child.content for child in token.children or () if child.type in {"text", "code_inline"})


def shown(markdown: str) -> str:
    """The text that a reader sees of one line of Markdown, marks that cannot be seen left out."""
    tokens = parser().parse(markdown)
    return unmarked(" ".join(visible(token) for token in tokens if token.type == "inline"))


def unmarked(text: str) -> str:
    """The text without the zero width spaces and isolates that the renderer adds."""
    return re.sub(f"[{ZERO_WIDTH}{ISOLATES}]", "", text)


def _read_inline(token: Token, reading: Reading) -> None:
    part = reading.parts[-1]
    link: list[str] | None = None
    for child in token.children or ():
        if child.type == "html_inline":
            reading.raw_html.append(child.content)
        elif child.type == "image":
            reading.images.append(str(child.attrs["src"]))
        elif child.type == "link_open":
            link = [unquote(str(child.attrs["href"])), ""]
        elif child.type == "link_close" and link is not None:
            part.links.append((link[0], link[1]))
            link = None
        elif child.type in {"text", "code_inline"}:
            part.text += child.content
            if link is not None:
                link[1] += child.content
            elif child.type == "text":
                reading.prose += child.content
        elif child.type == "s_open":
            reading.raw_html.append("strikethrough")
        if child.type in {"code_inline", "link_close"}:
            reading.prose += " \ufffc "
    part.text += "\n"
    reading.prose += "\n"


def _anchor(title: str, seen: dict[str, int]) -> str:
    """GitHub's anchor, written independently of the product: a word is what ``\\w`` matches, marks included."""
    lowered = title.strip().lower()
    base = "".join("-" if c == " " else c for c in lowered if c in " -" or re.match(r"\w", c) or _is_mark(c))
    times = seen.get(base, 0)
    seen[base] = times + 1
    return f"{base}-{times}" if times else base


def _is_mark(character: str) -> bool:
    return "\u0300" <= character <= "\u036f" or "\u0591" <= character <= "\u05c7" or "\u064b" <= character <= "\u065f"

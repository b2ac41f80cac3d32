"""Reads a rendered page with the standard library's parser: counts, links, text, and what must not be there."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from html.parser import HTMLParser

ALLOWED: dict[str, set[str]] = {
    "html": {"lang"},
    "head": set(),
    "meta": {"charset", "http-equiv", "content", "name"},
    "title": set(),
    "style": set(),
    "body": {"class"},
    "header": {"class", "id"},
    "footer": set(),
    "nav": {"class", "aria-label"},
    "main": {"id", "class"},
    "section": {"class", "id", "aria-labelledby"},
    "article": {"class"},
    "div": {"class", "style", "aria-hidden", "tabindex"},
    "p": {"class"},
    "h1": set(),
    "h2": {"id"},
    "h3": set(),
    "dl": {"class"},
    "dt": set(),
    "dd": set(),
    "figure": {"class"},
    "figcaption": set(),
    "ul": {"class", "id"},
    "ol": set(),
    "li": {"class"},
    "table": {"class"},
    "thead": set(),
    "tbody": set(),
    "tr": set(),
    "th": {"scope", "class"},
    "td": {"class"},
    "svg": {"viewbox", "preserveaspectratio", "aria-hidden"},
    "rect": {"class", "x", "y", "width", "height"},
    "details": set(),
    "summary": set(),
    "a": {"class", "href", "title", "lang", "hreflang", "rel"},
    "span": {"class", "style", "title", "aria-current", "lang"},
    "bdi": {"class", "lang"},
    "code": set(),
    "strong": set(),
}
_VOID = {"meta", "rect"}


@dataclass
class Page:
    """What a page consists of."""

    counts: Counter[str] = field(default_factory=Counter)
    ids: list[str] = field(default_factory=list)
    hrefs: list[str] = field(default_factory=list)
    pull_requests: set[str] = field(default_factory=set)
    text: str = ""
    strange: list[str] = field(default_factory=list)
    styles: list[str] = field(default_factory=list)


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.page = Page()
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        page = self.page
        page.counts[tag] += 1
        if tag not in ALLOWED:
            page.strange.append(f"<{tag}>")
        for name, value in attrs:
            if name not in ALLOWED.get(tag, set()):
                page.strange.append(f"<{tag} {name}>")
            if name == "id":
                page.ids.append(value or "")
            if name == "href":
                page.hrefs.append(value or "")
            if name == "style":
                page.styles.append(value or "")
        if tag not in _VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in _VOID:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open.pop() != tag:
            self.page.strange.append(f"</{tag}> closes something else")

    def handle_data(self, data: str) -> None:
        if "style" not in self.open:
            self.page.text += data
        if self.open[-1:] == ["a"] and re.fullmatch(r"#\d+", data):
            self.page.pull_requests.add(data)

    def handle_comment(self, data: str) -> None:
        self.page.strange.append(f"comment {data!r}")

    def unknown_decl(self, data: str) -> None:
        self.page.strange.append(f"declaration {data!r}")

    def handle_pi(self, data: str) -> None:
        self.page.strange.append(f"instruction {data!r}")


def read_page(text: str) -> Page:
    """Parse a rendered page."""
    reader = _Reader()
    reader.feed(text)
    reader.close()
    if reader.open:
        reader.page.strange.append(f"left open: {reader.open}")
    return reader.page


def page_problems(text: str, host: str) -> list[str]:
    """Return every tag, attribute, link or style that the page must not have."""
    page = read_page(text)
    found = list(page.strange)
    found += [f"id twice: {one}" for one, times in Counter(page.ids).items() if times > 1]
    for href in page.hrefs:
        inside = href.startswith("#") and href[1:] in page.ids
        sibling = re.fullmatch(r"digest\.[A-Za-z-]+\.html", href)
        if not (inside or sibling or href == host or href.startswith(f"{host}/")):
            found.append(f"link to {href}")
    found += [f"style {style}" for style in page.styles if not re.fullmatch(r"flex-grow: \d+", style)]
    if re.search(r"url\(|@import|expression\(", text.split("</style>", maxsplit=1)[0]):
        found.append("the style sheet asks for something from outside")
    return found

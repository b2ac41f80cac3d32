"""The digest as GitHub Flavored Markdown: no raw HTML, no image, no mention, links to the host and to headings only."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from shared.domain.digest import Digest, Paragraph, Span
from shared.rendering.addresses import pull_request_url
from shared.rendering.anchors import Anchors
from shared.rendering.figures import integer
from shared.rendering.literal import literal, runs
from shared.rendering.markdown_text import BREAK, code, link, words
from shared.rendering.number_lists import FULL_LIST, NumberList
from shared.rendering.page import Group, Page, legend, plan, remarks

_CLOSING = ":.：。，,;；!！?？"
_NAMES = frozenset({"title", "person", "model"})
_BY_NAME = {"#about": "about", "#full-list": FULL_LIST}


def render(digest: Digest, language: str) -> str:
    """Return the whole digest in ``language``; InvalidInput when it was not narrated in it. Same in, same out."""
    return _Writer(plan(digest, language)).document()


class _Writer:
    """Writes one document; anchors are known before the text, because links look ahead."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._anchors = _anchors_of(page)

    def document(self) -> str:
        page = self._page
        blocks = [f"# {self._heading_text(page.title)}"]
        blocks += [_lines(f"- {self._inline(line)}" for line in page.head), self._contents()]
        for section in page.sections:
            blocks.append(f"## {words(section.title)}")
            blocks += self._paragraphs(section.paragraphs)
        if page.groups:
            blocks += self._full_list()
        if page.lists:
            blocks += [f"## {words(page.locale.text('lists.title'))}", words(page.locale.text("lists.intro"))]
            for numbers in page.lists:
                blocks += [f"### {self._heading_text(_list_heading(numbers))}", self._list(numbers)]
        return "\n\n".join(block for block in blocks if block) + "\n"

    def _contents(self) -> str:
        titles = {section.key: section.title for section in self._page.sections}
        if self._page.groups:
            titles[FULL_LIST] = self._page.locale.text("full_list.title")
        return " · ".join(link(words(title), f"#{self._anchors[key]}") for key, title in titles.items())

    def _paragraphs(self, paragraphs: Sequence[Paragraph]) -> list[str]:
        blocks: list[str] = []
        run: list[str] = []
        kind = ""
        for paragraph in paragraphs:
            now = "row" if paragraph.cells else "bullet" if paragraph.bullet else ""
            if run and (now != kind or not now or (now == "row" and paragraph.heading)):
                blocks.append("\n".join(run))
                run = []
            kind = now
            run += self._paragraph(paragraph)
        return [*blocks, "\n".join(run)] if run else blocks

    def _paragraph(self, paragraph: Paragraph) -> list[str]:
        if paragraph.cells:
            line = "| " + " | ".join(self._inline(cell, cell=True) for cell in paragraph.cells) + " |"
            return [line, "|" + " --- |" * len(paragraph.cells)] if paragraph.heading else [line]
        if paragraph.heading:
            return [f"### {_open_end(self._inline(paragraph.spans))}"]
        text = self._inline(paragraph.spans, line_start=True)
        return [f"- {text}" if paragraph.bullet else text]

    def _full_list(self) -> list[str]:
        locale = self._page.locale
        blocks = [f"## {words(locale.text('full_list.title'))}", self._inline(legend(locale))]
        for group in self._page.groups:
            blocks.append(f"### {self._heading_text(_group_heading(group))}")
            blocks.append(_lines(self._entry(listed.number) for listed in group.members))
        return blocks

    def _entry(self, number: int) -> str:
        page = self._page
        listed = page.by_number[number]
        mark = page.locale.text(f"page.state_marks.{listed.state}")
        dot = page.locale.text("joining.dot")
        parts = [words(literal(listed.title).strip()), *(self._inline(remark) for remark in remarks(listed, page))]
        strong = f"**{mark}**" if listed.state == "featured" else mark
        return f"- {strong} {self._pull_request(number)} {dot.join(parts)}"

    def _list(self, numbers: NumberList) -> str:
        if not numbers.evidence:
            return self._page.locale.text("joining.item").join(self._pull_request(number) for number in numbers.numbers)
        return _lines(
            f"- {self._pull_request(number)} {self._inline(numbers.evidence.get(number, ()))}".rstrip()
            for number in numbers.numbers
        )

    def _inline(self, spans: Iterable[Span], *, cell: bool = False, line_start: bool = False) -> str:
        text = ""
        for span in spans:
            text = _beside(text, self._span(span, cell=cell, line_start=line_start and not text))
        return text.strip(" ")

    def _span(self, span: Span, *, cell: bool, line_start: bool) -> str:
        if span.kind == "code":
            return code(span.text, cell=cell)
        if span.kind == "strong":
            return _strong(span.text, cell=cell)
        if span.kind == "pull_request" and span.number is not None:
            return self._pull_request(span.number)
        if span.kind == "count" and span.list_key and span.pull_requests:
            return link(words(span.text), f"#{self._anchors[span.list_key]}")
        if span.kind == "link" and span.url:
            return link(words(span.text, cell=cell), self._target(span.url))
        text = literal(span.text).strip() if span.kind in _NAMES else span.text
        return words(text, cell=cell, line_start=line_start)

    def _target(self, url: str) -> str:
        return f"#{self._anchors[_BY_NAME[url]]}" if url in _BY_NAME else url

    def _pull_request(self, number: int) -> str:
        return link(f"#{number}", pull_request_url(self._page.digest, number))

    def _heading_text(self, text: str) -> str:
        return _open_end(words(text))


def _anchors_of(page: Page) -> dict[str, str]:
    """The anchor of each section, of the full list, and of each list behind a count, by key."""
    anchors = Anchors()
    anchors.anchor(_plain(page.title))
    found: dict[str, str] = {}
    for section in page.sections:
        found[section.key] = anchors.anchor(_plain(section.title))
        for paragraph in section.paragraphs:
            if paragraph.heading and not paragraph.cells:
                anchors.anchor("".join(_plain(span.text) for span in paragraph.spans))
    if page.groups:
        found[FULL_LIST] = anchors.anchor(_plain(page.locale.text("full_list.title")))
        for group in page.groups:
            found[f"area:{group.area}"] = anchors.anchor(_plain(_group_heading(group)))
    if page.lists:
        anchors.anchor(_plain(page.locale.text("lists.title")))
        for numbers in page.lists:
            found[numbers.key] = anchors.anchor(_plain(_list_heading(numbers)))
    return found


def _group_heading(group: Group) -> str:
    return f"{group.name} ({integer(len(group.members))})"


def _list_heading(numbers: NumberList) -> str:
    return f"{numbers.title} ({integer(len(numbers.numbers))})"


def _plain(text: str) -> str:
    return "".join(run.text for run in runs(literal(text)))


def _strong(text: str, *, cell: bool) -> str:
    """Punctuation at the end stays outside: before a letter ``：**`` does not close (CommonMark 6.2)."""
    inner = text.rstrip(_CLOSING)
    return f"**{words(inner, cell=cell)}**{words(text[len(inner) :], cell=cell)}"


def _lines(lines: Iterable[str]) -> str:
    return "\n".join(lines)


def _open_end(heading: str) -> str:
    """A space and number signs at the end would be taken for the closing of the heading."""
    return re.sub(r"(?<= )(#+)$", lambda found: f"\\{found[0]}", heading)


def _beside(text: str, piece: str) -> str:
    """Join two finished pieces that must not become markup together: ``]`` + ``(``, ``!`` + ``[``, two code spans."""
    return f"{text}{BREAK}{piece}" if text[-1:] + piece[:1] in {"](", "][", "![", "``"} else text + piece

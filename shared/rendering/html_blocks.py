"""Paragraphs of a section gathered into what HTML has: headings with text, lists and tables below them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import groupby

from markupsafe import Markup

from shared.domain.digest import Paragraph, Section, Span
from shared.rendering.html_text import HtmlText


@dataclass
class Table:
    """Cells as markup; ``bars`` holds, for each row of counts, this week and the week before in percent of the most."""

    head: list[Markup]
    rows: list[list[Markup]]
    bars: list[tuple[int, int]] = field(default_factory=list)


@dataclass
class Block:
    """A run of paragraphs of one shape: ``text``, ``bullets`` or ``table``."""

    kind: str
    lines: list[Markup] = field(default_factory=list)
    tables: list[Table] = field(default_factory=list)


@dataclass
class Item:
    """A heading (None before the first one of the section) with what stands below it."""

    heading: Markup | None
    blocks: list[Block] = field(default_factory=list)


def items_of(section: Section, text: HtmlText) -> list[Item]:
    """Return the paragraphs of ``section`` under their headings."""
    items = [Item(None)]
    for kind, run in groupby(section.paragraphs, key=_shape):
        paragraphs = list(run)
        if kind == "heading":
            items.extend(Item(text.inline(paragraph.spans)) for paragraph in paragraphs)
        elif kind == "table":
            items[-1].blocks.append(Block(kind, tables=_tables(paragraphs, text)))
        else:
            items[-1].blocks.append(Block(kind, lines=[text.inline(paragraph.spans) for paragraph in paragraphs]))
    return [item for item in items if item.heading is not None or item.blocks]


def _shape(paragraph: Paragraph) -> str:
    if paragraph.cells:
        return "table"
    return "heading" if paragraph.heading else "bullets" if paragraph.bullet else "text"


def _tables(rows: Sequence[Paragraph], text: HtmlText) -> list[Table]:
    tables: list[Table] = []
    counts: list[list[tuple[int, int]]] = []
    for row in rows:
        cells = [text.inline(cell) for cell in row.cells]
        if row.heading or not tables:
            tables.append(Table(head=cells, rows=[]))
            counts.append([])
        else:
            tables[-1].rows.append(cells)
            counts[-1].append(_counts(row.cells))
    for table, found in zip(tables, counts, strict=True):
        most = max((max(pair) for pair in found), default=0)
        if most and all(now for now, _ in found):
            table.bars = [(100 * now // most, 100 * before // most) for now, before in found]
    return tables


def _counts(cells: Sequence[Sequence[Span]]) -> tuple[int, int]:
    """The count in the second cell and the plain figure in the third; 0 for what is not there."""
    now = [span for span in cells[1] if span.kind == "count"] if len(cells) > 2 else []
    before = [
        span
        for cell in cells[2:3]
        for span in cell
        if span.kind == "figure" and (span.source or "").startswith("number(")
    ]
    return (
        len(now[0].pull_requests) if now else 0,
        int(before[0].text.replace(",", "")) if now and before else 0,
    )

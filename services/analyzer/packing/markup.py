"""Takes HTML out of a description or comment: comments, hidden elements and attributes go, what a reader sees stays."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from services.analyzer.packing.code_spans import code_spans

_COMMENTS = (("<!--", "-->"), ("<![CDATA[", "]]>"))
_NAMES = (
    "a|abbr|b|blockquote|br|button|caption|center|cite|code|col|colgroup|dd|del|details|dfn|div|dl|dt|em|figcaption|figure|"
    "font|footer|form|h[1-6]|header|hr|i|iframe|img|input|ins|kbd|label|li|link|main|mark|meta|nav|noembed|noframes|"
    "noscript|object|ol|p|picture|plaintext|pre|q|s|samp|script|section|select|small|source|span|strike|strong|style|sub|"
    "summary|sup|svg|table|tbody|td|template|textarea|tfoot|th|thead|title|tr|tt|u|ul|var|video|wbr|xmp"
)
_OPENING = re.compile(rf"<(?=/?[a-z])(?P<end>/?)(?P<name>{_NAMES})(?=[\s/>])", re.IGNORECASE)
"""Elements of a page alone: ``List<String>`` and ``<think>`` are words of the author."""
_NEVER_SEEN = frozenset(
    {
        *("iframe", "noembed", "noframes", "noscript", "object", "plaintext", "script"),
        *("select", "style", "svg", "template", "textarea", "title", "xmp"),
    }
)
_VOID = frozenset({"br", "col", "hr", "img", "input", "link", "meta", "source", "wbr"})
_BLOCKS = frozenset(
    (
        "blockquote",
        "br",
        "dd",
        "details",
        "div",
        "dl",
        "dt",
        "hr",
        "li",
        "ol",
        "p",
        "pre",
        "summary",
        "table",
        "tr",
        "ul",
    )
)
_HIDING = re.compile(
    r"""\shidden(?=[\s=/>])|aria-hidden\s*=\s*["']?true|type\s*=\s*["']?hidden|display\s*:\s*none|visibility\s*:\s*hidden|"""
    r"""(?:font-size|opacity|max-height|height|width)\s*[:=]\s*["']?0(?![.\d])|color\s*:\s*(?:transparent|white|#fff)""",
    re.IGNORECASE,
)
_HARMLESS = frozenset({"align", "alt", "class", "colspan", "height", "href", "open", "rel", "rowspan", "src", "width"})
_ATTRIBUTE = re.compile(r"""([a-zA-Z_:][\w:.-]{0,60})(?:\s{0,9}=\s{0,9}(?:"([^"]*)"|'([^']*)'|([^\s"'>]+)))?""")
_MOST_ATTRIBUTES = 4_000
"""Characters of one tag that are looked at; all of them go."""
_STOP = re.compile("""[<>"']""")


def without_comments(text: str, hidden: Counter[str]) -> str:
    """Return ``text`` without HTML comments; one that is never closed swallows the rest, as it does on the page."""
    for opening, closing in _COMMENTS:
        kept, position = [], 0
        while (start := text.find(opening, position)) >= 0:
            hidden["html-comment"] += 1
            kept.append(text[position:start])
            end = text.find(closing, start + 2)
            position = len(text) if end < 0 else end + len(closing)
        text = "".join([*kept, text[position:]])
    return text


class Tags:
    """Takes tags and hidden elements out of a text that is fed piece by piece, blocks of code aside.

    What ``<details>`` folds away is there to be read. An element that hides and is never closed swallows the rest.
    """

    def __init__(self, hidden: Counter[str]) -> None:
        self._hidden = hidden
        self._inside = ""
        self._depth = 0

    @property
    def hiding(self) -> bool:
        """Whether a hidden element has begun and not ended: what comes next is not seen either."""
        return bool(self._inside)

    def feed(self, text: str) -> str:
        """Return what a reader sees of the next piece."""
        kept: list[str] = []
        position = 0
        for found in self._tags(text):
            if found.start() < position:
                continue
            end = _end_of(text, found.end())
            before, attributes = text[position : found.start()], text[found.end() : end][:_MOST_ATTRIBUTES]
            position = end
            if self._inside:
                self._go_on(found)
            else:
                kept += (before, self._shown(found, attributes))
        if not self._inside:
            kept.append(text[position:])
        return "".join(kept)

    def _tags(self, text: str) -> Iterator[re.Match[str]]:
        """Tags in order; one within inline code is a word, unless what hides has begun before it."""
        spans = iter(code_spans(text) if "`" in text else ())
        span = next(spans, None)
        for found in _OPENING.finditer(text):
            while span is not None and span[1] <= found.start():
                span = next(spans, None)
            if self._inside or span is None or found.start() < span[0]:
                yield found

    def _go_on(self, found: re.Match[str]) -> None:
        """A tag within a hidden element: of the same name, it nests or ends."""
        self._depth += (found["name"].lower() == self._inside) * (-1 if found["end"] else 1)
        if not self._depth:
            self._inside = ""

    def _shown(self, found: re.Match[str], attributes: str) -> str:
        """What of a tag a reader sees: the words for an image, a line end for a block."""
        name = found["name"].lower()
        if not found["end"] and (name in _NEVER_SEEN or _HIDING.search(attributes)):
            self._hidden["hidden-element"] += 1
            if name not in _VOID:
                self._inside, self._depth = name, 1
            return ""
        named = {one[1].lower(): next(filter(None, one.groups()[1:]), "") for one in _ATTRIBUTE.finditer(attributes)}
        self._hidden["html-attribute"] += not named.keys() <= _HARMLESS
        if name == "img":
            return f" {named.get('alt', '')} "
        return "\n" if name in _BLOCKS else ""


def _end_of(text: str, start: int) -> int:
    """Behind the ``>`` that ends a tag; before the next ``<``, or at the end of ``text``, where none does.

    A ``>`` between quotation marks ends nothing. Each sign is looked at once: the next tag is looked for behind.
    """
    position = start
    while stop := _STOP.search(text, position):
        if stop[0] == ">":
            return stop.end()
        if stop[0] == "<":
            return stop.start()
        closing = text.find(stop[0], stop.end())
        position = stop.end() if closing < 0 else closing + 1
    return len(text)

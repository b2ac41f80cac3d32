"""Text for GitHub Flavored Markdown that reads as written: no markup, no mention, no reference, no link of its own."""

from __future__ import annotations

import re
import unicodedata
from urllib.parse import quote

from shared.rendering.literal import is_right_to_left, literal, runs

BREAK = "\u200b"
"""Zero width space: keeps GitHub from linking what it stands in; readers see nothing (R-72)."""

_REFERENCES = (
    # Mentions, teams, e-mail addresses, owner/repo@commit: all need a name right after the at-sign.
    (re.compile(r"@(?=\w|$)"), f"@{BREAK}"),
    # #12 and owner/repo#12, GH-12.
    (re.compile(r"#(?=\d)"), f"#{BREAK}"),
    (re.compile(r"\b(GH-)(?=\d)", re.IGNORECASE), rf"\1{BREAK}"),
    # Bare addresses: https://…, ftp://…, www.…, mailto:….
    (re.compile(r"(?<=[A-Za-z0-9+.\-]):(?=//)"), f":{BREAK}"),
    (re.compile(r"(?<![A-Za-z0-9])(www)(?=\.)", re.IGNORECASE), rf"\1{BREAK}"),
    (re.compile(r"(?<![A-Za-z0-9])(mailto|xmpp):", re.IGNORECASE), rf"\1:{BREAK}"),
)
_COMMIT = re.compile(r"\b(?=[0-9a-f]*[0-9])(?=[0-9a-f]*[a-f])[0-9a-f]{7,40}\b")
"""Commit ids, which GitHub links when the repository has such a commit."""
_SAFE = "/:#?&=%+~,@!$'.-_"
_ENTITY = re.compile(r"&(?=#?[0-9A-Za-z]{1,32};)")
_BACKSLASH = re.compile(r"\\(?=[!-/:-@\[-`{-~]|$)")
_DELIMITERS = re.compile(r"\*+|_+|~+")
_LINK_END = re.compile(r"\]\(")
_LINE_START = re.compile(r"(\d{1,9})([.)])|([-+=#>|])|(\[)(?=[ xX]\])")


def words(text: str, *, cell: bool = False, line_start: bool = False) -> str:
    """Return Markdown that shows ``text`` (one line, perhaps with code spans) and means nothing else.

    ``cell`` is set inside a table, where a bar would end the cell; ``line_start`` where the text begins a line. Text
    with letters written from right to left is isolated, so that what follows keeps its place (C-32).
    """
    line = literal(text)
    dollars = line.count("$") > 1
    shown = "".join(
        code(run.text, cell=cell) if run.code else _prose(run.text, cell=cell, dollars=dollars) for run in runs(line)
    )
    if line_start:
        shown = _LINE_START.sub(_escaped_start, shown, count=1) if _LINE_START.match(shown) else shown
    return f"\u2068{shown}\u2069" if is_right_to_left(line) else shown


def code(text: str, *, cell: bool = False) -> str:
    """Return a code span that shows ``text``; in a table a bar behind a backslash cannot be code and becomes prose."""
    content = literal(text).strip(" ")
    if not content:
        return ""
    if cell and "|" in content:
        if "\\|" in content or content.endswith("\\"):
            return _prose(content, cell=cell)
        content = content.replace("|", "\\|")
    widths = {len(found) for found in re.findall("`+", content)}
    fence = "`" * next(width for width in range(1, len(widths) + 2) if width not in widths)
    pad = " " if content[0] == "`" or content[-1] == "`" else ""
    return f"{fence}{pad}{content}{pad}{fence}"


def link(label: str, url: str) -> str:
    """Return a link; ``label`` is finished Markdown, ``url`` is ``https:`` or a fragment of this document."""
    return f"[{label}]({destination(url)})"


def destination(url: str) -> str:
    """Return ``url`` with everything percent-encoded that could end a link destination or a table cell.

    Letters outside ASCII stay: the fragments of headings are written with them.
    """
    if url.isascii():
        return quote(url, safe=_SAFE)
    return "".join(character if _is_word(character) else quote(character, safe=_SAFE) for character in url)


def _is_word(character: str) -> bool:
    return not character.isascii() and unicodedata.category(character)[0] in "LMN"


def _prose(text: str, *, cell: bool, dollars: bool = False) -> str:
    for pattern, replacement in _REFERENCES:
        text = pattern.sub(replacement, text)
    text = _COMMIT.sub(lambda found: BREAK.join(re.findall("..?.?.?.?.?", found[0])), text)
    text = _BACKSLASH.sub(r"\\\\", text)
    text = _ENTITY.sub("&amp;", text).replace("<", "&lt;").replace("`", "\\`")
    text = _LINK_END.sub(r"]\\(", _DELIMITERS.sub(_escaped_delimiters, text))
    if dollars:
        text = text.replace("$", "\\$")
    return text.replace("|", "&#124;") if cell else text


def _escaped_delimiters(found: re.Match[str]) -> str:
    """Escape a run of ``*``, ``_`` or ``~`` unless CommonMark lets it neither open nor close anything there."""
    before, after = found.string[found.start() - 1 : found.start()], found.string[found.end() : found.end() + 1]
    between_spaces = before == " " and after == " "
    inside_word = found[0][0] == "_" and _is_letter(before) and _is_letter(after)
    return found[0] if between_spaces or inside_word else "".join(f"\\{mark}" for mark in found[0])


def _is_letter(character: str) -> bool:
    return bool(character) and not character.isspace() and unicodedata.category(character)[0] not in "PS"


def _escaped_start(found: re.Match[str]) -> str:
    number, end, mark, bracket = found.groups()
    return f"{number}\\{end}" if number else f"\\{mark or bracket}"

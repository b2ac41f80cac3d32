"""Whether a hunk begins in the middle of a comment or a documentation string, told by what would be left as code."""

from __future__ import annotations

import re

from services.analyzer.facts.lexing import Lexer, lexed

_CODE = re.compile(
    r"[ \t]*(?:(?:async )?def \w|class \w|return\b|raise \w|if .{1,200}:$|elif .{1,200}:$|else:$|for \w.{1,200}:$|"
    r"with .{1,200}:$|try:$|except\b.{0,200}:$|"
    r"import \w|from [\w.]{1,100} import\b|@\w|assert \w|self\.\w|[\w.]{1,80}(?:: [\w\[\], .|\"]{1,80})? [+|-]?= |"
    r"[)\]}]+[,:]?$|[\w.]{1,80}\(.{0,200}\)$)"
)
"""Lines that read as Python code and hardly ever as prose."""


def opened_before(text: str, lexer: Lexer) -> str:
    """Return the mark of the comment or documentation string that is open where ``text`` begins, or an empty string.

    For a documentation string both readings are tried: the one that hides fewer lines of code is taken, and at a tie
    the text begins as code. A comment is open when its end comes first, on a line that looks like a comment's.
    """
    if lexer.docstrings:
        mark = _first(text, lexer.triple)
        return mark if mark and _hidden(mark, text, lexer) < _hidden("", text, lexer) else ""
    if lexer.block_comment:
        begin, end = lexer.block_comment
        closed, opened = text.find(end), text.find(begin)
        if closed >= 0 and (opened < 0 or closed < opened):
            line = text[text.rfind("\n", 0, closed) + 1 : closed].lstrip()
            behind = text[closed + len(end) :].split("\n", 1)[0].strip()
            return begin if not behind and (not line or line.startswith("*") or " " in line) else ""
    return ""


def _first(text: str, marks: tuple[str, ...]) -> str:
    places = [(place, mark) for mark in marks if (place := text.find(mark)) >= 0]
    return min(places)[1] if places else ""


def _hidden(mark: str, text: str, lexer: Lexer) -> int:
    """How many lines that read as code would be documentation if ``mark`` stood before the text."""
    code = lexed(mark + text, lexer)[0][len(mark) :]
    return sum(
        1
        for line, kept in zip(text.split("\n"), code.split("\n"), strict=True)
        if line and not kept.strip() and not line.lstrip().startswith("#") and _CODE.match(line)
    )

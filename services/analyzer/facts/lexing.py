"""Tells code from comments and strings, line by line, for the families of languages that a diff is made of.

It knows just enough of each to keep look-alikes out: a variable that a comment mentions, an option in a docstring, code
inside a string. Where a patch begins in the middle of a long comment or string nobody can know, and it reads as code.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache


@dataclass(frozen=True)
class Lexer:
    """How a family of languages writes comments and strings; ``triple`` strings go over lines."""

    line_comments: tuple[str, ...] = ()
    block_comment: tuple[str, str] | None = None
    quotes: str = "\"'"
    triple: tuple[str, ...] = ()
    multiline: str = ""
    """Quotes whose strings go over lines."""
    docstrings: bool = False
    """Whether a triple-quoted string that begins a line is documentation."""


PYTHON = Lexer(line_comments=("#",), triple=('"""', "'''"), docstrings=True)
C_LIKE = Lexer(line_comments=("//",), block_comment=("/*", "*/"))
JAVASCRIPT = Lexer(line_comments=("//",), block_comment=("/*", "*/"), quotes="\"'`", multiline="`")
GO = Lexer(line_comments=("//",), block_comment=("/*", "*/"), quotes='"`', multiline="`")
RUST = Lexer(line_comments=("//",), block_comment=("/*", "*/"), quotes='"', multiline='"')
JVM = Lexer(line_comments=("//",), block_comment=("/*", "*/"), triple=('"""',))
HASH = Lexer(line_comments=("#",))
TOML = Lexer(line_comments=("#",), triple=('"""', "'''"))
SQL = Lexer(line_comments=("--",), block_comment=("/*", "*/"), quotes="'\"")
TEXT = Lexer(quotes="")

BY_LANGUAGE = {
    "python": PYTHON,
    "typescript": JAVASCRIPT,
    "go": GO,
    "rust": RUST,
    "java": JVM,
    "csharp": C_LIKE,
    "cpp": C_LIKE,
    "swift": JVM,
    "php": Lexer(line_comments=("//", "#"), block_comment=("/*", "*/")),
    "ruby": HASH,
    "shell": HASH,
}
"""By the name of the language file."""

_BY_ENDING = {
    ".toml": TOML,
    ".sql": SQL,
    ".proto": C_LIKE,
    ".json": C_LIKE,
    ".jsonc": C_LIKE,
    ".json5": C_LIKE,
    ".gradle": C_LIKE,
    ".mod": C_LIKE,
    ".md": TEXT,
    ".rst": TEXT,
    ".adoc": TEXT,
}


def lexer_of(path: str, language: str | None) -> Lexer:
    """Return the lexer of a path whose language is known by name; what is not known writes comments with ``#``."""
    if language in BY_LANGUAGE:
        return BY_LANGUAGE[language]
    ending = path[path.rfind(".") :].casefold() if "." in path.rsplit("/", 1)[-1] else ""
    return _BY_ENDING.get(ending, HASH)


def lexed(text: str, lexer: Lexer) -> tuple[str, str]:
    """Return (code, bare), each as long as ``text``; comments are blank, in ``bare`` strings are blank as well."""
    code: list[str] = []
    bare: list[str] = []
    done = 0
    for found in _pattern(lexer).finditer(text):
        begin, end = found.span()
        code.append(text[done:begin])
        bare.append(text[done:begin])
        done = end
        blank = _BLANKED.sub(" ", text[begin:end])
        if found.lastgroup in ("comment", "block") or _documents(text, begin, found, lexer):
            code.append(blank)
            bare.append(blank)
            continue
        code.append(text[begin:end])
        mark = len(found["triple_mark"] or "") or 1
        closed = mark if end - begin >= 2 * mark and text[end - mark : end] == text[begin : begin + mark] else 0
        bare.append(text[begin : begin + mark] + blank[mark : len(blank) - closed] + text[end - closed : end])
    code.append(text[done:])
    bare.append(text[done:])
    return "".join(code), "".join(bare)


_GOES_ON = frozenset("([{,=+%")
"""What stands before a string that is an argument or a value, although it begins a line."""
_NOT_WITHIN = {"#": r"(?<![^\s;,)({}\[\]])", "//": "(?<!:)"}
"""A ``#`` begins a comment only at the start or after a space or bracket, ``//`` not within ``http://``."""
_BLANKED = re.compile(r"[^\n]")


@cache
def _pattern(lexer: Lexer) -> re.Pattern[str]:
    """One alternative for each kind of comment and string; what is not closed ends with its line, or with the text."""
    parts = []
    if lexer.triple:
        marks = "|".join(map(re.escape, lexer.triple))
        parts.append(rf"(?P<triple>(?P<triple_mark>{marks})(?:\\.|[^\\])*?(?:(?P=triple_mark)|\Z))")
    else:
        parts.append(r"(?P<triple>(?P<triple_mark>(?!)))")
    if lexer.block_comment:
        begin, end = map(re.escape, lexer.block_comment)
        parts.append(rf"(?P<block>{begin}.*?(?:{end}|\Z))")
    marks = "|".join(_NOT_WITHIN.get(mark, "") + re.escape(mark) for mark in lexer.line_comments) or "(?!)"
    parts.append(rf"(?P<comment>(?:{marks})[^\n]*)")
    for place, quote in enumerate(lexer.quotes):
        inner = r"(?:\\.|[^\\Q])*" if quote in lexer.multiline else r"(?:\\[^\n]|[^\\Q\n])*"
        parts.append(rf"(?P<quote_{place}>{quote}{inner.replace('Q', quote)}(?:{quote}|\n|\Z)?)")
    return re.compile("|".join(parts), re.DOTALL)


def _documents(text: str, begin: int, found: re.Match[str], lexer: Lexer) -> bool:
    """A triple-quoted string that begins a line is documentation, not a value."""
    if found.lastgroup != "triple" or not lexer.docstrings:
        return False
    line = text[text.rfind("\n", 0, begin) + 1 : begin]
    if len(line) >= 200 or line.strip("rRuUbBfF \t"):
        return False
    return text[max(0, begin - 400) : begin].rstrip("rRuUbBfF \t\n")[-1:] not in _GOES_ON

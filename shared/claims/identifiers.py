"""Finds what can be checked in a sentence: paths, options, variables, names, versions, figures, addresses."""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import StrEnum

from shared.claims.amounts import NUMBER, number_of, unit_at, unit_behind_range
from shared.claims.spelling import (
    DOMAINS,
    EDGE,
    EXTENSIONS,
    LOOK_ALIKES,
    NO_ACRONYMS,
    NO_PRODUCTS,
    PRE_RELEASE,
    WORD,
)
from shared.domain.text import clean_text
from shared.domain.value import Value

LONGEST_TEXT = 20_000
"""Characters of a text that are looked at: a sentence, a description, never a patch."""


class MentionKind(StrEnum):
    """What a token is; ``acronym`` is a word in capitals (``HIP``, ``FP8``), ``code`` anything else in backticks."""

    PATH = "path"
    FLAG = "flag"
    VARIABLE = "variable"
    NAME = "name"
    ACRONYM = "acronym"
    CODE = "code"
    VERSION = "version"
    FIGURE = "figure"
    URL = "url"


class Mention(Value):
    """One checkable token: its words without backticks, and where they stand in the text (half-open).

    ``number`` and ``unit`` are set for a figure, in plain form: ``80,000`` is ``80000``, ``1.8 µs`` is ``1.8`` ``us``.
    """

    text: str
    kind: MentionKind
    start: int
    end: int
    quoted: bool = False
    """Whether it stands in backticks."""
    number: str = ""
    unit: str = ""


Reading = tuple[Mention | None, int]
"""A token, or None when it only looked like one, and where to look on."""

_TOKEN = re.compile(
    rf"(?P<url>(?:https?|ftp)://[^\s<>()\[\]{{}}\"'`\u3000-\u303f\uff00-\uffef]{{1,500}})|"
    rf"``?(?P<code>[^`\n]{{1,200}})``?|"
    rf"(?P<none>{LOOK_ALIKES})|"
    rf"(?<![{WORD}-])(?P<flag>--[A-Za-z][A-Za-z0-9]{{0,60}}(?:[-_.][A-Za-z0-9]{{1,60}}){{0,12}})|"
    rf"(?P<version>(?:[<>=~^!]{{1,3}}\s?|(?<![{WORD}.]))[vV]?\d{{1,6}}(?:\.\d{{1,10}}){{1,5}}(?:{PRE_RELEASE})?)|"
    rf"(?<![{WORD}/.@-])(?P<path>(?:~|\.{{1,2}})?/?[A-Za-z0-9_.@+-]{{1,80}}(?:/[A-Za-z0-9_.@+*-]{{1,80}}){{1,20}}/?)|"
    rf"(?<![{WORD}/@-])(?P<file>\.?[A-Za-z0-9_][A-Za-z0-9_.-]{{0,80}}\.(?:{EXTENSIONS})){EDGE}|"
    rf"(?<![{WORD}])(?P<name>[A-Za-z_][A-Za-z0-9_]{{0,80}}(?:(?:\.|::)[A-Za-z_][A-Za-z0-9_]{{0,80}}){{0,10}}(?:\(\))?)|"
    rf"(?<![{WORD}.])(?<![A-Za-z]-)(?P<figure>{NUMBER})"
)
_VARIABLE = re.compile(r"[A-Z][A-Z0-9]{0,60}(?:_[A-Z0-9]{1,60}){1,16}")
_ACRONYM = re.compile(r"(?=[A-Z0-9]{0,11}(?:[A-Z][A-Z0-9]{0,11}[A-Z]|\d))[A-Z][A-Z0-9]{1,11}")
_VERSION_WORD = re.compile(r"[vV]\d{1,4}")
_HUMPS = re.compile(r"[a-z0-9][A-Z]|[A-Z]{2}[a-z]{2}")
_PRODUCT = re.compile(r"(?:\b([A-Z][A-Za-z+#-]{1,30})|\b(version|release|python|cuda|node))[ -]?$")
_IDENTIFIER = re.compile(r"@?[A-Za-z_$][\w$]*(?:(?:\.|::|->|#)[A-Za-z_$][\w$]*)*(?:\(\))?", re.ASCII)
_KEBAB = re.compile(r"[A-Za-z][A-Za-z0-9]*(?:-[A-Za-z0-9]+)+")
_PLAIN_VERSION = re.compile(rf"(?:[<>=~^!]{{1,3}}\s?)?[vV]?\d{{1,6}}(?:\.\d{{1,10}}){{1,5}}(?:{PRE_RELEASE})?")
_FILE = re.compile(rf"[^/\s]{{0,80}}\.(?:{EXTENSIONS})")


def mentioned(text: str) -> tuple[Mention, ...]:
    """Return every checkable token of ``text`` in its order; of a long text the first 20,000 characters are read."""
    return tuple(_mentions(clean_text(text[:LONGEST_TEXT])))


def _mentions(text: str) -> Iterator[Mention]:
    position = 0
    while found := _TOKEN.search(text, position):
        made, position = _made(text, found)
        position = max(position, found.start() + 1)
        if made is not None:
            yield made


def _made(text: str, found: re.Match[str]) -> Reading:
    """The mention that was found, or None, and where to look on."""
    group = str(found.lastgroup)
    start, end = found.span(group)
    word = found[group]
    if group in {"version", "figure", "path"}:
        return _READERS[group](text, start, end)
    made = _in_backticks(word, start) if group == "code" else _plain_token(group, word, start)
    return made, found.end()


def _plain_token(group: str, word: str, start: int) -> Mention | None:
    if group == "url":
        return _mention(word.rstrip(".,;:!?*_"), MentionKind.URL, start)
    if group == "flag":
        return _mention(word, MentionKind.FLAG, start)
    if group == "file":
        return _file(word, start)
    kind = _kind_of_name(word) if group == "name" else None
    return _mention(word, kind, start) if kind else None


def _mention(word: str, kind: MentionKind, start: int, *, quoted: bool = False) -> Mention:
    return Mention(text=word, kind=kind, start=start, end=start + len(word), quoted=quoted)


def _in_backticks(code: str, start: int) -> Mention | None:
    """What stands in backticks is taken for what it looks like, and else as it is."""
    word = code.strip()
    if not word or word.isdigit() or not any(character.isalnum() for character in word):
        return None
    start += code.index(word)
    option = word.split("=", 1)[0].split(" ", 1)[0]
    if re.fullmatch(r"--[A-Za-z][\w.-]*", option, re.ASCII):
        return _mention(option, MentionKind.FLAG, start, quoted=True)
    variable = word.lstrip("$").split("=", 1)[0]
    if _VARIABLE.fullmatch(variable):
        return _mention(variable, MentionKind.VARIABLE, start + word.index(variable), quoted=True)
    return _mention(word, _kind_of_code(word), start, quoted=True)


def _kind_of_code(word: str) -> MentionKind:
    if _PLAIN_VERSION.fullmatch(word):
        return MentionKind.VERSION
    if "://" in word:
        return MentionKind.URL
    if not re.search(r"\s", word) and (re.search(r"[\w.]/\w|^[.~]?/\w|\w/$", word) or _FILE.fullmatch(word)):
        return MentionKind.PATH
    if _IDENTIFIER.fullmatch(word) or _KEBAB.fullmatch(word):
        return MentionKind.NAME
    return MentionKind.CODE


def _number(text: str, start: int, end: int) -> Reading:
    """A number with points: a figure when a unit follows it or nothing makes it a version."""
    word = text[start:end]
    plain = re.fullmatch(r"\d+\.\d+", word)
    if plain:
        product = _PRODUCT.search(text, max(0, start - 40), start)
        unit, _ = unit_at(text, end)
        if unit or product is None or (product[1] in NO_PRODUCTS):
            return _figure(text, start, end)
    if end < len(text) and re.match(rf"[{WORD}]", text[end]):
        return None, end
    parts = word.split(".")
    if len(parts) == 4 and all(part.isdigit() and int(part) < 256 for part in parts):
        return None, end
    return _mention(word, MentionKind.VERSION, start), end


def _figure(text: str, start: int, end: int) -> Reading:
    """A number with its unit; ``3rd``, ``2D`` and ``0x1f`` are none."""
    unit, stop = unit_at(text, end)
    if not unit and end < len(text) and re.match(rf"[{WORD}]", text[end]):
        following = re.compile(rf"[{WORD}]{{1,80}}").match(text, end)
        return None, following.end() if following else end
    number = number_of(text[start:end])
    unit = unit or unit_behind_range(text, end)
    made = Mention(text=text[start:stop], kind=MentionKind.FIGURE, start=start, end=stop, number=number, unit=unit)
    return made, stop


def _path(text: str, start: int, end: int) -> Reading:
    """Slashes make a path only with an ending of a file, or a start or end that words do not have (``and/or``)."""
    word = text[start:end].rstrip(".,")
    rooted = word.startswith(("/", "./", "../", "~/")) or (word.endswith("/") and len(word) > 2)
    if rooted or _FILE.fullmatch(word.rstrip("/").rsplit("/", 1)[-1]):
        return _mention(word, MentionKind.PATH, start), start + len(word)
    first = word.split("/", 1)[0]
    kind = _kind_of_name(first) if first.isalnum() else None
    return (_mention(first, kind, start) if kind else None), start + len(first)


def _file(word: str, start: int) -> Mention | None:
    product = word.endswith((".js", ".io")) and word[:1].isupper() and "_" not in word
    return None if product else _mention(word, MentionKind.PATH, start)


def _kind_of_name(word: str) -> MentionKind | None:
    bare = word.removesuffix("()")
    if _VARIABLE.fullmatch(bare):
        return MentionKind.VARIABLE
    parts = re.split(r"\.|::", bare)
    if bare != word or "::" in word or "_" in bare.strip("_"):
        return MentionKind.NAME
    if len(parts) > 1:
        dotted = min(map(len, parts)) > 1 and parts[-1] not in DOMAINS
        return MentionKind.NAME if dotted else None
    if _VERSION_WORD.fullmatch(bare) or bare in NO_ACRONYMS:
        return None
    if _ACRONYM.fullmatch(bare):
        return MentionKind.ACRONYM
    return MentionKind.NAME if _HUMPS.search(bare) else None


_READERS = {"version": _number, "figure": _figure, "path": _path}

"""When a text holds a token: whole tokens only, with the spellings that mean the same."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass

from shared.claims.amounts import spellings_of, unit_at, unit_behind_range
from shared.claims.haystack import RUN, Haystack
from shared.claims.identifiers import Mention, MentionKind
from shared.claims.spelling import PRE_RELEASE, WORD

MOST_TRIES = 50_000
"""Places at which one token is tried in one text; only a text made to be slow has more that do not fit."""
_FEWEST_SIGNS = 2
"""Of a part of a name that may stand for the whole."""
_WORD = re.compile(rf"[{WORD}]")
_LONGER = re.compile(rf"\.\d|{PRE_RELEASE}|[{WORD}]")
_MORE_PARTS = re.compile(rf"(?:\.(?:\d{{1,10}}|\*|x\b)){{1,4}}(?!\.?\d)(?!{PRE_RELEASE})(?![{WORD}])")

Fits = Callable[[str, int, int], bool]
"""Whether a token that stands at (text, start, end) stands there as a whole one."""


@dataclass(frozen=True, slots=True)
class Form:
    """One spelling of a token; ``near`` marks one that is not the token itself, only a form or part of it."""

    needle: str
    fits: Fits
    folded: bool = False
    loose: bool = False
    """Whether letters may stand right at its ends: ``cuda12.9``, ``1.8us``."""
    near: bool = False


@dataclass(frozen=True, slots=True)
class Search:
    """Where a form stands, or None; ``whole`` is False when not every place was tried."""

    position: int | None
    whole: bool = True


def search(hay: Haystack, form: Form) -> Search:
    """Return the first place in which the form stands."""
    runs = RUN.findall(form.needle)
    if not hay.runs.issuperset(runs[1:-1] if form.loose else runs):
        return Search(None)
    text = hay.folded if form.folded else hay.text
    position = text.find(form.needle)
    for _ in range(MOST_TRIES):
        if position < 0:
            return Search(None)
        if form.fits(hay.text, position, position + len(form.needle)):
            return Search(position)
        position = text.find(form.needle, position + 1)
    return Search(None, whole=position < 0)


def forms_of(mention: Mention) -> tuple[Form, ...]:
    """Return the spellings of a token, itself first; the near ones last."""
    text = unicodedata.normalize("NFC", mention.text)
    if mention.kind is MentionKind.FLAG:
        return _option(text)
    if mention.kind is MentionKind.VERSION:
        return _version(text)
    if mention.kind is MentionKind.FIGURE:
        return _figure(mention)
    if mention.kind is MentionKind.PATH:
        return _path(text)
    if mention.kind is MentionKind.NAME:
        return _name(text)
    return (Form(text, _whole_word),)


def _is_word(text: str, at: int) -> bool:
    return 0 <= at < len(text) and _WORD.match(text, at) is not None


def _whole_word(text: str, start: int, end: int) -> bool:
    """No word goes on at either end; an end that is no word itself needs no edge."""
    return not (_is_word(text, start) and _is_word(text, start - 1)) and not (
        _is_word(text, end - 1) and _is_word(text, end)
    )


def _whole_option(text: str, start: int, end: int) -> bool:
    """No word, and no dash within one, goes on: ``--a-b`` is neither in ``--no-a-b`` nor in ``--a-b-c``."""
    if _is_word(text, end) or (text[end : end + 1] == "-" and _is_word(text, end + 1)):
        return False
    while start > 0 and text[start - 1] in "-_":
        start -= 1
    return not _is_word(text, start - 1)


def _option(text: str) -> tuple[Form, ...]:
    stem = re.split(r"[.]", text.lstrip("-"))[0] if text.count(".") else text.lstrip("-")
    folded = Form(stem.replace("-", "_"), _whole_option, folded=True)
    exact = Form(text, _whole_option)
    if "." in text:
        return (exact, Form(folded.needle, _whole_option, folded=True, near=True))
    if "-" in stem or "_" in stem:
        return (folded,)
    return (exact, Form(stem, _whole_option, near=True))


def _name(text: str) -> tuple[Form, ...]:
    """The name; then with dashes for underscores; then, of a dotted name, its last part."""
    bare = text.removesuffix("()").lstrip("@")
    forms = [Form(bare, _whole_option if "-" in bare else _whole_word)]
    if ("-" in bare or "_" in bare.strip("_")) and not re.search(r"[.:#>]", bare):
        forms.append(Form(bare.replace("-", "_"), _whole_option, folded=True, near=True))
    last = re.split(r"\.|::|->|#", bare)[-1]
    if last != bare and len(last) >= _FEWEST_SIGNS:
        forms.append(Form(last, _whole_word, near=True))
    return tuple(forms)


def _path(text: str) -> tuple[Form, ...]:
    """The path, also below another folder; then its last part."""
    bare = text.removeprefix("./").rstrip("/") or text
    forms = [Form(bare, _whole_path)]
    last = bare.rsplit("/", 1)[-1]
    if last != bare and len(last) >= _FEWEST_SIGNS:
        forms.append(Form(last, _whole_path, near=True))
    return tuple(forms)


def _whole_path(text: str, start: int, end: int) -> bool:
    """``a.py`` is neither in ``a.pyi`` nor in ``b-a.py`` nor in ``a.py.orig``."""
    before = start > 0 and (_is_word(text, start - 1) or text[start - 1] in "-.") and _is_word(text, start)
    if before and text[max(0, start - 2) : start] != "./":
        return False
    return not _is_word(text, end) and not (text[end : end + 1] in {"-", "."} and _is_word(text, end + 1))


def _version(text: str) -> tuple[Form, ...]:
    """The version; near it: with more parts (``12.9.1`` for ``12.9``), without last zeros or points (``cu129``)."""
    bare = text.lstrip("<>=~^! ").lstrip("vV")
    forms = [Form(bare, _whole_version, loose=True), Form(bare, _longer_version, loose=True, near=True)]
    shorter = re.sub(r"(?:\.0)+$", "", bare)
    if shorter != bare and "." in shorter:
        forms.append(Form(shorter, _whole_version, loose=True, near=True))
    parts = bare.split(".")
    if len(parts) <= 3 and all(part.isdigit() for part in parts):
        forms.append(Form("".join(parts[:2]), _tight_version, loose=True, near=True))
        forms += [Form(sign.join(parts), _whole_version, loose=True, near=True) for sign in ("_", "-", ", ", ",")]
    return tuple(forms)


def _starts_version(text: str, start: int) -> bool:
    """Before a version stands no digit, no point behind a digit, and no letter but ``v`` or a name (``cuda12.9``)."""
    before = text[start - 1 : start]
    if before == ".":
        return not text[max(0, start - 2) : start - 1].isdigit()
    return not before.isdigit()


def _whole_version(text: str, start: int, end: int) -> bool:
    return _starts_version(text, start) and _LONGER.match(text, end) is None


def _longer_version(text: str, start: int, end: int) -> bool:
    return _starts_version(text, start) and _MORE_PARTS.match(text, end) is not None


def _tight_version(text: str, start: int, end: int) -> bool:
    """``py312`` for 3.12: digits right behind letters."""
    return text[start - 1 : start].isalpha() and not text[end : end + 1].isdigit() if start else False


def _figure(mention: Mention) -> tuple[Form, ...]:
    def fits(text: str, start: int, end: int) -> bool:
        if start and (_is_word(text, start - 1) or (text[start - 1] in ".," and text[start - 2 : start - 1].isdigit())):
            return False
        if text[end : end + 1].isdigit() or re.match(r"[.,]\d", text[end : end + 2]):
            return False
        unit = unit_at(text, end)[0] or unit_behind_range(text, end)
        return unit == mention.unit and (bool(unit) or not _is_word(text, end))

    return tuple(Form(spelling, fits, loose=True) for spelling in spellings_of(mention.number))

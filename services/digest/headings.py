"""Headings: what several titles say together, gaps shown, or one title without its machinery."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import ceil

from services.digest.titles import CHANGE_WORDS, STOP_WORDS, Word, bare, key_of, scopes_of, words_of
from shared.domain.text import fold

LONGEST = 60
_GAP = " … "
_QUORUM = 0.75
_TEMPLATES = 8
"""Titles that are tried as the pattern of all; the most important ones."""
_MOST_GAPS = 2
_PARTICLE_WORDS = "a an the and or nor of in on at to for from by with into onto via per as is are be"
_PARTICLES = frozenset(_PARTICLE_WORDS.split())
"""Words that neither begin nor end a heading."""
_ISSUE = re.compile(r"^\s*\[?[A-Z][A-Z0-9]{1,11}-\d+\]?\s*[:;,.-]?\s+")
_BRACKETED = re.compile(r"(?<!\w)[\[(][^\[\]()]{0,40}[\])]")


@dataclass(frozen=True)
class _Line:
    """One title: its text in words, and the scopes before it as people write them."""

    title: str
    words: tuple[Word, ...]
    scopes: dict[str, str]


@dataclass(frozen=True)
class _Pattern:
    """The words of one title, by their places, that most titles have in the same order."""

    line: _Line
    places: tuple[int, ...]

    @property
    def gaps(self) -> int:
        return sum(other - one > 1 for one, other in pairwise(self.places))

    @property
    def words(self) -> list[Word]:
        return [self.line.words[place] for place in self.places]

    @property
    def telling(self) -> int:
        return sum(not word.weak for word in self.words)


def shared_heading(titles: Sequence[str], wanted: str | None = None) -> str | None:
    """Return what most of ``titles`` say in the same order, the most important title first; None where that is little.

    Words between that differ are shown as a gap; a scope that most titles have stands before. With ``wanted``, the
    words must contain that key.
    """
    lines = [_line(title) for title in titles]
    patterns = [_pattern(line, lines) for line in lines[:_TEMPLATES]]
    fit = [pattern for pattern in patterns if _says_enough(pattern, wanted)]
    if not fit:
        return None
    best = max(fit, key=lambda one: (one.telling, -one.gaps, len(one.places)))
    return _with_scope(_surface(best, lines), _common_scope(lines), {word.key for word in best.words})


def lone_heading(title: str) -> str:
    """Return ``title`` as a heading: without change type, numbers, brackets and final stop, its scope before."""
    line = _line(_ISSUE.sub("", bare(title)))
    _, begin = scopes_of(line.title)
    text = line.title[max(begin, _end_of_scopes(line.title)) :]
    plain = " ".join(_BRACKETED.sub(" ", text).replace("`", "").split()).strip(" .:;-–—")
    plain = re.sub(r"\s+([:;,])", r"\1", plain)
    return _with_scope(plain or line.title, next(iter(line.scopes.values()), None), {word.key for word in line.words})


def shortened(text: str) -> str:
    """Return ``text`` cut between words where it is too long for a heading, the cut shown."""
    if len(text) <= LONGEST:
        return text
    return text[: LONGEST - 1].rpartition(" ")[0].rstrip(" ,:;…-") + "…"


def _line(title: str) -> _Line:
    scopes = {}
    for start, end in scopes_of(title)[0]:
        text = title[start:end].strip().strip("[]:`").strip()
        folded = fold(text)
        if text and folded not in CHANGE_WORDS and folded not in STOP_WORDS and not text.isdigit():
            scopes[key_of(text)] = text
    words = (word for word in words_of(title) if not word.segment and title[word.start - 1 : word.start] != "#")
    return _Line(title=title, words=tuple(words), scopes=scopes)


def _end_of_scopes(title: str) -> int:
    return max((end for _, end in scopes_of(title)[0]), default=0)


def _pattern(line: _Line, lines: Sequence[_Line]) -> _Pattern:
    """The words of ``line`` that most lines share with it in order, without particles at the ends."""
    held = Counter(place for other in lines for place in _common_places(line.words, other.words))
    need = ceil(len(lines) * _QUORUM)
    kept = [place for place in range(len(line.words)) if held[place] >= need]
    while kept and _is_particle(line, kept[0]):
        kept.pop(0)
    while kept and (_is_particle(line, kept[-1]) or (len(kept) > 1 and kept[-1] - kept[-2] > 1)):
        kept.pop()  # nor does one word alone after a gap tell how the titles end
    return _Pattern(line=line, places=tuple(kept))


def _is_particle(line: _Line, place: int) -> bool:
    word = line.words[place]
    return fold(line.title[word.start : word.end]) in _PARTICLES


def _common_places(one: Sequence[Word], other: Sequence[Word]) -> list[int]:
    """Places in ``one`` of a longest common subsequence of the two titles."""
    lengths = [[0] * (len(other) + 1) for _ in range(len(one) + 1)]
    for i in range(len(one) - 1, -1, -1):
        for j in range(len(other) - 1, -1, -1):
            same = one[i].key == other[j].key
            lengths[i][j] = lengths[i + 1][j + 1] + 1 if same else max(lengths[i + 1][j], lengths[i][j + 1])
    places, i, j = [], 0, 0
    while i < len(one) and j < len(other):
        if one[i].key == other[j].key:
            places.append(i)
            i, j = i + 1, j + 1
        elif lengths[i + 1][j] >= lengths[i][j + 1]:
            i += 1
        else:
            j += 1
    return places


def _says_enough(pattern: _Pattern, wanted: str | None) -> bool:
    """Whether the words make a heading: what is done to something, or two words about it, without many gaps."""
    text = [word for word in pattern.words if not (word.weak and word.key in _PARTICLES)]
    if not pattern.telling or len(text) < 2 or pattern.gaps > min(_MOST_GAPS, len(text) - 2):
        return False
    joined = "".join(word.key for word in pattern.words)
    return wanted is None or any(word.key in wanted for word in pattern.words if not word.weak) or wanted in joined


def _surface(pattern: _Pattern, lines: Sequence[_Line]) -> str:
    """The words as most titles write them, with the signs between them as the chosen title has them."""
    written: dict[str, Counter[str]] = {}
    for line in lines:
        for word in line.words:
            written.setdefault(word.key, Counter())[line.title[word.start : word.end]] += 1
    told = ""
    before: int | None = None
    for place in pattern.places:
        word = pattern.line.words[place]
        if before is not None:
            between = pattern.line.title[pattern.line.words[before].end : word.start]
            told += _GAP if place - before > 1 else " " if between.isspace() else re.sub(r"[`\[\]]", "", between)
        told += written[word.key].most_common(1)[0][0] if before is not None else _spelling(pattern.line, word)
        before = place
    return " ".join(told.split())


def _spelling(line: _Line, word: Word) -> str:
    return line.title[word.start : word.end]


def _common_scope(lines: Sequence[_Line]) -> str | None:
    counted = Counter(key for line in lines for key in line.scopes)
    if not counted:
        return None
    key, count = min(counted.items(), key=lambda pair: (-pair[1], pair[0]))
    if count < ceil(len(lines) * _QUORUM):
        return None
    return Counter(line.scopes[key] for line in lines if key in line.scopes).most_common(1)[0][0]


def capitalised(text: str) -> str:
    """Return ``text`` with a capital in front, where its first word is a plain one."""
    return text[:1].upper() + text[1:] if _begins_plain(text) else text


def _with_scope(text: str, scope: str | None, words: Iterable[str]) -> str:
    """``text`` with its scope before, unless it says that anyway; a plain first word as it stands in a heading."""
    if scope is None or key_of(scope) in set(words):
        return shortened(capitalised(text))
    return shortened(f"{scope}: {text[:1].lower() + text[1:] if _begins_plain(text) else text}")


def _begins_plain(text: str) -> bool:
    word = text.partition(" ")[0]
    return word.isalpha() and (word.islower() or word.istitle())

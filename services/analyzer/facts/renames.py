"""Which definition that is gone is one that came, under another name."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from services.analyzer.facts.heads import What
from services.analyzer.facts.importable import Known
from services.analyzer.facts.items import words_of
from services.analyzer.facts.outline import body_of

_MOST = 40
"""Definitions of one file that are compared with each other."""
_ALIKE = 0.6
_NEARLY = 0.9
_RELATED = 0.75
_STAYS, _SAME_LINES, _SURE = 1.2, 0.8, 1.5
_FEW = 3
"""Lines of a body; fewer are alike by chance."""


def renamed(gone: Sequence[Known], come: Sequence[Known]) -> Iterator[tuple[Known, Known]]:
    """Yield (old, new) pairs within one file and one class: the same header and body but for the name.

    The most alike first, each once; where two fit equally well nobody knows which it is, and neither is. A name may
    be among both, when it was taken over by another definition; what merely kept its name is not yielded.
    """
    kept = {one.declared.name for one in gone} & {one.declared.name for one in come}
    olds, news = [[_Body.of(one) for one in side[:_MOST]] for side in (gone, come)]
    rated = [(_rated(old, new, kept), place, other) for place, old in enumerate(olds) for other, new in enumerate(news)]
    often = Counter((rate, place) for rate, place, _ in rated)
    left, right = set(range(len(olds))), set(range(len(news)))
    for rate, place, other in sorted(rated, key=lambda one: (-one[0], one[1], one[2])):
        if rate >= _ALIKE and place in left and other in right and often[(rate, place)] == 1:
            left.remove(place)
            right.remove(other)
            if gone[place].declared.name != come[other].declared.name:
                yield gone[place], come[other]


@dataclass(frozen=True, slots=True)
class _Body:
    """A definition with its header and its lines, its own name blanked out."""

    known: Known
    header: str
    lines: Counter[str]

    @classmethod
    def of(cls, known: Known) -> _Body:
        own = known.declared.head.name
        header = re.sub(rf"\b{re.escape(own)}\b", "_", known.declared.statement.code)
        return cls(known, header, Counter(line.replace(own, "_") for line in body_of(known.side, known.declared)))


def _rated(old: _Body, new: _Body, kept: set[str]) -> float:
    """Likeness, where a name that stays is taken for the same thing unless another fits much better."""
    one, other = old.known.declared, new.known.declared
    if old.known.file is not new.known.file or one.what is not other.what or one.owner_name != other.owner_name:
        return 0
    most = max(old.lines.total(), new.lines.total())
    shared = (old.lines & new.lines).total() / most if most else 0
    if one.name == other.name:
        return _STAYS + _SAME_LINES * shared
    alike = _alike(old, new, shared, most)
    return alike if alike >= _SURE or kept.isdisjoint((one.name, other.name)) else 0


def _alike(old: _Body, new: _Body, shared: float, most: int) -> float:
    """From 0 (another thing) to 2 (the same but for a name that is itself much the same)."""
    names = old.known.declared.head.name, new.known.declared.head.name
    same_header = old.header == new.header
    related = bool(words_of(names[0]) & words_of(names[1]))
    if old.known.declared.what is What.CONSTANT:
        return float(same_header and related)
    named = SequenceMatcher(None, *names).ratio()
    if same_header and named >= _RELATED:
        return max(shared, _ALIKE) + named
    if same_header and related and shared > _NEARLY:
        return shared + named
    if most < _FEW or not (related or shared > _NEARLY):
        return 0
    return shared * (1 if same_header else 0.9) + (named if shared >= _ALIKE else 0)

"""Things that a file declares, and what became of them: the comparison that most facts are made by."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import islice

from services.analyzer.facts.change import Change, FileChange
from services.analyzer.facts.sides import Line, Side
from services.analyzer.facts.statements import Statement, statements
from shared.domain.facts import Fact, FactKind, Place, ReadFrom, Subject

LONGEST_QUOTE = 240
MOST_FACTS = 40
"""Of one kind of reader in one merge; more is a mass change, whose facts say nothing one by one."""


MOST_CONSIDERED = 200
"""Of things that are on one side only."""


_MOST_UP = 12
"""Lines looked through upwards for an unchanged one."""
_NEARLY, _ALIKE = 0.7, 0.6
"""Shares of two names that must be the same: where only the place is, and where the value is as well."""


@dataclass(frozen=True)
class Item:
    """Something declared: ``name`` is unique for its subject within the project (or with its owner in front).

    ``value`` is its default or value as written, None where it has none.
    """

    subject: Subject
    name: str
    value: str | None
    line: Line
    identity: str | None = None
    """What tells that it is the same thing under another name, where that is not its value: a handler, a class."""
    rank: int = 0
    """Where a name is declared several times, the highest rank speaks; the first one among equals."""
    mention: str | None = None
    """How unchanged code would name it; the last part of its name by default."""
    traits: tuple[tuple[str, str | None], ...] = ()
    """What else is worth comparing: ``("choices", "a, b")``."""
    replaceable: bool = False
    """Whether one of nearly the same name in its place is the same thing, whatever its value: a class with its name."""


@dataclass(frozen=True)
class Found:
    """An item and where it was found."""

    item: Item
    path: str
    whole: bool
    above: str = ""
    """The nearest unchanged line above: what stood in one place before and after has the same one."""


Made = tuple[Fact, Found | None, Found | None]
Declare = Callable[[FileChange, Side, Statement], Iterable[Item]]
"""Says what one statement declares, on one side."""
Finish = Callable[[Fact, Found | None, Found | None], Fact | None]
"""Completes a fact (reach, way back) from what was found before and after; None drops it."""


def changed_items(
    change: Change, declare: Declare, files: Iterable[FileChange] | None = None, finish: Finish | None = None
) -> Iterator[Fact]:
    """Yield what became of everything that changed statements declare: added, removed, another value, another name.

    What only moved, within a file or between files, is no fact. What a whole file declares elsewhere, unchanged, was
    neither added nor removed.
    """
    before: dict[tuple[Subject, str], Found] = {}
    after: dict[tuple[Subject, str], Found] = {}
    for file in change.product if files is None else files:
        _collect(before, file, file.before, file.path_before, declare)
        _collect(after, file, file.after, file.path, declare)
    gone = {key: found for key, found in _only(before, after) if not _stays(found, change, new=False)}
    come = {key: found for key, found in _only(after, before) if not _stays(found, change, new=True)}
    made: list[Made] = [*_revalued(before, after), *_renamed(gone, come)]
    made += [(_fact(FactKind.REMOVED, found, None), found, None) for found in gone.values()]
    made += [(_fact(FactKind.ADDED, None, found), None, found) for found in come.values()]
    told = (fact if finish is None else finish(fact, old, new) for fact, old, new in made)
    yield from islice((fact for fact in told if fact is not None), MOST_FACTS)


def _only(
    these: dict[tuple[Subject, str], Found], those: dict[tuple[Subject, str], Found]
) -> Iterator[tuple[tuple[Subject, str], Found]]:
    """What is among these and not among those, as far as anybody could read it."""
    yield from islice(((key, found) for key, found in these.items() if key not in those), MOST_CONSIDERED)


def _collect(
    known: dict[tuple[Subject, str], Found], file: FileChange, side: Side, path: str, declare: Declare
) -> None:
    for statement in statements(side):
        for item in declare(file, side, statement):
            held = known.get((item.subject, item.name))
            if held is None or item.rank > held.item.rank:
                known[(item.subject, item.name)] = Found(item, path, file.whole, _above(side, item.line))


def _above(side: Side, line: Line) -> str:
    fragment = side.fragment_of(line.number)
    place = line.number - fragment.first if fragment else 0
    for up in range(place - 1, max(-1, place - _MOST_UP), -1):
        if fragment and not fragment.lines[up].changed and fragment.lines[up].text.strip():
            return fragment.lines[up].text.strip()
    return ""


def _stays(found: Found, change: Change, *, new: bool) -> bool:
    """Whether an unchanged line of a changed file still (or already) has the name in its code."""
    name = found.item.mention or found.item.name.rsplit(".", 1)[-1]
    alone = re.compile(rf"(?<![\w-]){re.escape(name)}(?![\w-])")
    for file in change.product:
        side = file.before if new else file.after
        if name in side.code and any(
            not line.changed and name in line.code and alone.search(line.code) for line in side.lines
        ):
            return True
    return False


def _revalued(before: dict[tuple[Subject, str], Found], after: dict[tuple[Subject, str], Found]) -> Iterator[Made]:
    for key, old in before.items():
        new = after.get(key)
        if new is None:
            continue
        if old.item.value != new.item.value and (old.item.value or new.item.value):
            yield _fact(FactKind.DEFAULT_CHANGED, old, new), old, new
        traits = dict(new.item.traits)
        for trait, value in old.item.traits:
            if trait in traits and traits[trait] != value:
                changed = _fact(FactKind.CHANGED, old, new)
                yield changed.model_copy(update={"old": value, "new": traits[trait], "note": trait}), old, new


def _renamed(gone: dict[tuple[Subject, str], Found], come: dict[tuple[Subject, str], Found]) -> Iterator[Made]:
    """One that is gone and one that came, in one file, of one subject, with one value or in one place: a new name.

    Pairs are taken out of ``gone`` and ``come``; with several candidates nobody knows which is which.
    """
    yield from _replaced(gone, come)
    for key, old in list(gone.items()):
        pairs = [
            other
            for other, new in come.items()
            if other[0] is key[0] and new.path == old.path and _same(new.item, old.item)
        ]
        rivals = [
            other
            for other, rival in gone.items()
            if other[0] is key[0] and rival.path == old.path and _same(rival.item, old.item)
        ]
        if len(pairs) == 1 and len(rivals) == 1 and (old.item.identity or _alike(key[1], pairs[0][1])):
            new = come.pop(pairs[0])
            yield _fact(FactKind.RENAMED, old, new), old, new
            del gone[key]


def _replaced(gone: dict[tuple[Subject, str], Found], come: dict[tuple[Subject, str], Found]) -> Iterator[Made]:
    """The only one that is gone from a place and the only one that came to it, when their names are nearly the same."""
    left, entered = _by_place(gone), _by_place(come)
    for place, keys in left.items():
        others = entered.get(place, [])
        if len(keys) != 1 or len(others) != 1 or not place[2] or not _nearly(keys[0][1], others[0][1]):
            continue
        old, new = gone.pop(keys[0]), come.pop(others[0])
        yield _fact(FactKind.RENAMED, old, new), old, new


def _by_place(found: dict[tuple[Subject, str], Found]) -> dict[tuple[Subject, str, str], list[tuple[Subject, str]]]:
    places: dict[tuple[Subject, str, str], list[tuple[Subject, str]]] = {}
    for key, one in found.items():
        if one.item.replaceable:
            places.setdefault((key[0], one.path, one.above), []).append(key)
    return places


def _nearly(one: str, other: str, least: float = _NEARLY) -> bool:
    """Whether two names differ in a few letters only."""
    return SequenceMatcher(None, one[:120], other[:120], autojunk=False).ratio() >= least


def _same(one: Item, other: Item) -> bool:
    if one.identity or other.identity:
        return one.identity == other.identity
    return one.value == other.value


def _alike(one: str, other: str) -> bool:
    """Whether two names share a word of at least three letters, and one says all of the other or nearly the same."""
    words, others = words_of(one), words_of(other)
    return bool(words & others) and (words <= others or others <= words or _nearly(one, other, _ALIKE))


def words_of(name: str) -> set[str]:
    """The words of an identifier, of three letters or more, in lower case."""
    spaced = "".join(f" {sign}" if sign.isupper() else sign for sign in name) if not name.isupper() else name
    return {
        word.casefold()
        for word in spaced.replace("_", " ").replace("-", " ").replace(".", " ").split()
        if len(word) > 2
    }


def _fact(kind: FactKind, old: Found | None, new: Found | None) -> Fact:
    known = new or old
    assert known is not None
    renamed = kind is FactKind.RENAMED and old is not None and new is not None
    return Fact(
        kind=kind,
        subject=known.item.subject,
        name=known.item.name if not renamed or old is None else old.item.name,
        old=(old.item.name if renamed else old.item.value) if old else None,
        new=(new.item.name if renamed else new.item.value) if new else None,
        before=place_of(old.path, old.item.line) if old else None,
        after=place_of(new.path, new.item.line) if new else None,
        read_from=ReadFrom.PATCH,
    )


def place_of(path: str, line: Line) -> Place:
    """The place of a line, with the line as its quote."""
    return Place(path=path, line=line.number, quote=line.text.strip()[:LONGEST_QUOTE])


def listed(names: Sequence[str], most: int = 6) -> str:
    """Names for a note: the first few and how many more there are."""
    shown = ", ".join(names[:most])
    return f"{shown} and {len(names) - most} more" if len(names) > most else shown

"""What files about building and shipping declare, and what became of it: pins, options, images, standards."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from services.analyzer.facts.change import FileChange
from services.analyzer.facts.items import MOST_FACTS, place_of, words_of
from services.analyzer.facts.sides import Line, Side
from shared.domain.facts import Fact, FactKind, Reach, Subject

LONGEST_VALUE = 120
MOST_DECLARED = 4_000
"""Of one side of one file; more is a table that a tool writes."""
_MOST_PATHS_NAMED = 4
_RANK = {reach: place for place, reach in enumerate(Reach)}


@dataclass(frozen=True)
class Declared:
    """One declaration; declarations of both sides with one ``key`` (and ``group``, where both are known) are one thing.

    ``value`` is the version or default as written. ``full`` holds what else counts as a change (extras, markers).
    ``keep`` is what stands before the old value in the setting that brings it back.
    """

    subject: Subject
    key: str
    name: str
    value: str | None
    line: Line
    reach: Reach = Reach.BUILDERS
    why: str = ""
    group: str = ""
    full: str = ""
    note: str = ""
    where: str = ""
    """Whom it reaches there, in plain words; one that moved to other words is told as moved."""
    keep: str | None = None
    quiet: bool = False
    """Read so that nothing seems to come or go, but no fact of its own."""
    revalued_only: bool = False
    """That it comes or goes says nothing."""


@dataclass(frozen=True)
class _Pair:
    old: Declared | None
    new: Declared | None
    file: FileChange
    left: FileChange | None = None
    """The file that it came from, when that is another one."""

    @property
    def known(self) -> Declared:
        known = self.new or self.old
        assert known is not None
        return known

    @property
    def single(self) -> bool:
        return self.old is None or self.new is None


Declare = Callable[[FileChange, Side], Iterable[Declared]]
"""Says what the known lines of one side declare, changed or not."""


def compared(
    files: Iterable[FileChange], declare: Declare, *, changed: FactKind = FactKind.CHANGED, most: int = MOST_FACTS
) -> Iterator[Fact]:
    """Yield what became of every declaration; one thing that happened in several files is one fact.

    Of more than ``most`` the first are told. What moved within a file or between files is no fact, nor is what a wholly
    new file brings or a removed one takes.
    """
    pairs = [pair for file in files for pair in _pairs_of_file(file, declare)]
    told = [pair for pair in _across_files(pairs) if _worth(pair)]
    alike: dict[tuple[object, ...], list[_Pair]] = defaultdict(list)
    for pair in told:
        old, new = map(_same_text, _values(pair))
        named = re.sub(r"[-_.]+", "-", pair.known.name.casefold())
        alike[(pair.known.subject, named, pair.old is None, pair.new is None, old, new)].append(pair)
    for group in list(alike.values())[:most]:
        group.sort(key=lambda pair: (_RANK[pair.known.reach], pair.file.path.count("/")))
        yield _fact(group, changed)


def _pairs_of_file(file: FileChange, declare: Declare) -> Iterator[_Pair]:
    before, after = (list(declare(file, side))[:MOST_DECLARED] for side in (file.before, file.after))
    stays = {one.key for one in (*before, *after) if not one.line.changed}
    old = [one for one in before if one.line.changed]
    new = [one for one in after if one.line.changed]
    _match(old, new, lambda one: (one.key, one.group, one.value, one.full))
    pairs = [
        *_match(old, new, lambda one: (one.key, one.group, one.note)),
        *_match(old, new, lambda one: (one.key, one.group)),
        *_match(old, new, lambda one: one.key, alone=True),
        *_renamed(old, new),
    ]
    for one, other in pairs:
        if one.key != other.key or _full(one) != _full(other):
            yield _Pair(one, other, file)
        elif one.where != other.where and one.where and other.where:
            yield _Pair(one, other, file, left=file)
    yield from (_Pair(one, None, file) for one in old if one.key not in stays)
    yield from (_Pair(None, one, file) for one in new if one.key not in stays)


def _full(one: Declared) -> tuple[str, str]:
    return _same_text(one.value), _same_text(one.full)


def _match(
    old: list[Declared], new: list[Declared], by: Callable[[Declared], object], *, alone: bool = False
) -> list[tuple[Declared, Declared]]:
    """Take out of both lists the pairs that are equal by ``by``, in order; ``alone`` where each side has one only."""
    waiting: dict[object, list[Declared]] = defaultdict(list)
    for one in new:
        waiting[by(one)].append(one)
    count = Counter(by(one) for one in old)
    found = []
    for one in list(old):
        others = waiting.get(by(one), [])
        if not others or (alone and (len(others) > 1 or count[by(one)] > 1)):
            continue
        found.append((one, others.pop(0)))
    gone, come = {id(one) for one, _ in found}, {id(other) for _, other in found}
    old[:] = [one for one in old if id(one) not in gone]
    new[:] = [one for one in new if id(one) not in come]
    return found


def _renamed(old: list[Declared], new: list[Declared]) -> list[tuple[Declared, Declared]]:
    """One that is gone and one that came with the same value and a word in common, when nobody else could be meant."""
    sides: dict[object, tuple[list[Declared], list[Declared]]] = defaultdict(lambda: ([], []))
    for place, ones in enumerate((old, new)):
        for one in ones:
            sides[(one.subject, one.value, one.group)][place].append(one)
    found = [
        (gone[0], come[0])
        for gone, come in sides.values()
        if len(gone) == len(come) == 1 and gone[0].value is not None and words_of(gone[0].name) & words_of(come[0].name)
    ]
    taken = {id(one) for pair in found for one in pair}
    old[:] = [one for one in old if id(one) not in taken]
    new[:] = [one for one in new if id(one) not in taken]
    return found


def _across_files(pairs: list[_Pair]) -> Iterator[_Pair]:
    """Join what left one file and came to another; a new file and a removed one are read for this only."""
    gone: dict[str, list[_Pair]] = defaultdict(list)
    for pair in pairs:
        if pair.new is None:
            gone[pair.known.key].append(pair)
    joined: set[int] = set()
    for pair in pairs:
        if pair.old is None and (left := gone.get(pair.known.key)):
            from_there = left.pop(0)
            joined |= {id(pair), id(from_there)}
            if from_there.known.quiet != pair.known.quiet and not _moved(from_there, pair):
                continue
            if _moved(from_there, pair) or _same_text(from_there.known.value) != _same_text(pair.known.value):
                yield _Pair(from_there.old, pair.new, pair.file, from_there.file)
    for pair in pairs:
        fresh = pair.single and (pair.file.new or pair.file.gone)
        if id(pair) not in joined and not fresh:
            yield pair


def _moved(gone: _Pair, come: _Pair) -> bool:
    """Whether it reaches others than before in its new place."""
    return gone.known.where != come.known.where and bool(gone.known.where and come.known.where)


def _same_text(value: str | None) -> str:
    return "".join((value or "").split())


def _worth(pair: _Pair) -> bool:
    quiet = [one.quiet for one in (pair.old, pair.new) if one is not None]
    if all(quiet) or (any(quiet) and pair.left is None):
        return False
    return not (pair.single and pair.known.revalued_only)


def _values(pair: _Pair) -> tuple[str | None, str | None]:
    """Old and new as written; where only extras, markers or the source differ, with those."""
    old, new = pair.old, pair.new
    if old and new and pair.left is not None and _same_text(old.value) == _same_text(new.value):
        return old.where, new.where
    if old and new and old.key == new.key and (old.value == new.value or ("://" in old.full) != ("://" in new.full)):
        return _short(old.full, new.full), _short(new.full, old.full)
    values = (old.value or "") if old else "", (new.value or "") if new else ""
    return _short(*values), _short(*reversed(values))


def _short(text: str, other: str) -> str | None:
    """At most 120 characters of ``text``, and where it is longer those in which it differs from the other side."""
    if len(text) > LONGEST_VALUE:
        apart = (place for place, (one, two) in enumerate(zip(text, other, strict=False)) if one != two)
        same = next(apart, min(len(text), len(other)))
        begin = text.rfind(" ", 0, same) + 1
        text = text if begin < LONGEST_VALUE // 2 else f"… {text[begin:]}"
    return text[:LONGEST_VALUE] or None


def _fact(pairs: list[_Pair], changed: FactKind) -> Fact:
    first = pairs[0]
    old, new = _values(first)
    renamed = first.old is not None and first.new is not None and first.old.key != first.new.key
    moved = first.left is not None and first.old is not None and old == first.old.where
    kind = FactKind.RENAMED if renamed else FactKind.MOVED if moved else changed
    if renamed and first.old and first.new:
        old, new = first.old.name, first.new.name
    elif first.single:
        kind = FactKind.ADDED if first.old is None else FactKind.REMOVED
    keep = first.known.keep
    others = list(dict.fromkeys(pair.file.path for pair in pairs if pair.file.path != first.file.path))
    notes = [first.known.note, _also(others)]
    return Fact(
        kind=kind,
        subject=first.known.subject,
        name=first.old.name if renamed and first.old else first.known.name,
        old=old,
        new=new,
        before=place_of((first.left or first.file).path_before, first.old.line) if first.old else None,
        after=place_of(first.file.path, first.new.line) if first.new else None,
        reach=first.known.reach,
        reach_why=first.known.why,
        way_back=_way_back(keep, old) if keep is not None and old is not None and kind is changed else None,
        note="; ".join(note for note in notes if note),
    )


def _way_back(keep: str, old: str) -> str:
    return f'{keep}"{old}"' if " " in old else f"{keep}{old}"


def _also(paths: list[str]) -> str:
    if not paths:
        return ""
    more = len(paths) - _MOST_PATHS_NAMED
    return "also in " + ", ".join(paths[:_MOST_PATHS_NAMED]) + (f" and {more} more" if more > 0 else "")

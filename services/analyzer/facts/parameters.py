"""Parameters and answers of functions that others call or implement: what they must give now, and what they get."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from services.analyzer.facts.change import Change
from services.analyzer.facts.definitions import is_abstract
from services.analyzer.facts.heads import What
from services.analyzer.facts.importable import Known, known, reach_of
from services.analyzer.facts.items import MOST_FACTS, listed, place_of
from services.analyzer.facts.signatures import Parameter, Signature, signature_of
from services.analyzer.facts.written_types import NOTHING, may_be_nothing, parts_of, same_type, widened
from shared.domain.facts import Fact, FactKind, Reach, Subject

name = "parameters"

LONGEST_VALUE = 120
_CONSTRUCTORS = frozenset({"__init__", "__new__", "constructor"})
_BY_NAME = frozenset({"python"})
"""Languages whose callers may give an argument by its name."""
_BY_TYPE = frozenset({"go", "rust", "cpp", "typescript"})
"""Languages in which another type stops callers from compiling."""
_MOST_PAIRS = 400
_MOST_TYPES = 8
_MOST_ALIKE = 60
"""Functions of one name that are asked which of them the others follow."""
_ANOTHER_TYPE = "another type"
_CALLBACK = re.compile(r"\bCallable\b|=>|\bfunc\(|\bFn(?:Mut|Once)?\(")
_MOST_PARTS = 2
"""Changed parameters of one function that are told one by one."""


@dataclass(frozen=True, slots=True)
class Altered:
    """One thing that became of a function: the fact's parts, without its place."""

    kind: FactKind
    subject: Subject
    part: str
    """The parameter, or empty for the function itself."""
    old: str | None = None
    new: str | None = None
    way_back: str | None = None
    note: str = ""
    types: tuple[frozenset[str], ...] = ()
    """Of what it is told, spelt alike, so that the same change of several functions is known as one."""


def read(change: Change) -> Iterable[Fact]:
    """Yield one fact for each change; the same one of several classes is told once, for the class that demands it."""
    groups: dict[tuple[object, ...], list[tuple[Known, Known, Altered]]] = defaultdict(list)
    for old, new in _pairs(change):
        own = new.declared.head.name if new.declared.owner_name else new.declared.name
        for altered in _altered(old, new):
            groups[(own, altered.kind, altered.part, altered.types)].append((old, new, altered))
    facts = [fact for found in groups.values() if (fact := _fact(change, found))]
    yield from _few_types(facts)[:MOST_FACTS]


def _few_types(facts: list[Fact]) -> list[Fact]:
    """With one type after the other changed only some are told, callbacks before all."""
    typed = [fact for fact in facts if fact.note.startswith(_ANOTHER_TYPE)]
    typed.sort(key=lambda fact: _CALLBACK.search(fact.old or "") is None)
    return [fact for fact in facts if fact not in typed[_MOST_TYPES:]]


def _pairs(change: Change) -> list[tuple[Known, Known]]:
    """Each function with both headers shown to the end, at least one of them changed.

    Defined several times in one file (overloads) it is left out: nobody knows which is which.
    """
    sides: list[dict[tuple[int, str], list[Known]]] = [defaultdict(list), defaultdict(list)]
    for side, after in zip(sides, (False, True), strict=True):
        for one in known(change, after=after):
            if one.declared.what is What.FUNCTION:
                side[(id(one.file), one.declared.name)].append(one)
    found = []
    for key, olds in sides[0].items():
        news = sides[1].get(key, [])
        if len(olds) == len(news) == 1 and olds[0].declared.complete and news[0].declared.complete:
            old, new = olds[0], news[0]
            touched = old.declared.changed or new.declared.changed
            if touched and old.declared.statement.code != new.declared.statement.code:
                found.append((old, new))
    return found[:_MOST_PAIRS]


def _altered(old: Known, new: Known) -> Iterator[Altered]:
    language = new.file.language or ""
    before = signature_of(language, _header(old))
    after = signature_of(language, _header(new))
    if before is None or after is None:
        return
    parts = list(_parameters(before, after, language))
    if len(parts) <= _MOST_PARTS:
        yield from parts
    else:
        yield _rewritten(before, after, parts)
    was, now = before.answer, after.answer
    if was and now and not same_type(was, now) and (language in _BY_TYPE or not widened(now, was)):
        nothing = may_be_nothing(now) and not may_be_nothing(was)
        note = "the answer may be nothing" if nothing else f"{_ANOTHER_TYPE} is answered"
        kinds = parts_of(was), parts_of(now)
        yield Altered(FactKind.CHANGED, Subject.FUNCTION, "", cut(was), cut(now), note=note, types=kinds)


def _rewritten(before: Signature, after: Signature, parts: Sequence[Altered]) -> Altered:
    """One for a function that is called quite differently now."""
    given = [one.part for one in parts if one.kind is FactKind.REQUIRED]
    gone = [one.part for one in parts if one.kind is FactKind.REMOVED]
    others = [one.part for one in parts if one.part not in (*given, *gone)]
    told = (("must be given", given), ("gone", gone), ("otherwise", others))
    return Altered(
        FactKind.CHANGED,
        Subject.FUNCTION,
        "",
        cut(", ".join(one.written for one in before.parameters)),
        cut(", ".join(one.written for one in after.parameters)),
        note="; ".join(f"{word}: {', '.join(names)}" for word, names in told if names),
    )


def _parameters(before: Signature, after: Signature, language: str) -> Iterator[Altered]:
    olds = {one.name: one for one in before.parameters if one.name != "_"}
    news = {one.name: one for one in after.parameters if one.name != "_"}
    gone = [one for one in before.parameters if one.name in olds and one.name not in news]
    come = [one for one in after.parameters if one.name in news and one.name not in olds]
    for old, new in _renamed(before, after, gone, come):
        gone.remove(old)
        come.remove(new)
        if language in _BY_NAME and not old.collects:
            way = f"{new.name}= in place of {old.name}="
            yield Altered(FactKind.RENAMED, Subject.PARAMETER, old.name, old.name, new.name, way)
    takes_rest = any(one.collects for one in after.parameters)
    for one in come:
        if one.required:
            kinds = (parts_of(one.type),)
            yield Altered(FactKind.REQUIRED, Subject.PARAMETER, one.name, None, cut(one.written), types=kinds)
    for one in gone:
        if not one.collects:
            note = "further arguments are still collected" if takes_rest else ""
            yield Altered(FactKind.REMOVED, Subject.PARAMETER, one.name, cut(one.written), None, note=note)
    for key, old in olds.items():
        if key in news:
            yield from _same_parameter(old, news[key], language)


def _same_parameter(old: Parameter, new: Parameter, language: str) -> Iterator[Altered]:
    """What became of a parameter that kept its name."""
    was, now = cut(old.written), cut(new.written)
    kinds = parts_of(old.type), parts_of(new.type)
    if new.required and not old.required:
        lost = old.default in NOTHING and not may_be_nothing(new.type)
        way = None if lost else _given(old, language)
        yield Altered(FactKind.REQUIRED, Subject.PARAMETER, new.name, was, now, way, types=kinds[1:])
        return
    if old.default is not None and new.default is not None and old.default != new.default:
        values = cut(old.default), cut(new.default)
        yield Altered(FactKind.DEFAULT_CHANGED, Subject.PARAMETER, new.name, *values, _given(old, language))
    if new.keyword_only and not old.keyword_only and not new.collects:
        yield Altered(FactKind.CHANGED, Subject.PARAMETER, new.name, was, now, f"{new.name}=…", "by keyword only")
    typed = bool(old.type and new.type) and not same_type(old.type, new.type) and not widened(old.type, new.type)
    if typed and (language in _BY_TYPE or not widened(new.type, old.type)):
        values = cut(old.type), cut(new.type)
        yield Altered(FactKind.CHANGED, Subject.PARAMETER, new.name, *values, note=_ANOTHER_TYPE, types=kinds)


def _given(old: Parameter, language: str) -> str | None:
    """What a caller writes to get the old default."""
    if old.default is None:
        return None
    return cut(f"{old.name}={old.default}" if language in _BY_NAME else old.default)


def _renamed(
    before: Signature, after: Signature, gone: Sequence[Parameter], come: Sequence[Parameter]
) -> list[tuple[Parameter, Parameter]]:
    """Pairs at one place of lists of one length, with one type and one default: a new name."""
    if len(before.parameters) != len(after.parameters) or len(gone) != len(come):
        return []
    return [
        (old, new)
        for old, new in zip(before.parameters, after.parameters, strict=True)
        if old in gone and new in come and same_type(old.type, new.type) and old.collects == new.collects
    ]


def _fact(change: Change, found: Sequence[tuple[Known, Known, Altered]]) -> Fact | None:
    """One fact for all functions of which the same became; the one that others follow stands for them."""
    old, new, altered = max(found[:_MOST_ALIKE], key=lambda one: _rank(one[1], found))
    reach, why = reach_of(change, new)
    if reach is Reach.INTERNAL:
        return None
    declared = new.declared
    holder = declared.owner_name if declared.head.name in _CONSTRUCTORS else declared.name
    others = sorted({other.declared.owner_name or other.path for _, other, _ in found if other is not new})
    also = f"the same in {len(others)} more: {listed(others)}" if others else ""
    implementers = "implementers must take it" if altered.kind is FactKind.REQUIRED and is_abstract(new) else ""
    return Fact(
        kind=altered.kind,
        subject=altered.subject,
        name=f"{holder}.{altered.part}" if altered.part else holder,
        old=altered.old,
        new=altered.new,
        before=place_of(old.path, old.declared.statement.changed),
        after=place_of(new.path, new.declared.statement.changed),
        reach=reach,
        reach_why=why,
        way_back=altered.way_back,
        note="; ".join(part for part in (altered.note, implementers, also) if part),
    )


def _rank(one: Known, found: Sequence[tuple[Known, Known, Altered]]) -> tuple[int, bool, bool]:
    """How much a class looks like the one that the others implement: how many name it as a base, then its own words."""
    header = one.declared.owners[-1].header if one.declared.owners else ""
    own = re.compile(rf"[(,: ]{re.escape(one.declared.owner_name.rpartition('.')[2])}\b")
    followers = sum(
        own.search(_bases(other)) is not None
        for _, other, _ in found[:_MOST_ALIKE]
        if other is not one and other.declared.owners
    )
    return followers, is_abstract(one), re.search(r"\b(?:ABC|Protocol)\b|Base", header) is not None


def _bases(one: Known) -> str:
    """What a class header says behind its name."""
    scope = one.declared.owners[-1]
    return scope.header.partition(scope.name)[2]


def _header(one: Known) -> str:
    return "\n".join(line.code for line in one.declared.statement.lines).strip()


def cut(text: str) -> str:
    """A value as written, at most 120 characters."""
    return text if len(text) <= LONGEST_VALUE else text[: LONGEST_VALUE - 1] + "…"

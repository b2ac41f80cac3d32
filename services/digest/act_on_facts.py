"""What readers must act on or know, from the facts of the diffs: old and new, the place, the way back."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import groupby

from services.digest.merges import Merge
from shared.domain.digest import DigestFact, MustAct
from shared.domain.facts import Fact, FactKind, Reach, Subject

MOST_OF_ONE_MERGE = 4
_EACH_FURTHER = 14
"""Points by which each further row of one merge steps back, so that every merge is heard."""
_TOLD_TOGETHER = frozenset({FactKind.MOVED, FactKind.RENAMED, FactKind.REMOVED, FactKind.REQUIRED})
_NAMED = 4
"""Names that one row tells; of more only how many."""

_BY_SUBJECT: dict[Subject, str] = {
    Subject.DEPENDENCY: "dependency-change",
    Subject.TOOLCHAIN: "toolchain",
    Subject.BASE_IMAGE: "toolchain",
    Subject.PLATFORM: "toolchain",
    Subject.BUILD_OPTION: "build-option",
    Subject.SCHEMA: "migration",
    Subject.FORMAT: "format-change",
    Subject.PROTOCOL: "format-change",
    Subject.LICENCE: "licence",
    Subject.SECURITY: "security",
}
_BY_KIND: dict[FactKind, str] = {
    FactKind.DEFAULT_CHANGED: "new-default",
    FactKind.REMOVED: "removal",
    FactKind.RENAMED: "rename",
    FactKind.MOVED: "move",
    FactKind.CHANGED: "changed-interface",
    FactKind.REQUIRED: "new-requirement",
    FactKind.REFUSED: "refusal",
    FactKind.ERROR_CHANGED: "changed-error",
    FactKind.DEPRECATED: "deprecation",
}
_NEW_VARIABLE = "environment-variable"
FACT_KINDS = frozenset({*_BY_SUBJECT.values(), *_BY_KIND.values(), _NEW_VARIABLE})
"""The kinds of rows that facts make."""

PRESSING = {
    "new-default": 54,
    "refusal": 40,
    "removal": 42,
    "rename": 40,
    "move": 38,
    "new-requirement": 38,
    "format-change": 36,
    "licence": 36,
    "migration": 34,
    "security": 34,
    "toolchain": 32,
    "changed-interface": 26,
    "deprecation": 25,
    "dependency-change": 28,
    "build-option": 14,
    "environment-variable": 12,
    "changed-error": 8,
}
"""Points by which rows of different kinds are ordered."""

_REACH = {Reach.PUBLIC: 24, Reach.BUILDERS: 12, Reach.EXTENSION: 2, Reach.INTERNAL: 0}
_TOLD_WHEN_ADDED = frozenset({Subject.ENVIRONMENT_VARIABLE, Subject.DEPENDENCY, Subject.SCHEMA, Subject.SECURITY})
"""What is merely new asks nobody to act, except for these."""


_CODE = frozenset({Subject.FUNCTION, Subject.PARAMETER, Subject.FIELD, Subject.CONSTANT})
_OF_IMPLEMENTERS = ("implement", "the same in", "may answer None", "may be nothing")
"""Notes by which the readers of facts mark an interface that others implement, or an answer that others rely on."""
_ON = "on by default"
"""Note of a new switch that changes what happens without anybody setting it."""
_CLASS = re.compile(r"[A-Za-z_][\w.]{0,60}")
_LONGEST_CALL = 60
_ELEMENT = re.compile(r"[\w.+-]+")


def rows_of_facts(merge: Merge) -> list[tuple[int, MustAct]]:
    """Return (points, row) of what the diff of one merge asks of its readers, at most four rows, the pressing first."""
    facts = _each_once(fact for fact in (merge.analysis.facts if merge.analysis else ()) if _worth_telling(fact))
    facts.sort(key=_group)
    rows = [(_points(some), _row(merge.number, some)) for _, group in groupby(facts, _group) if (some := list(group))]
    rows.sort(key=lambda pair: (-pair[0], pair[1].what))
    return [(points - _EACH_FURTHER * place, row) for place, (points, row) in enumerate(rows[:MOST_OF_ONE_MERGE])]


def _each_once(facts: Iterable[Fact]) -> list[Fact]:
    """The facts without those that say the same of another side of one thing: its class, its name in a registry."""
    found: dict[tuple[FactKind, str], Fact] = {}
    for fact in sorted(facts, key=lambda one: (-_REACH[one.reach], one.subject is not Subject.REGISTERED_NAME)):
        name = fact.name if fact.subject in _CODE else fact.name.rsplit(".", 1)[-1]
        found.setdefault((fact.kind, name), fact)
    refused = any(fact.kind is FactKind.REFUSED for fact in found.values())
    withdrawn = (FactKind.REMOVED, FactKind.DEPRECATED)
    return [one for one in found.values() if not (refused and one.subject is Subject.INPUT and one.kind in withdrawn)]


def facts_of(window: Iterable[Merge]) -> tuple[DigestFact, ...]:
    """Return every fact of the window that reaches anybody but the project itself, by merge."""
    return tuple(
        DigestFact(number=merge.number, **dict(fact))
        for merge in sorted(window, key=lambda one: one.number)
        if merge.analysis is not None
        for fact in merge.analysis.facts
        if fact.reach is not Reach.INTERNAL
    )


def row_kind(fact: Fact) -> str:
    """Return the kind of the row that tells this fact."""
    if fact.subject in _BY_SUBJECT:
        return _BY_SUBJECT[fact.subject]
    if fact.kind is FactKind.ADDED:
        return "new-default" if _ON in fact.note else _NEW_VARIABLE
    return _BY_KIND.get(fact.kind, "changed-interface")


def _worth_telling(fact: Fact) -> bool:
    if fact.reach is Reach.INTERNAL or fact.kind is FactKind.ACCEPTED:
        return False
    if fact.kind is FactKind.ADDED:
        return fact.subject in _TOLD_WHEN_ADDED
    if fact.kind is FactKind.CHANGED and fact.subject is Subject.INPUT:
        return False  # the condition of an old refusal: whether it grew or shrank needs a person
    if (fact.kind is FactKind.DEFAULT_CHANGED and _only_grew(fact)) or _only_reworded(fact):
        return False
    return fact.reach is not Reach.EXTENSION or _felt_by_forks(fact)


def _only_grew(fact: Fact) -> bool:
    """Whether the new value is the old list with more in it: nothing that worked stops working."""
    old, new = (set(_ELEMENT.findall(value or "")) for value in (fact.old, fact.new))
    return (fact.old or "").lstrip()[:1] in tuple("[({") and bool(old) and old < new


def _only_reworded(fact: Fact) -> bool:
    """Whether the same error only says it in other words."""
    told = fact.kind is FactKind.ERROR_CHANGED and fact.old and fact.new
    return bool(told) and (fact.old or "").partition(":")[0] == (fact.new or "").partition(":")[0]


def _felt_by_forks(fact: Fact) -> bool:
    """Of what only importers can notice, what breaks them for sure: most inner functions are nobody's interface."""
    if fact.subject in _CODE:
        implemented = any(word in fact.note for word in _OF_IMPLEMENTERS)
        return fact.kind is FactKind.RENAMED or (fact.kind in (FactKind.REQUIRED, FactKind.CHANGED) and implemented)
    return fact.kind is not FactKind.ERROR_CHANGED


def _group(fact: Fact) -> tuple[str, ...]:
    """Facts that are told in one row: new places and names of one kind of thing; else those with the same change."""
    group = row_kind(fact), fact.subject.value, fact.kind.value
    return group if fact.kind in _TOLD_TOGETHER else (*group, fact.old or "", fact.new or "")


def _points(facts: Sequence[Fact]) -> int:
    points = PRESSING[row_kind(facts[0])]
    reach = max((fact.reach for fact in facts), key=lambda one: _REACH[one])
    inner = reach is Reach.EXTENSION and facts[0].subject in _CODE and facts[0].kind is FactKind.RENAMED
    return points // 2 if inner else points + _REACH[reach]


def _row(number: int, facts: Sequence[Fact]) -> MustAct:
    """One row; where several things have changes of their own, each name stands with what became of it."""
    first = facts[0]
    alike = len({(fact.old, fact.new) for fact in facts}) == 1
    names = tuple(dict.fromkeys(fact.name if alike else _changed_name(fact) for fact in facts))
    way_backs = {fact.way_back for fact in facts}
    return MustAct(
        number=number,
        kind=row_kind(first),
        old=_shown(first, first.old) if alike else None,
        new=_shown(first, first.new) if alike else None,
        what=_words(first, names),
        way_back=way_backs.pop() if len(way_backs) == 1 else None,
        place=first.place.path if first.place else None,
        line=first.place.line if first.place else None,
        change=first.kind,
        subject=first.subject,
        names=names[:_NAMED],
        names_in_all=len(names),
        note=first.note if len({fact.note for fact in facts}) == 1 else "",
        reach=max((fact.reach for fact in facts), key=lambda reach: _REACH[reach]),
    )


def _shown(fact: Fact, value: str | None) -> str | None:
    """The value; of an error its class, because its words are what the row is called by."""
    if fact.subject is not Subject.INPUT or value is None:
        return value
    kind, colon, _ = value.partition(":")
    return kind if colon and _CLASS.fullmatch(kind) else value[:_LONGEST_CALL]


def _changed_name(fact: Fact) -> str:
    moved = fact.kind in (FactKind.MOVED, FactKind.RENAMED) and fact.old and fact.new
    return f"{fact.old} → {fact.new}" if moved else fact.name


def _words(fact: Fact, names: Sequence[str]) -> str:
    """The thing in plain English, for ``digest.json`` and for channels that have no tables."""
    shown = ", ".join(names[:_NAMED])
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return f"{fact.subject.value.replace('-', ' ')} {shown}{more}"

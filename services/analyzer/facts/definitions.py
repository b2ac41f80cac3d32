"""Functions, methods, classes and constants that others use: gone, under another name, or demanded of implementers."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from services.analyzer.facts.change import Change
from services.analyzer.facts.heads import What
from services.analyzer.facts.importable import Known, known, reach_of
from services.analyzer.facts.imports import imports_of
from services.analyzer.facts.items import MOST_FACTS, listed, place_of
from services.analyzer.facts.outline import Declared, body_of
from services.analyzer.facts.renames import renamed
from shared.domain.facts import Fact, FactKind, Place, Reach, Subject

name = "definitions"

_SUBJECTS = {What.FUNCTION: Subject.FUNCTION, What.CLASS: Subject.CLASS, What.CONSTANT: Subject.CONSTANT}
_FEW = 2
_MOST_GONE = 200
"""Definitions that are looked at; more is a mass change."""
_ABSTRACT = re.compile(r"\babstract(?:method|property|classmethod|staticmethod)\b")
_PACKAGES = frozenset({"go"})
"""Languages whose modules are folders: with one of its files a module is not gone."""
_UNWRITTEN = re.compile(r"raise NotImplemented\w")
_OPEN_BASE = re.compile(r"\b(?:ABC|ABCMeta|Protocol)\b|class (?:Abstract|Base)")


def read(change: Change) -> Iterable[Fact]:
    """Yield the facts; what a gone or a new file held is told by its module."""
    before = list(known(change, after=False))
    after = list(known(change, after=True))
    gone = _changed_only_on(before, after)
    come = _changed_only_on(after, before)
    pairs = list(_pairs(before, after, gone, come))
    paired = {id(one) for pair in pairs for one in pair}
    facts = [fact for old, new in pairs if (fact := _renamed(change, old, new))]
    facts += _together(
        [(old, fact) for old in gone[:_MOST_GONE] if id(old) not in paired and (fact := _removed(change, old))]
    )
    new_classes = {
        (id(one.file), one.declared.name) for one in after if one.declared.what is What.CLASS and one.declared.changed
    }
    facts += _demanded(change, before, [one for one in after if id(one) not in paired], new_classes)
    yield from facts[:MOST_FACTS]


def _changed_only_on(side: Sequence[Known], other: Sequence[Known]) -> list[Known]:
    """Those whose name the other side declares neither in the same file nor, changed, in another one.

    Members of a class that is itself one of them are left out.
    """
    same = {(id(one.file), one.declared.name) for one in other}
    moved = {(one.declared.what, one.declared.name) for one in other if one.declared.changed}
    alone: dict[tuple[int, str], Known] = {}
    for one in side:
        declared = one.declared
        if not _is_told(one):
            continue
        key = (id(one.file), declared.name)
        outer = (id(one.file), declared.owner_name)
        if key in same or (declared.what, declared.name) in moved or outer in alone:
            continue
        alone.setdefault(key, one)
    return list(alone.values())


def _pairs(
    before: Sequence[Known], after: Sequence[Known], gone: Sequence[Known], come: Sequence[Known]
) -> Iterator[tuple[Known, Known]]:
    """Renames, file by file; a changed definition whose name stays may have handed that name on."""
    files = {id(one.file) for one in (*gone, *come)}
    sides = [_by_file(one for one in side if id(one.file) in files and _is_told(one)) for side in (before, after)]
    alone = [_by_file(gone), _by_file(come)]
    for file in sorted(files, key=lambda key: next(iter(sides[0].get(key) or sides[1][key])).path):
        names = [{one.declared.name for one in side.get(file, ())} for side in sides]
        kept = names[0] & names[1]
        old, new = [
            [*alone[which].get(file, ()), *(one for one in sides[which].get(file, ()) if one.declared.name in kept)]
            for which in (0, 1)
        ]
        pairs = list(renamed(old, new))
        taken = {pair[1].declared.name for pair in pairs}
        handed = [pair for pair in pairs if pair[0].declared.name in taken or not _declared_still(pair[0])]
        yield from sorted(handed, key=lambda pair: pair[0].declared.statement.number)


def _by_file(side: Iterable[Known]) -> dict[int, list[Known]]:
    found: dict[int, list[Known]] = defaultdict(list)
    for one in side:
        found[id(one.file)].append(one)
    return found


def _is_told(one: Known) -> bool:
    whole = (one.file.gone or one.file.new) and one.file.language not in _PACKAGES
    return one.declared.changed and one.declared.what in _SUBJECTS and not whole


def _removed(change: Change, old: Known) -> Fact | None:
    reach, why = reach_of(change, old)
    if reach is Reach.INTERNAL or old.declared.head.name.startswith("__") or _inherited(old) or _stays(old):
        return None
    return Fact(
        kind=FactKind.REMOVED,
        subject=_SUBJECTS[old.declared.what],
        name=old.declared.name,
        before=_place(old),
        reach=reach,
        reach_why=why,
    )


def _together(found: Sequence[tuple[Known, Fact]]) -> list[Fact]:
    """A method that left several classes is told once; so are methods that left one class together."""
    alike: dict[tuple[Subject, str, Reach], list[tuple[Known, Fact]]] = defaultdict(list)
    for one, fact in found:
        alike[(fact.subject, one.declared.head.name if one.declared.owner_name else fact.name, fact.reach)].append(
            (one, fact)
        )
    groups: dict[tuple[str, Subject, str, Reach], list[Fact]] = defaultdict(list)
    for group in alike.values():
        one, fact = max(group, key=lambda pair: is_abstract(pair[0]))
        others = sorted({other.declared.owner_name for other, _ in group} - {one.declared.owner_name})
        if others:
            fact = fact.model_copy(update={"note": f"the same in {len(others)} more: {listed(others)}"})
        groups[(one.path, fact.subject, one.declared.owner_name or fact.name, fact.reach)].append(fact)
    return [fact for group in groups.values() for fact in _as_one(group)]


def _as_one(facts: list[Fact]) -> list[Fact]:
    first, *others = facts
    if len(others) < _FEW:
        return facts
    notes = [f"{listed([fact.name.rpartition('.')[2] for fact in others])} as well", first.note]
    return [first.model_copy(update={"note": "; ".join(note for note in notes if note)})]


def _renamed(change: Change, old: Known, new: Known) -> Fact | None:
    reach, why = reach_of(change, old)
    if reach is Reach.INTERNAL:
        return None
    alias = _stays(old)
    notes = (
        "the old name stays as an alias" if alias else "",
        "the old name is another definition now" if _declared_still(old) else "",
        "implementers must follow" if is_abstract(new) and not alias else "",
    )
    return Fact(
        kind=FactKind.RENAMED,
        subject=_SUBJECTS[old.declared.what],
        name=old.declared.name,
        old=old.declared.name,
        new=new.declared.name,
        before=_place(old),
        after=_place(new),
        reach=reach,
        reach_why=why,
        way_back=f"{'the alias ' + old.declared.head.name if alias else new.declared.name}",
        note="; ".join(part for part in notes if part),
    )


def _inherited(old: Known) -> bool:
    """Whether a method may come from a base now: its class has other bases than before."""
    owner = old.declared.owner
    if owner is None or old.file.language != "python" or "(" not in owner.header:
        return False
    classes = (one for one in old.file.declared[1] if one.changed and one.what is What.CLASS)
    return any(one.name == old.declared.owner_name and one.statement.code != owner.header for one in classes)


def _declared_still(old: Known) -> bool:
    return old.declared.name in old.file.names[True]


def _stays(old: Known) -> bool:
    """Whether the file still offers the name: taken from elsewhere, or set to something else."""
    own = old.declared.head.name
    side = old.file.after
    if own not in side.code:
        return False
    if not old.declared.owners and any(one.name == own for one in imports_of(side, old.file.language)):
        return True
    alias = re.compile(
        rf"^[ \t]{{0,40}}(?:export (?:const|type) |pub type |type |using |var |const )?{re.escape(own)}\b"
        r"(?: ?:[^=\n]{1,80})? ?= ?(?!=)",
        re.MULTILINE,
    )
    return alias.search(side.code) is not None


def _demanded(
    change: Change, before: Sequence[Known], after: Sequence[Known], new_classes: set[tuple[int, str]]
) -> list[Fact]:
    """Methods that implementers must have now and had not to have before, of classes that there were before."""
    was = {(id(one.file), one.declared.name): one for one in before}
    facts: list[Fact] = []
    for one in after:
        declared = one.declared
        if not declared.changed or not declared.owner_name or one.file.new or len(facts) == MOST_FACTS:
            continue
        old = was.get((id(one.file), declared.name))
        if (id(one.file), declared.owner_name) in new_classes or not is_abstract(one) or (old and is_abstract(old)):
            continue
        reach, why = reach_of(change, one)
        if reach is not Reach.INTERNAL:
            hard = _hard(declared)
            facts.append(
                Fact(
                    kind=FactKind.REQUIRED,
                    subject=Subject.FUNCTION,
                    name=declared.name,
                    after=_place(one),
                    reach=reach,
                    reach_why=why,
                    note="implementers must add it" if hard else "raises an error until an implementer adds it",
                )
            )
    return facts


def is_abstract(one: Known) -> bool:
    """Whether implementers have to write the method themselves."""
    declared = one.declared
    if declared.what is not What.FUNCTION or not declared.owners:
        return False
    if _hard(declared):
        return True
    owner = declared.owners[-1].header
    return (
        one.file.language == "python"
        and _OPEN_BASE.search(owner) is not None
        and any(_UNWRITTEN.match(line) for line in body_of(one.side, declared, 2))
    )


def _hard(declared: Declared) -> bool:
    if any(_ABSTRACT.search(one) for one in declared.decorators):
        return True
    owner = declared.owners[-1].header if declared.owners else ""
    bare = declared.statement.bare
    if re.match(r"(?:pub )?(?:unsafe )?trait ", owner):
        return bare.endswith(";")
    if re.match(r"type \w+(?:\[[^\]]{0,200}\])? interface\b", owner):
        return True
    if re.match(r"(?:export )?(?:default )?(?:declare )?(?:interface|abstract class) ", owner):
        return not bare.endswith("{") and "?(" not in bare and ("interface" in owner or bare.startswith("abstract "))
    return bare.startswith("virtual ") and re.search(r"= ?0 ?;$", bare) is not None


def _place(one: Known) -> Place:
    return place_of(one.path, one.declared.statement.lines[0])

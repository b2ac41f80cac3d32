"""Fields of settings, requests, responses and other records: another default, type or name; come, gone, required."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher

from services.analyzer.facts.change import Change
from services.analyzer.facts.heads import What
from services.analyzer.facts.importable import Known, known, reach_of
from services.analyzer.facts.items import MOST_FACTS, listed, place_of, words_of
from services.analyzer.facts.members import Member, member_of
from services.analyzer.facts.parameters import cut
from services.analyzer.facts.written_types import may_be_nothing, same_type, widened
from shared.domain.facts import Fact, FactKind, Reach, Subject

name = "fields"

_SETTINGS = re.compile(r".{0,80}(?:Config|Configuration|Settings|Options|Args|Arguments|Params|Parameters)$")
_WIRE = re.compile(r".{0,80}(?:Request|Response|Output|Result)$")
_SPOKEN = re.compile(r".{0,80}(?:Request|Response)$")
_MODEL = re.compile(r"\b\w{0,40}(?:BaseModel|SQLModel|TypedDict)\b")
"""What is sent or stored, not only handed from one part of the program to another."""
_RECORD = re.compile(
    r"@(?:\w+\.)?(?:dataclass|define|frozen|attrs|s|config)\b|"
    r"\b\w{0,40}(?:BaseModel|BaseSettings|TypedDict|NamedTuple|Struct|SQLModel)\b"
)
_FEW = 3
_MOST = 100
"""Fields that are compared with each other; more is a mass change."""
_SERIALISED = re.compile(r"\b(?:Serialize|Deserialize|Parser|Args|JsonSchema)\b")


@dataclass(frozen=True, slots=True)
class Field:
    """A field, where it stands, and what its declaration says."""

    known: Known
    member: Member

    @property
    def own(self) -> str:
        """Its name without its class."""
        return self.known.declared.head.name

    @property
    def owner(self) -> str:
        """The class that it belongs to."""
        return self.known.declared.owner_name


Fields = dict[tuple[int, str], Field]


def read(change: Change) -> Iterable[Fact]:
    """Yield the facts; the fields of a class that is itself new, gone or renamed are no facts of their own."""
    before, after = _fields(change, after=False), _fields(change, after=True)
    gone = {key: one for key, one in before.items() if key not in after and _lasts(one)}
    come = {key: one for key, one in after.items() if key not in before and _lasts(one)}
    facts = [fact for key, old in before.items() if key in after for fact in _altered(change, old, after[key])]
    facts += _moved(change, gone, come)
    facts += _renamed(change, gone, come)
    facts += _together(
        [fact for old in gone.values() if old.known.declared.changed and (fact := _removed(change, old))]
    )
    facts += [fact for new in come.values() if new.known.declared.changed and (fact := _added(change, new))]
    yield from facts[:MOST_FACTS]


def _fields(change: Change, *, after: bool) -> Fields:
    found: Fields = {}
    for one in known(change, after=after):
        if one.declared.what is What.FIELD and one.declared.owners and one.declared.complete:
            member = member_of(one.file.language or "", one.declared)
            if member is not None:
                found.setdefault((id(one.file), one.declared.name), Field(one, member))
    return found


def _lasts(one: Field) -> bool:
    """Whether its class was there before and is there now, as far as that is shown."""
    file = one.known.file
    if file.gone or file.new:
        return False
    shown = any(scope.shown for scope in one.known.declared.owners[-1:])
    return not shown or (one.owner in file.names[0] and one.owner in file.names[1])


def _altered(change: Change, old: Field, new: Field) -> Iterator[Fact]:
    if not (old.known.declared.changed or new.known.declared.changed):
        return
    was, now = old.member, new.member
    if now.required and not was.required:
        yield from _fact(change, FactKind.REQUIRED, old, new, was.default, None, way_back=_set(old))
    elif was.default is not None and now.default is not None and was.default != now.default:
        yield from _fact(change, FactKind.DEFAULT_CHANGED, old, new, was.default, now.default, way_back=_set(old))
    if (was.wire or now.wire) and was.wire != now.wire:
        names = was.wire or old.own, now.wire or new.own
        if names[0] != names[1]:
            yield from _fact(change, FactKind.RENAMED, old, new, *names, way_back=names[1])
    if was.type and now.type and not same_type(was.type, now.type) and not _harmless(old, new):
        nothing = may_be_nothing(now.type) and not may_be_nothing(was.type)
        yield from _fact(
            change, FactKind.CHANGED, old, new, was.type, now.type, note="may be nothing" if nothing else "another type"
        )


def _harmless(old: Field, new: Field) -> bool:
    """Whether a type only lets more in, or is told more exactly; what answers hold is read, and may not widen."""
    if widened(old.member.type, new.member.type):
        return not (_WIRE.match(new.owner) and not new.owner.endswith("Request"))
    return widened(new.member.type, old.member.type)


def _moved(change: Change, gone: Fields, come: Fields) -> list[Fact]:
    """Fields that left one class for another; into a base of it they have not left at all."""
    facts: list[Fact] = []
    for key, old in list(gone.items())[:_MOST]:
        places = [other for other, new in list(come.items())[:_MOST] if new.own == old.own and new.member == old.member]
        if len(places) != 1 or _reach(change, old)[0] is not Reach.PUBLIC:
            continue
        new = come.pop(places[0])
        del gone[key]
        header = old.known.declared.owners[-1].header
        if not re.search(rf"[(,:] ?{re.escape(new.owner)}\b", header):
            names = old.known.declared.name, new.known.declared.name
            facts += _fact(change, FactKind.MOVED, old, new, *names, way_back=names[1])
    return facts


def _renamed(change: Change, gone: Fields, come: Fields) -> list[Fact]:
    """Within one class, the only two with one type and one default, and a word in common: a new name."""
    facts: list[Fact] = []
    for key, old in list(gone.items())[:_MOST]:
        rivals = [one for one in list(gone.values())[:_MOST] if _alike(one, old)]
        places = [other for other, new in list(come.items())[:_MOST] if _alike(new, old)]
        if len(rivals) == len(places) == 1 and _nearest(old, come[places[0]], come):
            new = come.pop(places[0])
            del gone[key]
            facts += _fact(change, FactKind.RENAMED, old, new, old.own, new.own, way_back=new.own)
    return facts


def _nearest(old: Field, new: Field, come: Fields) -> bool:
    """Whether two names have a word in common and no other new one of the class is nearer."""
    beside = [one for one in list(come.values())[:_MOST] if one.known.file is new.known.file and one.owner == new.owner]
    best = max(beside, key=lambda one: SequenceMatcher(None, old.own, one.own).ratio())
    return best is new and bool(words_of(old.own) & words_of(new.own))


def _alike(one: Field, other: Field) -> bool:
    same_place = one.known.file is other.known.file and one.owner == other.owner
    return same_place and one.member.default == other.member.default and same_type(one.member.type, other.member.type)


def _removed(change: Change, old: Field) -> Fact | None:
    if old.known.declared.name in old.known.file.names[True] or not _of_record(old):
        return None
    return next(_fact(change, FactKind.REMOVED, old, None, _written(old), None), None)


def _together(facts: list[Fact]) -> list[Fact]:
    """Fields that left one class together are told as one."""
    groups: dict[tuple[str, str], list[Fact]] = defaultdict(list)
    for fact in facts:
        groups[(fact.before.path if fact.before else "", fact.name.rpartition(".")[0])].append(fact)
    told: list[Fact] = []
    for group in groups.values():
        names = [fact.name.rpartition(".")[2] for fact in group[1:]]
        one = group[0].model_copy(update={"note": f"{listed(names)} as well"})
        told += [one] if len(group) > _FEW else group
    return told


def _added(change: Change, new: Field) -> Fact | None:
    """A new one that must be given; one that may be left out only where people set it or read it."""
    owner = new.known.declared.owners[-1]
    record = _of_record(new)
    if new.known.declared.name in new.known.file.names[False]:
        return None
    if not record and new.member.default is None:
        return None
    answers = _WIRE.match(new.owner) and not new.owner.endswith("Request")
    optional = "total=False" in owner.header or new.member.type.startswith("NotRequired")
    if new.member.required and record and not answers and not optional:
        return next(_fact(change, FactKind.REQUIRED, None, new, None, _written(new)), None)
    if _reach(change, new)[0] is Reach.PUBLIC:
        return next(_fact(change, FactKind.ADDED, None, new, None, _written(new)), None)
    return None


def _of_record(one: Field) -> bool:
    """Whether its class is one whose fields are what it is made of, so far as its head is shown."""
    owner = one.known.declared.owners[-1]
    if one.known.file.language != "python" or _SETTINGS.match(owner.name) or _WIRE.match(owner.name):
        return True
    return _RECORD.search(" ".join([owner.header, *owner.decorators])) is not None


def _reach(change: Change, one: Field) -> tuple[Reach, str]:
    reach, why = reach_of(change, one.known)
    if reach is Reach.INTERNAL:
        return reach, why
    owner = one.known.declared.owners[-1]
    if _SETTINGS.match(owner.name):
        return Reach.PUBLIC, "a class of settings"
    if _SPOKEN.match(owner.name) or (_WIRE.match(owner.name) and _MODEL.search(owner.header)):
        return Reach.PUBLIC, "a request or an answer"
    if one.known.file.language == "rust" and _SERIALISED.search(" ".join(owner.decorators)):
        return Reach.PUBLIC, "read or written as data"
    if one.known.file.language == "go" and one.member.wire:
        return Reach.PUBLIC, "read or written as data"
    return reach, why


def _fact(
    change: Change,
    kind: FactKind,
    old: Field | None,
    new: Field | None,
    was: str | None,
    now: str | None,
    *,
    way_back: str | None = None,
    note: str = "",
) -> Iterator[Fact]:
    at = new or old
    assert at is not None
    reach, why = _reach(change, at)
    if reach is not Reach.INTERNAL:
        named = old if kind in (FactKind.RENAMED, FactKind.MOVED) and old else at
        yield Fact(
            kind=kind,
            subject=Subject.FIELD,
            name=named.known.declared.name,
            old=cut(was) if was is not None else None,
            new=cut(now) if now is not None else None,
            before=place_of(old.known.path, old.known.declared.statement.changed) if old else None,
            after=place_of(new.known.path, new.known.declared.statement.changed) if new else None,
            reach=reach,
            reach_why=why,
            way_back=way_back,
            note=note,
        )


def _set(old: Field) -> str | None:
    return cut(f"{old.own}={old.member.default}") if old.member.default is not None else None


def _written(one: Field) -> str:
    typed = f"{one.own}: {one.member.type}" if one.member.type else one.own
    return cut(typed if one.member.default is None else f"{typed} = {one.member.default}")

"""Deprecations: announced, put off, taken back, and carried out."""

from __future__ import annotations

import re
from collections.abc import Iterable

from services.analyzer.facts.change import Change
from services.analyzer.facts.deprecation_notes import Note, notes
from services.analyzer.facts.items import MOST_FACTS, place_of
from services.analyzer.facts.texts import cut
from shared.domain.facts import Fact, FactKind, Subject

name = "deprecations"
_CARRIED_OUT = re.compile(r"\b(?:remov|drop|delet|clean|deprecat|retir|end)\w*", re.IGNORECASE)
_BACK = "no longer deprecated"


def read(change: Change) -> Iterable[Fact]:
    """Yield the facts; what only moved, or says the same in other words, is none."""
    before: dict[str, Note] = {}
    after: dict[str, Note] = {}
    standing: set[str] = set()
    for file in change.product:
        for note in notes(file, file.before, file.path_before):
            (before if note.changed else {}).setdefault(note.name, note)
        for note in notes(file, file.after, file.path):
            if note.changed:
                after.setdefault(note.name, note)
            else:
                standing.add(note.name)
    made = [_announced(note) for name, note in after.items() if name not in before and not _said(note, before)]
    made += [fact for name, old in before.items() if (fact := _of(old, after.get(name), change, after, standing))]
    yield from [fact for fact in made if fact is not None][:MOST_FACTS]


def _said(note: Note, others: dict[str, Note]) -> bool:
    """Whether the other side has the same words under another name."""
    return any(note.words == other.words for other in others.values()) and bool(note.words)


def _announced(note: Note) -> Fact:
    return Fact(
        kind=FactKind.DEPRECATED,
        subject=note.subject,
        name=note.name,
        new=cut(note.words) if note.words else None,
        after=place_of(note.path, note.line),
        reach=note.reach,
        reach_why=note.why,
        way_back=note.replacement,
        note=note.when,
    )


def _of(old: Note, new: Note | None, change: Change, after: dict[str, Note], standing: set[str]) -> Fact | None:
    """What became of a deprecation that a changed line announced before."""
    if new is not None:
        return _put_off(old, new)
    if old.name in standing or _said(old, after):
        return None
    stays = any(old.plain_name in side.code for side in (file.after for file in change.product))
    if old.decorates and stays:
        return _fact(FactKind.CHANGED, old, f"deprecated: {old.words}", _BACK)
    if stays and not old.decorates:
        return None
    if old.subject is Subject.INPUT and not (_CARRIED_OUT.search(change.reading.title.raw) or old.file_gone):
        return None  # the warning alone is gone: nobody knows whether what it warned of is gone, too
    return _fact(FactKind.REMOVED, old, old.words or "deprecated", None)


def _put_off(old: Note, new: Note) -> Fact | None:
    if not old.release or not new.release or old.release == new.release:
        return None
    fact = _fact(FactKind.CHANGED, old, f"removal in {old.release}", f"removal in {new.release}")
    return fact.model_copy(update={"after": place_of(new.path, new.line), "reach": new.reach, "note": new.when})


def _fact(kind: FactKind, old: Note, before: str, after: str | None) -> Fact:
    carried_out = kind is FactKind.REMOVED
    return Fact(
        kind=kind,
        subject=old.subject,
        name=old.name,
        old=cut(before),
        new=after,
        before=place_of(old.path, old.line),
        reach=old.reach,
        reach_why=old.why,
        way_back=old.replacement if carried_out else None,
        note="; ".join(piece for piece in ("was deprecated before" if carried_out else "", old.when) if piece),
    )

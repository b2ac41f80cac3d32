"""Names in registries: tables of classes, enumerations, entry points, decorators, subcommands."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import partial

from services.analyzer.facts.change import Change, FileChange
from services.analyzer.facts.items import Found, Item, changed_items
from services.analyzer.facts.registrations import DECORATED, ENUMERATION, IN_TABLE, LAZY_IMPORT, registrations
from services.analyzer.facts.sides import Side
from services.analyzer.facts.statements import Statement
from services.analyzer.facts.surfaces import holds_settings, private, tooling
from services.analyzer.reading.paths import FileKind
from shared.domain.facts import Fact, FactKind, Reach, Subject

name = "registered-names"

_REGISTRIES = re.compile(r"regist|(?:^|/)__init__\.py$|factory|plugins?[/.]")
"""Files in which tables are there for the names in them."""


def read(change: Change) -> Iterable[Fact]:
    """Yield the facts: ``old`` and ``new`` are what a name stands for, or for RENAMED the names."""
    files = [file for file in change.product if file.kind is not FileKind.CI]
    yield from changed_items(change, _declared, files, partial(_finish, change))


def _declared(file: FileChange, side: Side, statement: Statement) -> Iterator[Item]:
    for found in registrations(file, side, statement):
        yield Item(
            Subject.REGISTERED_NAME,
            found.name,
            found.value,
            found.line,
            identity=found.identity,
            mention=found.mention,
            traits=(("what", found.what),),
            replaceable=True,
        )


def _finish(change: Change, fact: Fact, old: Found | None, new: Found | None) -> Fact | None:
    known = new or old
    if known is None or fact.kind is FactKind.CHANGED:
        return None
    file = next(one for one in change.product if known.path in (one.path, one.path_before))
    what = dict(known.item.traits).get("what") or DECORATED
    reach, why = _reach_of(change, file, fact, what)
    if tooling(file):
        reach, why = Reach.INTERNAL, "in a tool of the project itself"
    elif private(file) or fact.name.rsplit(".", 1)[-1].startswith("_"):
        reach, why = Reach.INTERNAL, "private by its name"
    update: dict[str, object] = {"reach": reach, "reach_why": why}
    if fact.kind is FactKind.DEFAULT_CHANGED:
        update["kind"] = FactKind.MOVED if _last(fact.old) == _last(fact.new) else FactKind.CHANGED
    elif fact.kind is FactKind.RENAMED:
        update["way_back"] = fact.new
    return fact.model_copy(update=update)


def _reach_of(change: Change, file: FileChange, fact: Fact, what: str) -> tuple[Reach, str]:
    """A name that people type or that packages give is public; what code looks up for itself is for extensions."""
    name = fact.name.rsplit(".", 1)[-1]
    if name in change.documented:
        return Reach.PUBLIC, f"{what}, documented"
    new = fact.kind is FactKind.ADDED
    if what == LAZY_IMPORT or (what == ENUMERATION and not holds_settings(file)) or (what == DECORATED and new):
        return Reach.EXTENSION, what
    if what == IN_TABLE and not _REGISTRIES.search(file.reading.path.folded):
        return Reach.EXTENSION, what
    return Reach.PUBLIC, what


def _last(value: str | None) -> str:
    """The class or function at the end of a reference."""
    return (value or "").strip("()[]{}\"' ,").replace(":", ".").rsplit(".", 1)[-1].rsplit('"', 1)[-1].rsplit("'", 1)[-1]

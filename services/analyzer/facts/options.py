"""Command-line options: added, removed, renamed, with another default or other choices, demanded."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import partial

from services.analyzer.facts.calls import literal, typed, unquoted
from services.analyzer.facts.change import Change, FileChange
from services.analyzer.facts.items import Found, Item, changed_items
from services.analyzer.facts.option_tables import Option, options
from services.analyzer.facts.sides import Side
from services.analyzer.facts.statements import Statement, statements
from services.analyzer.facts.surfaces import as_written, mentions, operator_reach
from services.analyzer.reading.paths import FileKind
from shared.domain.facts import Fact, FactKind, Reach, Subject

name = "options"

_HINT = re.compile(
    r"--|option|[Ff]lag|\blong\b|DEFINE_|argument|[a-z0-9]Var|Option\(|\.(?:String|Int|Bool|Duration)\w{0,12}\(|#\[arg"
)
_TRUE = "yes"
_FIELD_DEFAULT = re.compile(r"\b[Ff]ield\(\s?(?:default\s?=\s?)?(?P<default>[^,()=]{1,80})[,)]")
_PLAIN = re.compile(r"-?\w{1,60}")


def read(change: Change) -> Iterable[Fact]:
    """Yield the facts: ``old`` and ``new`` are defaults as written (choices for CHANGED), None where there is none."""
    files = [file for file in change.product if _may_declare(file)]
    yield from changed_items(change, _declared, files, partial(_finish, change))


def _may_declare(file: FileChange) -> bool:
    if file.language is None or file.kind is FileKind.CI:
        return False
    return mentions(file, _HINT)


def _declared(file: FileChange, side: Side, statement: Statement) -> Iterator[Item]:
    for option in options(file.language or "", side, statement):
        yield Item(
            Subject.OPTION,
            option.name,
            option.default,
            option.line,
            rank=option.default is not None,
            mention=option.name,
            traits=_traits(option),
        )


def _traits(option: Option) -> tuple[tuple[str, str | None], ...]:
    return (
        ("choices", option.choices),
        ("required", _TRUE if option.required else None),
        ("hidden", _TRUE if option.hidden else None),
        ("spread", _TRUE if option.spread else None),
    )


def _finish(change: Change, fact: Fact, old: Found | None, new: Found | None) -> Fact | None:
    known = new or old
    if known is None:
        return None
    file = next(one for one in change.product if known.path in (one.path, one.path_before))
    reach, why = operator_reach(change, file, fact.name, "command-line option")
    traits = dict(known.item.traits)
    if fact.kind is FactKind.DEFAULT_CHANGED and any(
        one and ("spread", _TRUE) in one.item.traits for one in (old, new)
    ):
        return None
    if traits.get("hidden"):
        reach, why = Reach.INTERNAL, "left out of the help"
    if fact.kind not in (FactKind.RENAMED, FactKind.CHANGED):
        old_value, new_value = as_written(change, fact.old, before=True), as_written(change, fact.new, before=False)
        fact = fact.model_copy(update={"old": old_value, "new": new_value})
    update: dict[str, object] = {"reach": reach, "reach_why": why, "way_back": _way_back(fact)}
    if fact.kind is FactKind.CHANGED:
        if fact.note in ("hidden", "spread") or (fact.note == "required" and fact.new is None):
            return None
        if fact.note == "required":
            update |= {"kind": FactKind.REQUIRED, "old": None, "new": None, "note": ""}
    elif fact.kind is FactKind.ADDED and traits.get("required"):
        update |= {"kind": FactKind.REQUIRED, "note": "new, and demanded"}
    elif fact.kind is FactKind.ADDED and traits.get("spread"):
        field = _default_of_field(change, fact.name.lstrip("-").replace("-", "_"))
        update["new"] = as_written(change, field, before=False)
    return fact.model_copy(update=update)


def _default_of_field(change: Change, field: str) -> str | None:
    """The default of the settings field that an option is made from, where the merge shows it."""
    declared = re.compile(rf"^\s{{0,80}}{re.escape(field)}\s{{0,4}}:[^=]{{1,120}}=\s{{0,4}}(?P<value>.{{1,200}})$")
    for file in change.product:
        if file.language != "python" or field not in file.after.code:
            continue
        for statement in statements(file.after):
            if field in statement.code and (found := declared.match(statement.code)):
                value = _FIELD_DEFAULT.search(found["value"])
                plain = value["default"] if value else found["value"]
                if literal(plain) is not None or _PLAIN.fullmatch(plain):
                    return plain
    return None


def _way_back(fact: Fact) -> str | None:
    if fact.kind is FactKind.RENAMED:
        return fact.new
    if fact.kind is FactKind.DEFAULT_CHANGED and fact.old is not None and typed(fact.old):
        return f"{fact.name} {unquoted(fact.old)}"
    return None

"""Environment variables: read anew, read no more, with another default, under another name."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import partial

from services.analyzer.facts.calls import chained, typed, unquoted
from services.analyzer.facts.change import Change, FileChange
from services.analyzer.facts.environment_reads import reads
from services.analyzer.facts.items import Found, Item, changed_items
from services.analyzer.facts.sides import Side
from services.analyzer.facts.statements import Statement
from services.analyzer.facts.surfaces import as_written, holds_settings, mentions, operator_reach, project_words
from services.analyzer.reading.paths import FileKind
from shared.domain.facts import Fact, FactKind, Reach, Subject

name = "environment-variables"

_HINT = re.compile(r"env|validation_alias", re.IGNORECASE)
_SWITCHES = {"1": "0", "true": "false", "True": "False", "on": "off", "yes": "no", "TRUE": "FALSE", "ON": "OFF"}
"""What turns something on, and what turns it off."""
_VARIABLES = re.compile(r"(?:^|[/_.-])(?:envs?|env_?vars|environment|\w{0,20}settings)(?:[_.-]\w{1,20})?\.\w{1,5}$")
"""Files that are there for the variables of the project."""
_STARTS = re.compile(r"(?:^|/)(?:bin/|docker/|[\w.-]{0,40}(?:entrypoint|start|run|launch|serve))")
"""Scripts that people start the product with."""
SET_UNLESS_GIVEN = "set by the project itself unless it is given"


def read(change: Change) -> Iterable[Fact]:
    """Yield the facts: ``old`` and ``new`` are defaults as written, None where it is read without one."""
    files = [file for file in change.product if _may_read(file)]
    yield from changed_items(change, _declared, files, partial(_finish, change))


def _may_read(file: FileChange) -> bool:
    if file.language is None or file.kind is FileKind.CI:
        return False
    return file.language == "shell" or mentions(file, _HINT)


def _declared(file: FileChange, side: Side, statement: Statement) -> Iterator[Item]:
    text = chained(side, statement)
    for read_ in reads(text, file.language or ""):
        yield Item(
            Subject.ENVIRONMENT_VARIABLE,
            read_.name,
            read_.default,
            text.line_of(read_.start, read_.end),
            rank=2 * read_.table + (read_.default is not None),
            traits=(("kept", "default" if read_.sets else "read"),),
        )


def _finish(change: Change, fact: Fact, old: Found | None, new: Found | None) -> Fact | None:
    known = new or old
    if known is None or fact.kind is FactKind.CHANGED:
        return None
    file = next(one for one in change.product if known.path in (one.path, one.path_before))
    if fact.kind is FactKind.DEFAULT_CHANGED and old and new and old.path != new.path and not (fact.old and fact.new):
        return None  # read in another place; what its default is there, other lines say
    if fact.kind is FactKind.DEFAULT_CHANGED and (fact.new is None or unquoted(fact.old or "") == unquoted(fact.new)):
        return None  # only written otherwise, or the default stands on another line now
    reach, why = operator_reach(change, file, fact.name, "environment variable")
    if reach is Reach.PUBLIC and not _of_the_project(change, file, fact):
        reach, why = Reach.INTERNAL, "read in passing, perhaps a variable of others or read elsewhere as before"
    if reach is Reach.PUBLIC and file.language == "shell" and not _STARTS.search(file.reading.path.folded):
        reach, why = Reach.BUILDERS, "read by a script"
    fact = fact.model_copy(
        update={"old": _resolved(change, fact, before=True), "new": _resolved(change, fact, before=False)}
    )
    note = _note(fact, known, file)
    return fact.model_copy(
        update={
            "kind": _kind(fact, known),
            "reach": reach,
            "reach_why": why,
            "way_back": _way_back(fact),
            "note": note,
        }
    )


def _of_the_project(change: Change, file: FileChange, fact: Fact) -> bool:
    """Whether a variable that came or went is a setting of the project, and no other program's that code looks at."""
    if fact.kind not in (FactKind.ADDED, FactKind.REMOVED) or fact.name in change.documented:
        return True
    if _VARIABLES.search(file.reading.path.folded):
        return True
    ours = fact.name.strip("_").split("_")[0].casefold() in project_words(change)
    if fact.kind is FactKind.REMOVED:
        return ours and fact.name in change.reading.title.raw
    return ours or unquoted(fact.new or "") != ""


def _resolved(change: Change, fact: Fact, *, before: bool) -> str | None:
    value = fact.old if before else fact.new
    return value if fact.kind is FactKind.RENAMED else as_written(change, value, before=before)


def _kind(fact: Fact, known: Found) -> FactKind:
    """A variable of others that the project now sets unless it is given has a new default; it is not a new variable."""
    sets = dict(known.item.traits).get("kept") == "default"
    return FactKind.DEFAULT_CHANGED if sets and fact.kind in (FactKind.ADDED, FactKind.REMOVED) else fact.kind


def _note(fact: Fact, known: Found, file: FileChange) -> str:
    if dict(known.item.traits).get("kept") == "default":
        return SET_UNLESS_GIVEN
    if fact.kind is FactKind.REMOVED and not holds_settings(file):
        return "read here no more; files that did not change may still read it"
    if fact.kind is FactKind.ADDED and fact.new is not None and unquoted(fact.new) in _SWITCHES:
        return "on by default"
    if fact.kind is FactKind.ADDED and fact.new is not None and unquoted(fact.new) in _SWITCHES.values():
        return "off by default"
    return ""


def _way_back(fact: Fact) -> str | None:
    """What to set for the old behaviour."""
    if fact.kind is FactKind.RENAMED:
        return fact.new
    if fact.kind is FactKind.REMOVED or fact.new is None:
        return None
    if fact.old is not None:
        return f"{fact.name}={unquoted(fact.old)}" if typed(fact.old) else None
    off = _SWITCHES.get(unquoted(fact.new))
    return f"{fact.name}={off}" if off is not None else None

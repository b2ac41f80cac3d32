"""Says facts of the diff in the words of evidence, for the rules that tag what they show."""

from __future__ import annotations

from collections.abc import Iterator

from services.analyzer.rules.tags import quoted
from shared.domain.analysis import Evidence
from shared.domain.facts import Fact, FactKind, FactsRead, Reach, Subject

_SETTINGS = frozenset(
    {
        Subject.ENVIRONMENT_VARIABLE,
        Subject.OPTION,
        Subject.CONFIGURATION_KEY,
        Subject.FIELD,
        Subject.CONSTANT,
        Subject.BUILD_OPTION,
        Subject.PARAMETER,
    }
)
_OFFERED = frozenset(
    {
        Subject.OPTION,
        Subject.ROUTE,
        Subject.REGISTERED_NAME,
        Subject.METRIC,
        Subject.CONFIGURATION_KEY,
    }
)
_UNNAMED = "none"


def changed_defaults(read: FactsRead) -> Iterator[Evidence]:
    """Yield the settings of users and operators that have another default."""
    for fact in read.facts:
        felt = fact.reach in (Reach.PUBLIC, Reach.BUILDERS)
        if fact.kind is FactKind.DEFAULT_CHANGED and fact.subject in _SETTINGS and felt:
            variable = fact.subject is Subject.ENVIRONMENT_VARIABLE
            noun = "environment variable" if variable else "setting"
            yield _evidence(fact, f"default of {noun} {fact.name}: {fact.old or _UNNAMED} → {fact.new or _UNNAMED}")


def changed_variables(read: FactsRead) -> Iterator[Evidence]:
    """Yield the environment variables that are read anew, no more, under another name or with another default."""
    for fact in read.facts:
        if fact.subject is not Subject.ENVIRONMENT_VARIABLE or fact.reach is Reach.INTERNAL:
            continue
        if fact.kind is FactKind.ADDED:
            default = f", default {fact.new}" if fact.new else ""
            yield _evidence(fact, f"environment variable {fact.name} is new{default}")
        elif fact.kind in (FactKind.REMOVED, FactKind.RENAMED):
            yield _evidence(fact, f"environment variable {fact.name} is no longer read")
        elif fact.kind is FactKind.DEFAULT_CHANGED:
            yield _evidence(
                fact, f"default of environment variable {fact.name}: {fact.old or _UNNAMED} → {fact.new or _UNNAMED}"
            )


def withdrawn(read: FactsRead) -> Iterator[Evidence]:
    """Yield what was offered to users and is gone: options, routes, registered names, metrics, keys."""
    for fact in read.facts:
        if (
            fact.subject in _OFFERED
            and fact.reach is Reach.PUBLIC
            and fact.kind in (FactKind.REMOVED, FactKind.RENAMED)
        ):
            noun = fact.subject.value.replace("-", " ")
            yield _evidence(fact, f"{noun} {fact.name} is gone")


def _evidence(fact: Fact, why: str) -> Evidence:
    place = fact.place
    return Evidence(why=why, path=place.path if place else None, quote=quoted(place.quote) if place else None)

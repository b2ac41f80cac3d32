"""What the diff itself says: one kind of fact a file, all of them listed here."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Protocol

from services.analyzer.facts import (
    answers,
    base_images,
    build_options,
    configuration_keys,
    definitions,
    dependencies,
    deprecations,
    environment_variables,
    exports,
    fields,
    formats,
    metrics,
    modules,
    named_defaults,
    options,
    ownership,
    parameters,
    platforms,
    refusals,
    registered_names,
    routes,
    schemas,
    security_calls,
    toolchains,
)
from services.analyzer.facts.change import Change, change_of
from services.analyzer.reading.reading import Reading
from shared.domain.facts import Fact, FactsRead, ReadFrom
from shared.domain.protocols import SourceTexts


class FactReader(Protocol):
    """Reads one kind of fact from a change: pure, and never raises on what a stranger wrote."""

    @property
    def name(self) -> str:
        """The slug of the kind."""

    def read(self, change: Change) -> Iterable[Fact]:
        """Yield the facts, each with its places."""


FACTS: tuple[FactReader, ...] = (
    environment_variables,
    options,
    configuration_keys,
    routes,
    registered_names,
    metrics,
    dependencies,
    toolchains,
    base_images,
    build_options,
    platforms,
    schemas,
    ownership,
    refusals,
    deprecations,
    security_calls,
    formats,
    definitions,
    parameters,
    answers,
    fields,
    modules,
    exports,
    named_defaults,
)
"""In the order in which facts are listed."""


def read_facts(reading: Reading, sources: SourceTexts | None = None) -> FactsRead:
    """Return what the diff of a merge says; ``sources`` are the whole texts of changed files, from a clone.

    What only the sources show says so (``read_from``): from the host's patches alone it would not be there.
    """
    # The patches first, and let go again: the sources take all the memory that there is for one merge.
    shown = {_said(fact) for fact in _read(change_of(reading))} if sources else set()
    change = change_of(reading, sources)
    facts = _read(change)
    if sources:
        facts = tuple(fact if _said(fact) in shown else _from_sources(fact) for fact in facts)
    return FactsRead(facts=facts, unread=change.unread)


def _read(change: Change) -> tuple[Fact, ...]:
    return tuple(once(fact for reader in FACTS for fact in reader.read(change)))


def _said(fact: Fact) -> tuple[str, ...]:
    return fact.kind.value, fact.subject.value, fact.name, fact.old or "", fact.new or ""


def _from_sources(fact: Fact) -> Fact:
    return fact.model_copy(update={"read_from": ReadFrom.SOURCES})


def once(facts: Iterable[Fact]) -> Iterator[Fact]:
    """Yield each fact that says something new: the first reader that tells of a line and a name is believed."""
    seen: set[tuple[str, str | None, int | None, str]] = set()
    for fact in facts:
        place = fact.place
        key = (
            fact.kind.value,
            place.path if place else None,
            place.line if place else None,
            fact.name.rsplit(".", 1)[-1].lstrip("-").replace("-", "_").casefold(),
        )
        if key not in seen:
            seen.add(key)
            yield fact


__all__ = ["FACTS", "Change", "FactReader", "change_of", "read_facts"]

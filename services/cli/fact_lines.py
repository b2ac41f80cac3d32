"""Facts of a diff, each in one line for a terminal."""

from __future__ import annotations

from shared.domain.facts import Fact, ReadFrom, Subject

NOUNS = {Subject.INPUT: "error", Subject.SECURITY: "security-sensitive code"}


def fact_line(fact: Fact) -> str:
    """Return what changed, from what to what, where, who can notice, and how to get the old behaviour back."""
    noun = NOUNS.get(fact.subject, fact.subject.value.replace("-", " "))
    parts = [f"{fact.kind.value}: {noun} {fact.name}{_values(fact)}"]
    if fact.place is not None:
        parts.append(f"{fact.place.path}:{fact.place.line}" if fact.place.line else fact.place.path)
    parts.append(f"{fact.reach.value}{f' ({fact.reach_why})' if fact.reach_why else ''}")
    if fact.way_back:
        parts.append(f"way back: {fact.way_back}")
    if fact.note:
        parts.append(fact.note)
    if fact.read_from is ReadFrom.SOURCES:
        parts.append("seen in the whole files, not in the patch")
    return "; ".join(parts)


def _values(fact: Fact) -> str:
    if fact.old and fact.new:
        return f": {fact.old} → {fact.new}"
    if fact.new:
        return f": {fact.new}"
    return f": was {fact.old}" if fact.old else ""

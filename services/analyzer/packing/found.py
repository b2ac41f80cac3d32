"""What rules found already, in few words: the model adds to it and need not find it again."""

from __future__ import annotations

from typing import Any

from services.analyzer.packing.room import cost, fitted
from services.analyzer.packing.wording import Wording
from shared.domain.analysis import Analysis
from shared.domain.facts import Fact, Reach
from shared.domain.taxonomy import Namespace

MOST_FACTS = 12
MOST_AREAS = 8
LONGEST_FACT = 220
LONGEST_VALUE = 60
_REACHES = (Reach.PUBLIC, Reach.EXTENSION, Reach.BUILDERS, Reach.INTERNAL)


def rules_found(analysis: Analysis, wording: Wording) -> dict[str, Any]:
    """Return change type, areas, risks and traits by their names; empty lists are left out.

    Names of areas come from labels and folders, so from strangers.
    """
    areas = [fitted(wording.line(area[:LONGEST_FACT]), LONGEST_VALUE) for area in analysis.areas[:MOST_AREAS]]
    found: dict[str, Any] = {"change_type": str(analysis.change_type), "areas": areas}
    for name, namespace in (("risks", Namespace.RISK), ("traits", Namespace.TRAIT)):
        found[name] = list(dict.fromkeys(tag.value for tag in analysis.tags if tag.namespace is namespace))
    return {name: value for name, value in found.items() if value}


def facts_found(analysis: Analysis, wording: Wording, room: int) -> list[str]:
    """Return one line for each fact, those that most people can notice first, as many as fit into ``room``."""
    lines: list[str] = []
    ordered = sorted(analysis.facts, key=lambda fact: _REACHES.index(fact.reach))
    for fact in ordered[:MOST_FACTS]:
        line = fitted(wording.line(_told(fact)), LONGEST_FACT)
        if cost(line) > room:
            break
        lines.append(line)
        room -= cost(line)
    return list(dict.fromkeys(lines))


def _told(fact: Fact) -> str:
    """Such as ``option default-changed: --port 8000 → 9000 (public, lumen/cli.py)``."""
    values = [_short(value) for value in (fact.old, fact.new) if value]
    place = f", {fact.place.path}" if fact.place else ""
    return f"{fact.subject} {fact.kind}: {fact.name} {' → '.join(values)} ({fact.reach}{place})".replace("  ", " ")


def _short(value: str) -> str:
    words = " ".join(value[: 4 * LONGEST_VALUE].split())
    return words if len(words) <= LONGEST_VALUE else words[: LONGEST_VALUE - 1] + "…"

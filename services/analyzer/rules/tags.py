"""Short ways for rules to write a tag with its evidence."""

from __future__ import annotations

from collections.abc import Iterable

from shared.domain.analysis import Evidence, Tag
from shared.domain.taxonomy import Namespace, Risk, Trait

LONGEST_QUOTE = 160
MOST_EVIDENCE = 5


def quoted(text: str) -> str:
    """Return ``text`` on one line, cut to 160 characters."""
    line = " ".join(text[: LONGEST_QUOTE * 4].split())
    return line if len(line) <= LONGEST_QUOTE else line[: LONGEST_QUOTE - 1].rstrip() + "…"


def risk_tag(rule: str, risk: Risk, evidence: Iterable[Evidence]) -> Tag:
    """Return the tag of ``risk`` with at most five pieces of evidence."""
    return Tag(namespace=Namespace.RISK, value=risk, rule=rule, evidence=tuple(evidence)[:MOST_EVIDENCE])


def trait_tag(rule: str, trait: Trait, evidence: Iterable[Evidence]) -> Tag:
    """Return the tag of ``trait`` with at most five pieces of evidence."""
    return Tag(namespace=Namespace.TRAIT, value=trait, rule=rule, evidence=tuple(evidence)[:MOST_EVIDENCE])

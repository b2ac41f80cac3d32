"""One finding for each risk, with the evidence of every merge that carries it."""

from __future__ import annotations

from collections.abc import Iterable

from services.digest.merges import Merge
from shared.domain.analysis import Tag
from shared.domain.digest import RiskFinding
from shared.domain.taxonomy import Origin, Risk

_EVIDENCE = 2
ORDER = (
    Risk.SECURITY_SENSITIVE,
    Risk.BREAKING_CHANGE,
    Risk.REVERT,
    Risk.BROKEN_AND_REPAIRED,
    Risk.HOT_FILE,
    Risk.CORE_PATH,
    Risk.MISSING_TESTS,
    Risk.CONFIGURATION_CHANGE,
    Risk.DEPENDENCY_CHANGE,
    Risk.LARGE_CHANGE,
    Risk.EMPTY_CHANGE,
)
"""The gravest first."""


def find_risks(merges: Iterable[Merge]) -> tuple[RiskFinding, ...]:
    """Return the risks of ``merges``; what rules and what a model found are told apart."""
    found: dict[tuple[str, Origin], dict[int, str]] = {}
    for merge in merges:
        for tag in merge.risk_tags():
            found.setdefault((tag.value, tag.origin), {})[merge.number] = evidence_text(tag)
    rank = {str(risk): place for place, risk in enumerate(ORDER)}
    ordered = sorted(found, key=lambda key: (rank.get(key[0], len(rank)), key))
    return tuple(
        RiskFinding(
            tag=value,
            origin=origin,
            pull_requests=tuple(sorted(found[value, origin])),
            evidence=dict(sorted(found[value, origin].items())),
        )
        for value, origin in ordered
    )


def evidence_text(tag: Tag) -> str:
    """Return why ``tag`` was set, in words, with the file where one was seen."""
    told: dict[str, None] = {}
    for evidence in tag.evidence[:_EVIDENCE]:
        place = f" ({evidence.path})" if evidence.path and evidence.path not in evidence.why else ""
        told[f"{evidence.why.rstrip('.')}{place}"] = None
    return "; ".join(told)

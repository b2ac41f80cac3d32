"""One finding for each risk, with the evidence of every merge that carries it."""

from __future__ import annotations

from collections.abc import Iterable

from services.digest.merges import Merge
from shared.domain.analysis import Evidence, Tag
from shared.domain.digest import RiskFinding
from shared.domain.taxonomy import Origin, Risk

_EVIDENCE = 2
ORDER = (
    Risk.SECURITY_SENSITIVE,
    Risk.BREAKING_CHANGE,
    Risk.REVERT,
    Risk.BROKEN_AND_REPAIRED,
    Risk.HOT_FILE,
    Risk.CHANGES_REQUESTED,
    Risk.UNRESOLVED_THREADS,
    Risk.FAILING_CHECKS,
    Risk.CORE_PATH,
    Risk.MISSING_TESTS,
    Risk.UNAPPROVED,
    Risk.MERGED_IN_MINUTES,
    Risk.CONFIGURATION_CHANGE,
    Risk.DEPENDENCY_CHANGE,
    Risk.LARGE_CHANGE,
    Risk.EMPTY_CHANGE,
)
"""The gravest first."""
_QUOTED = frozenset({Risk.CHANGES_REQUESTED, Risk.UNRESOLVED_THREADS})
"""Here the words are the evidence: those of the first reviewer are told, the others are counted or in the list."""


def find_risks(merges: Iterable[Merge]) -> tuple[RiskFinding, ...]:
    """Return the risks of ``merges``; what rules and what a model found are told apart."""
    found: dict[tuple[str, Origin], dict[int, str]] = {}
    links: dict[tuple[str, Origin], dict[int, str]] = {}
    for merge in merges:
        for tag in merge.risk_tags():
            found.setdefault((tag.value, tag.origin), {})[merge.number] = evidence_text(tag)
            if (url := next((evidence.url for evidence in tag.evidence if evidence.url), None)) is not None:
                links.setdefault((tag.value, tag.origin), {})[merge.number] = url
    rank = {str(risk): place for place, risk in enumerate(ORDER)}
    ordered = sorted(found, key=lambda key: (rank.get(key[0], len(rank)), key))
    return tuple(
        RiskFinding(
            tag=value,
            origin=origin,
            pull_requests=tuple(sorted(found[value, origin])),
            evidence=dict(sorted(found[value, origin].items())),
            links=dict(sorted(links.get((value, origin), {}).items())),
        )
        for value, origin in ordered
    )


def evidence_text(tag: Tag) -> str:
    """Return why ``tag`` was set, in words, with the file where one was seen."""
    if tag.value in _QUOTED and tag.evidence:
        return _quoting(tag.evidence[0])
    told: dict[str, None] = {}
    for evidence in tag.evidence[:_EVIDENCE]:
        place = f" ({evidence.path})" if evidence.path and evidence.path not in evidence.why else ""
        told[f"{evidence.why.rstrip('.')}{place}"] = None
    return "; ".join(told)


def _quoting(evidence: Evidence) -> str:
    quote = f": “{evidence.quote}”" if evidence.quote else ""
    place = f" ({evidence.path})" if evidence.path else ""
    return f"{evidence.why}{quote}{place}"

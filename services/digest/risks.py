"""One finding for each risk, with the evidence of every merge that carries it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from services.digest.merges import Merge
from services.digest.readings import without_stop
from shared.domain.analysis import Evidence, Tag
from shared.domain.digest import RiskFinding
from shared.domain.reading import Claim
from shared.domain.taxonomy import Origin, Risk

_EVIDENCE = 2
ORDER = (
    Risk.SECURITY_SENSITIVE,
    Risk.BREAKING_CHANGE,
    Risk.DATA_LOSS,
    Risk.WRONG_RESULTS,
    Risk.CORE_PATH,
    Risk.HOT_FILE,
    Risk.REVERT,
    Risk.BROKEN_AND_REPAIRED,
    Risk.CHANGES_REQUESTED,
    Risk.UNRESOLVED_THREADS,
    Risk.FAILING_CHECKS,
    Risk.CONCURRENCY,
    Risk.SLOWDOWN,
    Risk.RESOURCE_USE,
    Risk.CONFIGURATION_CHANGE,
    Risk.DEPENDENCY_CHANGE,
    Risk.MISSING_TESTS,
    Risk.UNAPPROVED,
    Risk.MERGED_IN_MINUTES,
    Risk.LARGE_CHANGE,
    Risk.EMPTY_CHANGE,
)
"""The gravest first, in the document and on the page."""
_QUOTED = frozenset({Risk.CHANGES_REQUESTED, Risk.UNRESOLVED_THREADS})
"""Here the words are the evidence: those of the first reviewer are told, the others are counted or in the list."""


def find_risks(merges: Iterable[Merge]) -> tuple[RiskFinding, ...]:
    """Return the risks of ``merges``; what rules and what a model found are told apart, the rules' first.

    Where a rule found a risk, what the model says of how it comes about stands beside the rule's evidence. A mark of a
    model without such words is not told.
    """
    found: dict[tuple[str, Origin], dict[int, Tag]] = {}
    claims: dict[tuple[str, Origin], dict[int, Claim]] = {}
    for merge in merges:
        for tag in merge.risk_tags():
            claim = _claim(merge, tag)
            if claim is None and tag.origin is Origin.MODEL:
                continue
            found.setdefault((tag.value, tag.origin), {})[merge.number] = tag
            if claim is not None:
                claims.setdefault((tag.value, tag.origin), {})[merge.number] = claim
    rank = {str(risk): place for place, risk in enumerate(ORDER)}
    ordered = sorted(found, key=lambda key: (rank.get(key[0], len(rank)), key[0], key[1] is Origin.MODEL, key[1]))
    return tuple(_finding(key, found[key], claims.get(key, {})) for key in ordered)


def _finding(key: tuple[str, Origin], tags: Mapping[int, Tag], claims: Mapping[int, Claim]) -> RiskFinding:
    numbers = tuple(sorted(tags))
    links = {number: _link(tags[number]) for number in numbers}
    return RiskFinding(
        tag=key[0],
        origin=key[1],
        pull_requests=numbers,
        evidence={
            number: claims[number].text if key[1] is Origin.MODEL else evidence_text(tags[number]) for number in numbers
        },
        links={number: url for number, url in links.items() if url is not None},
        claims=dict(sorted(claims.items())),
    )


def _claim(merge: Merge, tag: Tag) -> Claim | None:
    """What the model says of how the risk comes about."""
    reading = merge.analysis.reading if merge.analysis else None
    said = next((claim for claim in reading.risks if claim.risk == tag.value), None) if reading else None
    if said is None:
        return None
    return Claim(text=without_stop(said).text, quotes=said.quotes, announced=said.announced)


def _link(tag: Tag) -> str | None:
    return next((evidence.url for evidence in _told(tag) if evidence.url), None)


def evidence_text(tag: Tag) -> str:
    """Return why ``tag`` was set, in words, with the file where one was seen."""
    if tag.value in _QUOTED:
        return "".join(map(_quoting, _told(tag)))
    told: dict[str, None] = {}
    for evidence in _told(tag):
        place = f" ({evidence.path})" if evidence.path and evidence.path not in evidence.why else ""
        told[f"{evidence.why.rstrip('.')}{place}"] = None
    return "; ".join(told)


def _told(tag: Tag) -> tuple[Evidence, ...]:
    """The evidence that words and link are taken from: a link belongs to what is told, never to what is left out."""
    return tag.evidence[: 1 if tag.value in _QUOTED else _EVIDENCE]


def _quoting(evidence: Evidence) -> str:
    quote = f": “{evidence.quote}”" if evidence.quote else ""
    place = f" ({evidence.path})" if evidence.path else ""
    return f"{evidence.why}{quote}{place}"

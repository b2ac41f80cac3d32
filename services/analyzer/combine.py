"""Combines the findings of rules, and of a model beside them, into what an analysis says."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from services.analyzer.key_reasons import LOWEST_SCORE
from services.analyzer.reading.reading import Reading
from shared.domain.analysis import Analysis, Evidence, Factor, Importance, Tag
from shared.domain.reading import Reading as ModelReading
from shared.domain.reading import RiskClaim
from shared.domain.taxonomy import ChangeType, Namespace, Origin, Trait

MODEL_RULE = "model"
JUDGEMENT = "model-judgement"
JUDGEMENT_POINTS = 3
"""About what a remark of a reviewer is worth: it decides between equals and never outranks what a rule found."""
_NEVER_KEY = (Trait.BOT, Trait.VERSION_BUMP, Trait.DOCS_ONLY, Trait.TESTS_ONLY, Trait.GENERATED_ONLY)


def change_type_of(tags: Iterable[Tag]) -> ChangeType:
    """Return the change type that the tags carry; ``chore`` when none does."""
    return next((ChangeType(tag.value) for tag in tags if tag.namespace is Namespace.TYPE), ChangeType.CHORE)


def areas_of(tags: Sequence[Tag]) -> tuple[str, ...]:
    """Return the areas, primary first."""
    return tuple(tag.value for tag in tags if tag.namespace is Namespace.AREA)


def summary_of(reading: Reading) -> str:
    """Return the title as a sentence part: without prefix, brackets and references behind it."""
    return reading.title.text or f"#{reading.pull_request.number}"


def joined(analysis: Analysis, reading: ModelReading, fingerprint: str) -> Analysis:
    """Return ``analysis``, that of the rules, with what a model read beside it, under its own ``fingerprint``.

    Nothing that rules found is changed or taken away: tags of risks that only the model judged are added behind theirs,
    and a reason where they have none (R-70).
    """
    return analysis.model_copy(
        update={
            "fingerprint": fingerprint,
            "model": reading.model,
            "prompt_version": reading.prompt_version,
            "tags": (*analysis.tags, *_judged(analysis, reading)),
            "importance": _weighed(analysis, reading),
            "source": "model",
            "source_why": "",
            "reading": reading,
        }
    )


def _judged(analysis: Analysis, reading: ModelReading) -> Iterable[Tag]:
    """The tags of risks that no rule has set."""
    for claim in reading.risks:
        if analysis.risk(claim.risk) is None:
            yield Tag(
                namespace=Namespace.RISK,
                value=claim.risk,
                rule=MODEL_RULE,
                origin=Origin.MODEL,
                evidence=tuple(_evidence(claim)),
            )


def _evidence(claim: RiskClaim) -> Iterable[Evidence]:
    first, *others = claim.quotes
    yield Evidence(why=claim.text, path=first.path, quote=first.text)
    yield from (Evidence(why="quoted beside it", path=quote.path, quote=quote.text) for quote in others)


def _weighed(analysis: Analysis, reading: ModelReading) -> Importance:
    """The importance with the model's reason, where rules have none and it may be key at all."""
    importance, claim = analysis.importance, reading.reason
    if claim is None or importance.reason is not None or any(analysis.has(trait) for trait in _NEVER_KEY):
        return importance
    score = importance.score + JUDGEMENT_POINTS
    factor = Factor(name=JUDGEMENT, points=JUDGEMENT_POINTS, why=claim.text)
    weighed = {"score": score, "factors": (*importance.factors, factor)}
    if score >= LOWEST_SCORE:
        weighed |= {"reason": claim.reason, "reason_why": claim.text}
    return importance.model_copy(update=weighed)

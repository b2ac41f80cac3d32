"""The gate: what a model said of a week is told only when nearly all of it was supported, and the digest is sound."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction

from services.digest.merges import Merge
from shared.domain.analysis import Importance
from shared.domain.digest import Digest, Paragraph, Span
from shared.domain.provenance import Refusal
from shared.domain.reading import DropReason, Reading
from shared.domain.taxonomy import Origin
from shared.rendering.figures import integer, shown

LEAST_SUPPORTED = Fraction(95, 100)
"""Of a model's claims, measured before those without support are taken out (digest standard, "The gate")."""

_SAYS_NOTHING_NEW: frozenset[DropReason] = frozenset(("echo", "empty"))
"""Claims that were dropped because they say nothing, or what is told already: they are not without support."""


def refusal_of(window: Iterable[Merge]) -> Refusal | None:
    """Return ``claims`` when less than 95 % of what models claimed of the merges of the week was supported, else None.

    Claims that only say nothing new count neither way.
    """
    readings = readings_of(window)
    kept = sum(len(reading.claims) for reading in readings)
    claims = sum(claimed(reading) for reading in readings)
    return "claims" if claims and Fraction(kept, claims) < LEAST_SUPPORTED else None


def readings_of(window: Iterable[Merge]) -> list[Reading]:
    """Return what models read of these merges."""
    return [merge.analysis.reading for merge in window if merge.analysis and merge.analysis.reading]


def claimed(reading: Reading) -> int:
    """Return how many claims the gate counts: those that were kept, and those that have no support or are not fit."""
    return len(reading.claims) + sum(one.count for one in reading.dropped if one.reason not in _SAYS_NOTHING_NEW)


def by_rules(merge: Merge) -> Merge:
    """Return ``merge`` as rules alone see it: without reading, tags and reason of a model, and their weight."""
    analysis = merge.analysis
    if analysis is None or (analysis.reading is None and all(tag.origin is not Origin.MODEL for tag in analysis.tags)):
        return merge
    alone = {
        "reading": None,
        "model": None,
        "prompt_version": None,
        "source": "rules",
        "tags": tuple(tag for tag in analysis.tags if tag.origin is not Origin.MODEL),
        "importance": _unweighed(analysis.importance, analysis.reading),
    }
    return replace(merge, analysis=analysis.model_copy(update=alone))


def reason_is_judged(importance: Importance, reading: Reading | None) -> bool:
    """Whether the reason to be key is that of the model: it then stands in the model's own words."""
    judged = reading.reason if reading else None
    return judged is not None and (importance.reason, importance.reason_why) == (judged.reason, judged.text)


def _unweighed(importance: Importance, reading: Reading | None) -> Importance:
    judged = reading.reason if reading else None
    if judged is None:
        return importance
    of_model = [factor for factor in importance.factors if factor.why == judged.text]
    alone: dict[str, object] = {
        "score": importance.score - sum(factor.points for factor in of_model),
        "factors": tuple(factor for factor in importance.factors if factor not in of_model),
    }
    if reason_is_judged(importance, reading):
        alone |= {"reason": None, "reason_why": ""}
    return importance.model_copy(update=alone)


def with_mode(digest: Digest) -> Digest:
    """Return ``digest`` as made by rules alone when nothing of a model is told in it, else as it is."""
    claims = any(row.claim for row in digest.must_act) or any(risk.claims for risk in digest.risks)
    if digest.readings or claims or digest.provenance.mode == "rules":
        return digest
    alone = {"mode": "rules", "model": None, "prompt_version": None, "model_language": None}
    return digest.model_copy(update={"provenance": digest.provenance.model_copy(update=alone)})


def is_sound(digest: Digest) -> bool:
    """Whether points 1, 2, 3 and 5 of the digest standard hold, as far as the document itself shows.

    The total is that of the window, the ledger covers it once, whatever a model says is about a merge of the window and
    its paragraph cites one, and every number recomputes.
    """
    numbers = [listed.number for listed in digest.pull_requests]
    ledger = digest.ledger
    states = [*ledger.featured, *ledger.grouped, *ledger.condensed, *ledger.failed]
    within = all(digest.period.contains(listed.merged_at) for listed in digest.pull_requests)
    if not within or digest.merged_total != len(set(numbers)) or sorted(states) != sorted(numbers):
        return False
    told = [paragraph for sections in digest.sections.values() for one in sections for paragraph in one.paragraphs]
    known = frozenset(numbers)
    return all(_cites(paragraph, known) for paragraph in told) and _recompute(told, digest)


def spans_of(paragraph: Paragraph) -> Iterator[Span]:
    """Yield every span of ``paragraph``, those of its cells as well."""
    yield from paragraph.spans
    for cell in paragraph.cells:
        yield from cell


def _cites(paragraph: Paragraph, known: frozenset[int]) -> bool:
    about = [span.number for span in spans_of(paragraph) if span.kind == "model"]
    return not about or (known.issuperset(about) and not known.isdisjoint(paragraph.pull_requests))


def _recompute(told: Sequence[Paragraph], digest: Digest) -> bool:
    document = json.loads(digest.model_copy(update={"sections": {}}).to_json())
    figures = {(span.source, span.text) for one in told for span in spans_of(one) if span.kind == "figure"}
    counts = (span for one in told for span in spans_of(one) if span.kind == "count")
    if any(span.text != integer(len(set(span.pull_requests))) for span in counts):
        return False
    return all(source is not None and _shows(source, text, document) for source, text in figures)


def _shows(source: str, text: str, document: dict[str, object]) -> bool:
    try:
        return shown(source, document) == text
    except (KeyError, IndexError, TypeError, ValueError):
        return False

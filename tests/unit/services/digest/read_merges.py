"""Merges that a model has read, and what it said of them, for the tests of the digest."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from services.digest.merges import Merge
from shared.domain.analysis import Evidence, Factor, Tag
from shared.domain.reading import ActionClaim, CallUsage, Claim, Dropped, Quote, Reading, ReasonClaim, RiskClaim
from shared.domain.taxonomy import KeyReason, Namespace, Origin, Risk
from tests.unit.services.digest.weeks import analysis_of, make_key, make_merge

EFFECT = "Waiting readers are woken in the order of their arrival."
PLACE = "lumen/core/engine.py"


def make_quote(text: str = "wake(readers.popleft())", **overrides: Any) -> Quote:
    """Words of the diff."""
    return Quote(**({"text": text, "field": "diff", "path": PLACE, "line": 12} | overrides))


def make_claim(text: str = EFFECT, *quotes: Quote, **overrides: Any) -> Claim:
    """A claim with its quotations, one of the diff unless given."""
    return Claim(text=text, quotes=quotes or (make_quote(),), **overrides)


def make_action(text: str = "Set the old order in the settings.", **overrides: Any) -> ActionClaim:
    """A new default that readers should know of."""
    return ActionClaim(**({"text": text, "quotes": (make_quote(),), "kind": "new-default"} | overrides))


def make_risk(risk: Risk = Risk.CONCURRENCY, text: str = "Two readers may be woken for one item.") -> RiskClaim:
    """A risk that a model judged."""
    return RiskClaim(text=text, quotes=(make_quote("wake two readers"),), risk=risk)


def make_reading(**overrides: Any) -> Reading:
    """A reading with an effect and nothing else, by one call with a known price."""
    usage = CallUsage(requests=1, input_tokens=900, cached_tokens=100, output_tokens=80, cost_usd=0.002, seconds=1.5)
    values = {"model": "reader-1", "prompt_version": "1", "language": "English", "effect": make_claim(), "usage": usage}
    return Reading(**(values | overrides))


def dropped(count: int, reason: str = "quote-not-found") -> tuple[Dropped, ...]:
    """So many claims that were dropped."""
    return (Dropped(field="effect", reason=reason, count=count),)


def read(merge: Merge, **overrides: Any) -> Merge:
    """``merge`` as it is stored once a model has read it: the reading, and tags of the risks that rules did not set."""
    analysis, reading = analysis_of(merge), make_reading(**overrides)
    judged = tuple(
        Tag(
            namespace=Namespace.RISK,
            value=claim.risk,
            rule="model",
            origin=Origin.MODEL,
            evidence=(Evidence(why=claim.text, path=PLACE, quote=claim.quotes[0].text),),
        )
        for claim in reading.risks
        if analysis.risk(claim.risk) is None
    )
    changed = {"tags": (*analysis.tags, *judged), "reading": reading, "model": reading.model, "source": "model"}
    return replace(merge, analysis=analysis.model_copy(update=changed))


def judged_key(number: int, why: str = "Nobody may rely on the old order.") -> Merge:
    """A merge that is key by the judgement of a model alone."""
    reason = ReasonClaim(text=why, quotes=(make_quote("the old order is gone"),), reason=KeyReason.ASSUMPTION)
    merge = read(make_merge(number, score=50), reason=reason)
    analysis = analysis_of(merge)
    weighed = analysis.importance.model_copy(
        update={
            "score": 53,
            "reason": reason.reason,
            "reason_why": reason.text,
            "factors": (Factor(name="model-judgement", points=3, why=reason.text),),
        }
    )
    return replace(merge, analysis=analysis.model_copy(update={"importance": weighed}))


def read_key(number: int, **overrides: Any) -> Merge:
    """A merge that is key by rules and was read."""
    return read(make_key(number), **overrides)

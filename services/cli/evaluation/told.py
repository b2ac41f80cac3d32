"""What was told of a merge, by a model or by rules alone, in one shape that can be compared with labels; pure."""

from __future__ import annotations

from collections.abc import Iterator

from services.cli.fact_lines import fact_line
from shared.domain.analysis import Analysis, Tag
from shared.domain.reading import ActionClaim, Claim, ContestedClaim, Reading, RiskClaim
from shared.domain.taxonomy import JUDGED_RISKS, KeyReason, ReviewOutcome, Risk
from shared.domain.value import Value


class Said(Value):
    """One sentence with the words of the merge that it rests on; the last fields are those of its kind."""

    text: str
    quotes: tuple[str, ...] = ()
    announced: bool = False
    outcome: ReviewOutcome | None = None
    risk: Risk | None = None


class Told(Value):
    """Everything that was told of one merge, by the fields of an answer."""

    facts: tuple[Said, ...] = ()
    limits: tuple[Said, ...] = ()
    actions: tuple[Said, ...] = ()
    contested: tuple[Said, ...] = ()
    risks: tuple[Said, ...] = ()
    reason: KeyReason | None = None
    words: tuple[str, ...] = ()
    """Every text that a reader may be shown but quotations."""

    @property
    def said(self) -> tuple[Said, ...]:
        """Every sentence."""
        return (*self.facts, *self.limits, *self.actions, *self.contested, *self.risks)


def told_by_model(reading: Reading) -> Told:
    """Return what a model told, after it was checked."""
    single = (reading.effect, reading.change, reading.why)
    reason = reading.reason
    return Told(
        facts=tuple(_of_claim(claim) for claim in single if claim is not None),
        limits=tuple(map(_of_claim, reading.limits)),
        actions=tuple(map(_of_claim, reading.actions)),
        contested=tuple(map(_of_claim, reading.contested)),
        risks=tuple(map(_of_claim, reading.risks)),
        reason=reason.reason if reason else None,
        words=(
            *(claim.text for claim in reading.claims),
            *(action.way_back for action in reading.actions if action.way_back),
            *reading.keywords,
        ),
    )


def told_by_rules(analysis: Analysis) -> Told:
    """Return what rules alone told: the title, the facts of the diff, the requests of the review, the risks."""
    facts = tuple(
        Said(text=fact_line(fact), quotes=tuple(words for words in (fact.old, fact.new) if words))
        for fact in analysis.facts
    )
    return Told(
        facts=(Said(text=analysis.summary),),
        actions=facts,
        contested=tuple(
            Said(text=point.quote, quotes=(point.quote, point.answer), outcome=point.outcome)
            for point in analysis.review
            if point.quote
        ),
        risks=tuple(_risks(analysis)),
        reason=analysis.importance.reason,
        words=(analysis.summary,),
    )


def _of_claim(claim: Claim) -> Said:
    text = claim.text
    if isinstance(claim, ActionClaim) and claim.way_back:
        text = f"{text} {claim.way_back}"
    return Said(
        text=text,
        quotes=tuple(quote.text for quote in claim.quotes),
        announced=claim.announced,
        outcome=claim.outcome if isinstance(claim, ContestedClaim) else None,
        risk=claim.risk if isinstance(claim, RiskClaim) else None,
    )


def _risks(analysis: Analysis) -> Iterator[Said]:
    """Those that a model may judge as well: the others no model is asked about."""
    for risk in JUDGED_RISKS:
        tag = analysis.risk(risk)
        if tag is not None:
            yield Said(text=_why(tag), risk=risk)


def _why(tag: Tag) -> str:
    return "; ".join(evidence.why for evidence in tag.evidence)

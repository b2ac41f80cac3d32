from __future__ import annotations

from typing import Any

import pytest

from services.analyzer.combine import JUDGEMENT_POINTS, joined
from services.analyzer.key_reasons import LOWEST_SCORE
from shared.domain.analysis import Analysis, Factor, Importance, Tag
from shared.domain.reading import Quote, Reading, ReasonClaim, RiskClaim
from shared.domain.taxonomy import ChangeType, KeyReason, Namespace, Origin, Risk, Trait
from tests.builders import make_analysis

QUOTE = Quote(text="self.queue.clear() # entries go", field="diff", path="lumen/queue.py", line=7)
SECOND = Quote(text="Entries that wait are dropped.", field="body")


def risk_claim(risk: Risk, text: str = "Entries that wait are dropped.") -> RiskClaim:
    return RiskClaim(text=text, quotes=(QUOTE, SECOND), risk=risk)


def reading(*risks: RiskClaim, reason: KeyReason | None = None) -> Reading:
    claim = ReasonClaim(text="Entries could be lost.", quotes=(QUOTE,), reason=reason) if reason else None
    return Reading(model="some-model", prompt_version="7", risks=risks, reason=claim)


def tag(value: Risk | Trait, namespace: Namespace = Namespace.RISK) -> Tag:
    return Tag(namespace=namespace, value=value, rule="some-rule")


def weighed(score: int, **overrides: Any) -> Analysis:
    factors = (Factor(name="type-fix", points=score, why="the change type is fix"),)
    return make_analysis(importance=Importance(score=score, factors=factors), **overrides)


def test_a_reading_is_kept_beside_what_the_rules_found() -> None:
    analysis = weighed(20, tags=(tag(Risk.CORE_PATH),), source_why="not read yet", change_type=ChangeType.PERF)
    after = joined(analysis, reading(), "new fingerprint")

    assert (after.source, after.source_why, after.fingerprint) == ("model", "", "new fingerprint")
    assert (after.model, after.prompt_version) == ("some-model", "7")
    assert after.reading == reading()
    kept = (
        "number",
        "summary",
        "change_type",
        "areas",
        "tags",
        "relations",
        "facts",
        "review",
        "importance",
        "coverage",
    )
    assert [getattr(after, name) for name in kept] == [getattr(analysis, name) for name in kept]


def test_a_risk_that_only_the_model_judged_is_added_with_its_mechanism() -> None:
    after = joined(weighed(20, tags=(tag(Risk.CORE_PATH),)), reading(risk_claim(Risk.DATA_LOSS)), "f")

    assert [found.name for found in after.tags] == ["risk:core-path", "risk:data-loss"]
    added = after.tags[1]
    assert (added.origin, added.rule) == (Origin.MODEL, "model")
    assert (added.evidence[0].why, added.evidence[0].path) == ("Entries that wait are dropped.", "lumen/queue.py")
    assert [evidence.quote for evidence in added.evidence] == [QUOTE.text, SECOND.text]


def test_a_risk_that_rules_found_gets_no_second_tag() -> None:
    before = weighed(20, tags=(tag(Risk.BREAKING_CHANGE),))
    after = joined(before, reading(risk_claim(Risk.BREAKING_CHANGE)), "f")

    assert after.tags == before.tags
    assert after.reading is not None
    assert after.reading.risks[0].text == "Entries that wait are dropped."


def test_a_reason_of_the_model_counts_little_and_only_where_rules_have_none() -> None:
    after = joined(weighed(LOWEST_SCORE), reading(reason=KeyReason.ASSUMPTION), "f").importance

    assert (after.score, after.reason) == (LOWEST_SCORE + JUDGEMENT_POINTS, KeyReason.ASSUMPTION)
    assert after.reason_why == "Entries could be lost."
    assert [(factor.name, factor.points) for factor in after.factors[1:]] == [("model-judgement", JUDGEMENT_POINTS)]
    assert sum(factor.points for factor in after.factors) == after.score

    known = Importance(score=30, reason=KeyReason.DECISION, reason_why="a revert")
    analysis = make_analysis(importance=known)
    assert joined(analysis, reading(reason=KeyReason.SECURITY), "f").importance == known


def test_a_model_makes_nothing_key_that_rules_hold_for_small() -> None:
    after = joined(weighed(LOWEST_SCORE - JUDGEMENT_POINTS - 1), reading(reason=KeyReason.SECURITY), "f").importance

    assert (after.reason, after.reason_why) == (None, "")
    assert after.score == LOWEST_SCORE - 1


@pytest.mark.parametrize(
    "trait", [Trait.BOT, Trait.VERSION_BUMP, Trait.DOCS_ONLY, Trait.TESTS_ONLY, Trait.GENERATED_ONLY]
)
def test_what_is_never_key_is_not_made_so_by_a_model(trait: Trait) -> None:
    before = weighed(40, tags=(tag(trait, Namespace.TRAIT),))

    assert joined(before, reading(reason=KeyReason.SECURITY), "f").importance == before.importance

"""What reading merges would take, counted without any call."""

from __future__ import annotations

from typing import Any

import pytest

from services.analyzer.prompts import fixed_tokens
from services.cli.evaluation.costs import estimated
from shared.domain.analysis import Analysis, Importance, Tag
from shared.domain.pull_request import PullRequest
from shared.domain.taxonomy import Namespace, Trait
from shared.settings import ModelSettings, Settings
from shared.settings.language_model import PriceSettings
from tests.builders import make_analysis, make_pull_request

PRICES = {"small": PriceSettings(input=1.0, output=2.0)}


def merge(number: int, score: int = 10, *traits: Trait) -> tuple[PullRequest, Analysis, bool]:
    """A merge of that importance with those traits."""
    tags = tuple(Tag(namespace=Namespace.TRAIT, value=trait, rule="test") for trait in traits)
    analysis = make_analysis(number, importance=Importance(score=score), tags=tags)
    return make_pull_request(number, body="Keeps the order of what waits."), analysis, True


def under(**model: Any) -> Settings:
    """Settings with that model."""
    return Settings(model=ModelSettings(**{"name": "small", **model}))


def test_each_model_is_told_with_its_merges_and_the_rest_with_the_reason() -> None:
    merges = [merge(1), merge(2, 40), merge(3, -5), merge(4, 10, Trait.GENERATED_ONLY), (*merge(5)[:2], False)]

    made = estimated(merges, under(strong_name="large", strong_from=30, lowest_importance=0))

    assert made.merges == 5
    assert [(tier.model, tier.merges) for tier in made.tiers] == [("small", 1), ("large", 1)]
    assert sum(made.left_to_rules.values()) == 3
    assert len(made.left_to_rules) == 3


def test_the_safe_estimate_holds_prompt_and_schema_and_the_likely_one_is_below_it() -> None:
    made = estimated([merge(1), merge(2)], under(output_tokens=900))

    tier = made.tiers[0]
    assert tier.input_tokens > 2 * fixed_tokens("English")
    assert tier.likely_input < tier.input_tokens
    assert (tier.output_tokens, tier.likely_output) == (1_800, 840)


def test_costs_are_by_the_prices_and_unknown_without_them() -> None:
    known = estimated([merge(1)], under(prices=PRICES)).tiers[0]
    unknown = estimated([merge(1)], under()).tiers[0]

    assert known.cost == pytest.approx((known.input_tokens + 2 * known.output_tokens) / 1_000_000)
    assert known.likely_cost is not None
    assert known.batch_cost == pytest.approx(known.likely_cost / 2)
    assert (unknown.cost, unknown.likely_cost, unknown.batch_cost) == (None, None, None)


def test_budgets_let_through_as_many_as_fit() -> None:
    merges = [merge(number) for number in range(1, 11)]
    whole = estimated(merges, under(prices=PRICES))
    one = whole.tiers[0].input_tokens // 10 + 900

    assert (whole.within_day, whole.within_week, whole.beyond_merge) == (10, 10, 0)
    assert estimated(merges, under(day_tokens=one)).within_day == 1
    assert estimated(merges, under(day_tokens=one - 1)).within_day == 0
    assert 1 < estimated(merges, under(week_tokens=3 * one)).within_week < 10
    assert estimated(merges, under(merge_tokens=one - 1)).beyond_merge == 10
    dear = estimated(merges, under(prices=PRICES, day_cost=0.01, merge_cost=0.00001))
    assert (dear.beyond_merge, dear.within_day) == (10, 0)
    assert 0 < estimated(merges, under(prices=PRICES, day_cost=0.01)).within_day < 10


def test_no_merges_take_nothing() -> None:
    made = estimated([], under())

    assert (made.merges, made.asked, made.tiers) == (0, 0, ())

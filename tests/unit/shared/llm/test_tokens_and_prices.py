"""Tokens are never estimated below the bytes that models see, and costs follow the settings."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.llm import cost_of, estimated_tokens
from shared.settings.language_model import PriceSettings

PRICES = {"plain": PriceSettings(input=2.0, output=8.0), "cached": PriceSettings(input=2.0, cached=0.5, output=8.0)}


@pytest.mark.parametrize(("text", "tokens"), [("", 0), ("a", 1), ("abc", 1), ("abcd", 2), ("é", 1), ("汉字", 2)])
def test_three_bytes_are_a_token(text: str, tokens: int) -> None:
    assert estimated_tokens(text) == tokens


@given(st.text())
def test_any_text_can_be_estimated(text: str) -> None:
    assert estimated_tokens(text + "\ud800") >= estimated_tokens(text)


def test_costs_are_those_of_a_million_tokens() -> None:
    assert cost_of(PRICES, "plain", 1_000_000, 0, 1_000_000) == pytest.approx(10.0)
    assert cost_of(PRICES, "plain", 1_000_000, 400_000, 0) == pytest.approx(2.0)
    assert cost_of(PRICES, "cached", 1_000_000, 400_000, 0) == pytest.approx(1.4)
    assert cost_of(PRICES, "cached", 1_000_000, 0, 1_000_000, batch=True) == pytest.approx(5.0)


def test_an_unknown_price_is_not_nothing() -> None:
    assert cost_of(PRICES, "other", 1, 0, 1) is None


def test_more_cached_tokens_than_tokens_cost_no_more_than_all_of_them() -> None:
    assert cost_of(PRICES, "cached", 100, 10_000_000, 0) == pytest.approx(0.00005)

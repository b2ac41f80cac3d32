"""Costs by the prices of the settings: cached input, batches, and models without a price."""

from __future__ import annotations

import pytest

from shared.llm.prices import cost_of
from shared.settings import PriceSettings

PRICES = {
    "small": PriceSettings(input=0.4, cached=0.1, output=1.6),
    "plain": PriceSettings(input=2.0, output=8.0, batch=0.25),
    "local": PriceSettings(input=0.0, output=0.0),
}


@pytest.mark.parametrize(
    ("model", "tokens", "batch", "dollars"),
    [
        ("small", (1_000_000, 0, 0), False, 0.4),
        ("small", (1_000_000, 250_000, 500_000), False, 0.3 + 0.025 + 0.8),
        ("small", (1_000_000, 0, 1_000_000), True, 1.0),
        ("plain", (1_000_000, 1_000_000, 0), False, 2.0),
        ("plain", (1_000_000, 0, 1_000_000), True, 2.5),
        ("plain", (10, 900_000_000, 0), False, 0.00002),
        ("local", (5_000, 0, 900), False, 0.0),
    ],
)
def test_r61_a_call_costs_what_its_tokens_cost(
    model: str, tokens: tuple[int, int, int], batch: bool, dollars: float
) -> None:
    assert cost_of(PRICES, model, *tokens, batch=batch) == pytest.approx(dollars)


def test_a_model_without_a_price_costs_nobody_knows_what() -> None:
    assert cost_of(PRICES, "unheard-of", 1_000, 0, 1_000) is None
    assert cost_of({}, "small", 0, 0, 0) is None

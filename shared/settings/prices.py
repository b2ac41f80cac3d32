"""What a call of a model costs, by the prices of the settings; pure arithmetic in US dollars (R-61)."""

from __future__ import annotations

from collections.abc import Mapping

from shared.settings.language_model import PriceSettings

_MILLION = 1_000_000


def cost_of(
    prices: Mapping[str, PriceSettings],
    model: str,
    input_tokens: int,
    cached_tokens: int,
    output_tokens: int,
    *,
    batch: bool = False,
) -> float | None:
    """Return what these tokens cost in US dollars; None when no price of ``model`` is set.

    ``cached_tokens`` are part of ``input_tokens``, as servers count them (``prompt_tokens_details.cached_tokens``).
    """
    price = prices.get(model)
    if price is None:
        return None
    cached = min(cached_tokens, input_tokens)
    cached_price = price.input if price.cached is None else price.cached
    dollars = (input_tokens - cached) * price.input + cached * cached_price + output_tokens * price.output
    return dollars / _MILLION * (price.batch if batch else 1.0)

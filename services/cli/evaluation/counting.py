"""The meter of an evaluation: its calls go into the ledger and the budgets under their own purpose."""

from __future__ import annotations

from collections.abc import Mapping

from services.cli.evaluation.scoring import usage_in_all
from shared.domain.protocols import Meter, PlannedCall, SettledCall
from shared.domain.reading import CallUsage
from shared.llm import cost_of
from shared.settings.language_model import PriceSettings


class EvaluationMeter:
    """Counts the calls of one case with the ``stored`` meter; they are of no merge, so no merge's limit holds."""

    def __init__(self, stored: Meter, prices: Mapping[str, PriceSettings]) -> None:
        self._stored, self._prices = stored, prices
        self._planned: dict[int, PlannedCall] = {}
        self._usages: list[CallUsage] = []

    @property
    def usage(self) -> CallUsage:
        """What the case took so far, calls that brought nothing among them."""
        return usage_in_all(self._usages)

    def reserve(self, call: PlannedCall) -> int:
        """Reserve with the stored meter; what it raises passes. A probe stays what it is."""
        counted = call if call.purpose == "probe" else call.model_copy(update={"purpose": "eval"})
        reserved = self._stored.reserve(counted)
        self._planned[reserved] = call
        return reserved

    def settle(self, call_id: int, outcome: SettledCall) -> None:
        """Settle with the stored meter; what it raises passes."""
        self._stored.settle(call_id, outcome)
        if outcome.status == "unsent":
            return
        counts = (outcome.input_tokens, outcome.cached_tokens, outcome.output_tokens)
        self._usages.append(
            CallUsage(
                requests=1,
                input_tokens=counts[0],
                cached_tokens=counts[1],
                output_tokens=counts[2],
                cost_usd=cost_of(self._prices, self._planned[call_id].model, *counts),
                seconds=outcome.seconds,
            )
        )

"""The meter of an evaluation: another purpose in the ledger, and what each case took."""

from __future__ import annotations

import pytest

from services.cli.evaluation.counting import EvaluationMeter
from shared.domain.protocols import PlannedCall, SettledCall
from shared.settings.language_model import PriceSettings
from tests.model_ledger import LedgerMeter

PRICES = {"small": PriceSettings(input=1.0, output=2.0)}


def call(purpose: str = "read") -> PlannedCall:
    """A call that is about to be sent."""
    return PlannedCall.model_validate(
        {"model": "small", "purpose": purpose, "mode": "json_schema", "input_tokens": 900, "output_tokens": 90}
    )


def test_reads_and_repairs_are_counted_as_evaluation_and_probes_stay_probes() -> None:
    stored = LedgerMeter(most=9)
    meter = EvaluationMeter(stored, {})

    for purpose in ("read", "repair", "probe"):
        meter.settle(meter.reserve(call(purpose)), SettledCall(status="answered", input_tokens=1, output_tokens=1))

    assert [plan.purpose for plan in stored.reserved] == ["eval", "eval", "probe"]
    assert meter.usage.requests == 3


def test_usage_adds_up_what_was_sent_with_its_cost() -> None:
    stored = LedgerMeter()
    meter = EvaluationMeter(stored, PRICES)

    meter.settle(meter.reserve(call()), SettledCall(status="unsent"))
    meter.settle(
        meter.reserve(call()),
        SettledCall(status="answered", input_tokens=800, cached_tokens=100, output_tokens=50, seconds=1.5),
    )

    usage = meter.usage
    assert (usage.requests, usage.input_tokens, usage.cached_tokens, usage.output_tokens) == (1, 800, 100, 50)
    assert usage.cost_usd == pytest.approx(0.0009)
    assert stored.statuses == ["unsent", "answered"]

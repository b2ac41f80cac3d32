"""A call is reserved before it is sent and settled whatever breaks it off."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

import pytest

from shared.domain.errors import Postponed
from shared.domain.protocols import PlannedCall
from shared.llm.calls import make_call
from shared.llm.wire import Wire
from tests.model_ledger import NOW, LedgerMeter

PLAN = PlannedCall(model="m", purpose="read", mode="text", input_tokens=100, output_tokens=20)


class BreakingWire:
    """Fails in a way that no server brings about; writes down whether the call was reserved by then."""

    def __init__(self, error: BaseException, meter: LedgerMeter) -> None:
        self.error, self.meter = error, meter
        self.reserved_before: list[int] = []

    def send(self, _body: Mapping[str, Any]) -> None:
        self.reserved_before.append(len(self.meter.reserved))
        raise self.error


@pytest.mark.parametrize("error", [KeyboardInterrupt(), SystemExit(), MemoryError(), RuntimeError("time limit")])
def test_a_call_that_is_broken_off_is_settled_as_unsettled_with_all_it_may_have_taken(error: BaseException) -> None:
    meter = LedgerMeter()
    wire = BreakingWire(error, meter)

    with pytest.raises(type(error)):
        make_call(cast("Wire", wire), meter, PLAN, {})

    (settled,) = meter.settled.values()
    assert wire.reserved_before == [1]
    assert (settled.status, settled.input_tokens, settled.output_tokens) == ("unsettled", 100, 20)


def test_what_the_meter_refuses_is_not_sent() -> None:
    meter = LedgerMeter()
    meter.refuses = lambda _plan: Postponed("No tokens are left.", NOW)
    wire = BreakingWire(RuntimeError(), meter)

    with pytest.raises(Postponed):
        make_call(cast("Wire", wire), meter, PLAN, {})

    assert wire.reserved_before == []
    assert meter.settled == {}

"""The steps of a call at which the tests let a process die: the meter, with a kill point at each."""

from __future__ import annotations

from services.analyzer.kill_points import reach
from shared.domain.protocols import Meter, PlannedCall, SettledCall


class Steps:
    """A meter that reaches the kill points of pull request ``number`` around the one it wraps."""

    def __init__(self, meter: Meter, number: int) -> None:
        self._meter, self._number = meter, number

    def reserve(self, call: PlannedCall) -> int:
        """Reserve with the wrapped meter; what it raises passes."""
        reserved = self._meter.reserve(call)
        reach("before-send", self._number)
        return reserved

    def settle(self, call_id: int, outcome: SettledCall) -> None:
        """Settle with the wrapped meter; what it raises passes."""
        reach("before-settle", self._number)
        self._meter.settle(call_id, outcome)
        reach("after-settle", self._number)

"""A meter and a memory of models that keep everything in this process, for tests of what is asked and of who asks."""

from __future__ import annotations

import threading
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Literal

from shared.domain.errors import Permanent, Postponed
from shared.domain.protocols import Learned, PlannedCall, SettledCall

NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)


def fixed_clock() -> datetime:
    """The present of tests."""
    return NOW


class LedgerMeter:
    """Writes down every call; a merge may have ``most`` of them, those that were not sent and probes not counted."""

    def __init__(self, most: int = 2) -> None:
        self.most = most
        self.reserved: list[PlannedCall] = []
        self.settled: dict[int, SettledCall] = {}
        self.refuses: Callable[[PlannedCall], Exception | None] = lambda _call: None
        self._guard = threading.Lock()

    @property
    def calls(self) -> list[tuple[PlannedCall, SettledCall]]:
        """Every call with what became of it, in the order of their reservation."""
        return [(plan, self.settled[number]) for number, plan in enumerate(self.reserved)]

    @property
    def statuses(self) -> list[str]:
        """What became of each call."""
        return [settled.status for _, settled in self.calls]

    @property
    def sent(self) -> int:
        """How many calls a server may have got, probes among them."""
        return sum(status != "unsent" for status in self.statuses)

    def reserve(self, call: PlannedCall) -> int:
        """Permanent when the merge has had its calls; whatever ``refuses`` returns before that."""
        with self._guard:
            error = self.refuses(call)
            if error is not None:
                raise error
            had = [
                number
                for number, plan in enumerate(self.reserved)
                if plan.purpose != "probe" and (number not in self.settled or self.settled[number].status != "unsent")
            ]
            if call.purpose != "probe" and len(had) >= self.most:
                raise Permanent("This merge has had its calls.", "Run reanalyze to ask anew.")
            self.reserved.append(call)
            return len(self.reserved) - 1

    def settle(self, call_id: int, outcome: SettledCall) -> None:
        """Once for each call."""
        with self._guard:
            assert call_id not in self.settled, "a call is settled once"
            self.settled[call_id] = outcome


class RememberingMemory:
    """Remembers lessons by model; rests after five failures in a row, and then wants a probe first."""

    def __init__(self, clock: Callable[[], datetime] = fixed_clock) -> None:
        self.clock = clock
        self.lessons: dict[str, Learned] = {}
        self.failures: list[tuple[str, datetime | None]] = []
        """Why, and until when the server wanted to be left alone."""
        self.answers = 0
        self.rests_until: datetime | None = None
        self._in_a_row = 0

    def learned(self, model: str) -> Learned:
        """Nothing of an unknown model."""
        return self.lessons.get(model, Learned())

    def learn(self, model: str, learned: Learned) -> None:
        """Beside what was known."""
        self.lessons[model] = self.learned(model).model_copy(update=learned.model_dump(exclude_none=True))

    def admit(self, model: str) -> Literal["ask", "probe"]:
        """Postponed while the server rests, then a probe until it has served."""
        if self.rests_until is None:
            return "ask"
        if self.clock() < self.rests_until:
            raise Postponed(f"{model} rests.", self.rests_until)
        return "probe"

    def served(self, _model: str) -> None:
        """Ends the rest."""
        self.answers += 1
        self._in_a_row, self.rests_until = 0, None

    def failed(self, _model: str, why: str, wait_until: datetime | None = None) -> datetime | None:
        """Rests for a minute after five failures in a row, or as long as the server wants."""
        self.failures.append((why, wait_until))
        self._in_a_row += 1
        if wait_until is not None:
            self.rests_until = wait_until
        elif self._in_a_row >= 5:
            self.rests_until = self.clock() + timedelta(minutes=1)
        return self.rests_until

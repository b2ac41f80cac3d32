"""A model that takes too little at once: what was learned of that lasts no longer than it holds (C-60)."""

from __future__ import annotations

import json
from datetime import datetime, timedelta

import pytest

from services.analyzer.prompts.question import fixed_tokens
from services.analyzer.readings.answering import SMALLEST_DOCUMENT, document_tokens
from shared.domain.errors import Postponed
from shared.domain.protocols import PlannedCall
from shared.store.model_calls import StoredMeter
from tests.integration.readings.house import BODY, House
from tests.servers.model.server import ModelServer

SMALL, LARGE = 2_048, 16_384
LONG_BODY = "\n".join(f"{BODY} Queue {number} is one of them." for number in range(30))
HOUR = timedelta(hours=1)


def takes(server: ModelServer, tokens: int) -> None:
    """Refuse the next request as llama.cpp does when it is longer than its context."""
    error = {"code": 400, "message": "the request exceeds", "type": "exceed_context_size_error", "n_ctx": tokens}
    server.say_next(400, json.dumps({"error": error}).encode(), {})


def hours(house: House, count: int) -> list[str]:
    """Let time pass with a sweep every hour, and return what became of what was due."""
    outcomes: list[str] = []
    for _ in range(count):
        house.clock.move(HOUR)
        house.sweep()
        outcomes += house.work_off()
    return [outcome for outcome in outcomes if outcome != "not-due"]


def test_merges_are_read_again_by_themselves_once_the_server_takes_more(house: House, server: ModelServer) -> None:
    assert document_tokens(house.settings.model, SMALL) < SMALLEST_DOCUMENT < LARGE - fixed_tokens("English")
    takes(server, SMALL)
    house.capture(101)
    house.capture(102)

    assert house.work_off() == ["postponed"] * 2
    assert house.calls() == [("read", "refused")]
    assert hours(house, 12) == ["postponed"] * 24
    assert len(server.asked) == 1, "what is known already is not asked for"
    assert hours(house, 14)[-2:] == ["done"] * 2
    assert house.counts() == {"done": 2}
    assert max(house.calls_of_merges().values()) <= 2


def test_a_rest_that_is_over_is_reason_enough_to_try_again(house: House, server: ModelServer) -> None:
    takes(server, SMALL)
    house.capture()
    assert house.work_off() == ["postponed"]
    for _ in range(5):
        house.reader.memory.failed("scripted", "it is being restarted")

    assert hours(house, 2)[-1] == "postponed"
    house.reader.memory.admit("scripted")
    house.reader.memory.served("scripted")
    assert hours(house, 1) == ["done"]


def test_what_is_too_little_is_said_with_the_settings_that_it_is_too_little_for(
    house: House, server: ModelServer
) -> None:
    takes(server, SMALL)
    house.capture()
    house.work_off()

    view = house.view()
    assert view.next_attempt_at == house.clock.now + HOUR
    assert "takes 2048 tokens in all" in (view.why or "")
    assert "model.input_tokens = 6000 and model.output_tokens = 900" in (view.why or "")


@pytest.mark.parametrize("step", ["noted", "not-noted"])
def test_what_was_too_long_is_not_sent_again_when_the_smaller_one_had_to_wait(
    house: House, server: ModelServer, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    reserve = StoredMeter.reserve
    tried: list[datetime] = []

    def once(meter: StoredMeter, call: PlannedCall) -> int:
        tried.append(house.clock.now)
        if len(tried) == 2:
            raise Postponed("The budget of the day is used up.", house.clock.now + HOUR)
        return reserve(meter, call)

    server.script("too-long-413")
    house.capture(body=LONG_BODY)
    if step == "noted":
        monkeypatch.setattr(StoredMeter, "reserve", once)
        assert house.work_off() == ["postponed"]
    else:
        with monkeypatch.context() as killed:
            killed.setattr("services.analyzer.readings.answering._smaller", _lost)
            house.work_off()
    house.clock.move(HOUR)
    house.sweep()

    assert house.work_off() == ["done"]
    assert house.calls() == [("read", "refused"), ("read", "answered")], "a server that serves is not probed"
    first, second = server.asked
    assert len(second.user) < len(first.user)


def _lost(*_arguments: object) -> int:
    raise MemoryError("the worker is lost before it packs the merge again")

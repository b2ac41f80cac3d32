"""A server that is away costs no merge its calls, and no call outlives its deadline."""

from __future__ import annotations

import socket
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest

from shared.domain.errors import Permanent, Postponed
from shared.llm import Completion
from tests.integration.llm.conftest import Door, Opened
from tests.integration.llm.merge_question import MergeVerdict, question
from tests.model_ledger import NOW, LedgerMeter
from tests.servers.model.server import ModelServer
from tests.servers.silent import SilentListener

DEADLINE = timedelta(seconds=1)
FIVEFOLD = 5.0


def timed_out(door: Door, words: str) -> float:
    """Ask in vain; return how long it took."""
    started = time.monotonic()
    with pytest.raises(Postponed, match=words):
        door.ask()
    return time.monotonic() - started


@pytest.mark.parametrize("mode", ["hang", "drip", "drip-headers"])
def test_a_call_ends_at_its_deadline_whatever_arrives_meanwhile(server: ModelServer, opened: Opened, mode: str) -> None:
    door = opened(deadline=DEADLINE)
    server.mode = mode

    seconds = timed_out(door, "no whole answer in time")

    assert 0.9 < seconds < FIVEFOLD
    assert door.meter.statuses == ["timeout"]
    assert len(server.asked) == 1


def test_a_handshake_ends_at_the_deadline_too(opened: Opened) -> None:
    with SilentListener() as silent:
        door = opened(deadline=DEADLINE, base_url=f"https://127.0.0.1:{silent.port}/v1")

        seconds = timed_out(door, "no whole answer in time")

    assert seconds < FIVEFOLD
    assert door.meter.statuses == ["unsent"]


def test_a_resolver_that_hangs_ends_at_the_deadline_too(opened: Opened, monkeypatch: pytest.MonkeyPatch) -> None:
    door = opened(deadline=DEADLINE, base_url="https://models.example/v1")
    with SilentListener() as silent:

        def hanging(*_args: Any, **_named: Any) -> list[Any]:
            with socket.create_connection(("127.0.0.1", silent.port)) as connection:
                connection.recv(1)
            return []

        real = socket.getaddrinfo
        monkeypatch.setattr(
            socket,
            "getaddrinfo",
            lambda host, *args, **named: (hanging if "models" in str(host) else real)(host, *args, **named),
        )
        seconds = timed_out(door, "no whole answer in time")

    assert seconds < FIVEFOLD
    assert door.meter.statuses == ["unsent"]


def test_a_server_that_is_away_costs_nothing(server: ModelServer, opened: Opened) -> None:
    door = opened()
    server.stop()

    for _ in range(4):
        with pytest.raises(Postponed, match="gave no answer"):
            door.ask()

    assert door.meter.statuses == ["unsent"] * 4
    assert all(settled.input_tokens == 0 for _, settled in door.meter.calls)


def test_a_server_that_fails_is_left_alone_and_a_probe_comes_before_the_next_merge(
    server: ModelServer, opened: Opened
) -> None:
    door = opened()
    server.mode = "error-500"
    meters = [LedgerMeter() for _ in range(20)]

    for meter in meters:
        with pytest.raises(Postponed):
            door.model.ask(question(), meter)

    assert len(server.asked) == 5
    door.memory.clock = lambda: NOW + timedelta(minutes=2)
    with pytest.raises(Postponed):
        door.model.ask(question(), meters[19])
    assert meters[19].calls[0][0].purpose == "probe"
    assert server.asked[5].document == {}
    door.memory.clock = lambda: NOW + timedelta(minutes=10)
    server.mode = "ok"
    completion = door.model.ask(question(), meters[19])
    assert isinstance(completion.answer, MergeVerdict)
    assert completion.usage.requests == 1
    assert [plan.purpose for plan, _ in meters[19].calls] == ["probe", "probe", "read"]
    assert isinstance(door.model.ask(question(), meters[18]).answer, MergeVerdict)
    assert meters[18].statuses == ["answered"]


def test_a_merge_asked_about_in_vain_sends_its_last_call_only_after_a_probe(
    server: ModelServer, opened: Opened
) -> None:
    door = opened()
    server.mode = "error-500"

    for _ in range(3):
        with pytest.raises(Postponed):
            door.ask(again=True)
    assert {plan.purpose for plan, _ in door.meter.calls} == {"probe"}
    server.mode = "ok"

    assert isinstance(door.ask(again=True).answer, MergeVerdict)
    assert [plan.purpose for plan, _ in door.meter.calls][-2:] == ["probe", "read"]


def test_a_server_that_answers_probes_alone_is_left_alone_after_five_failures(
    server: ModelServer, opened: Opened
) -> None:
    door = opened()
    for _ in range(5):
        server.script("ok", "error-500")
        with pytest.raises(Postponed):
            door.model.ask(question(again=True), LedgerMeter())

    with pytest.raises(Postponed):
        door.ask()
    assert len(server.asked) == 10


@pytest.mark.parametrize("mode", ["ok", "cut", "reasoning-only", "refusal", "max-tokens-400"])
def test_whatever_shows_that_the_server_serves_answers_a_probe(server: ModelServer, opened: Opened, mode: str) -> None:
    door = opened()
    door.memory.rests_until = NOW
    server.script(mode)

    assert isinstance(door.ask().answer, MergeVerdict)
    assert [plan.purpose for plan, _ in door.meter.calls] == ["probe", "read"]


def test_while_the_breaker_is_open_nothing_is_reserved(server: ModelServer, opened: Opened) -> None:
    door = opened()
    door.memory.rests_until = NOW + timedelta(minutes=5)

    with pytest.raises(Postponed):
        door.ask()

    assert (door.meter.reserved, server.asked) == ([], [])


def test_without_a_call_left_there_is_no_repair(server: ModelServer, opened: Opened) -> None:
    door = opened()
    door.meter.most = 1
    server.mode = "prose"

    completion = door.ask()

    assert completion.answer is None
    assert completion.fault == "there is no JSON object in it; no call is left to repair it"
    assert (len(server.asked), completion.text) == (1, "This merge looks fine to me.")


def test_a_merge_without_calls_is_not_asked_about(server: ModelServer, opened: Opened) -> None:
    door = opened()
    door.meter.most = 0

    with pytest.raises(Permanent):
        door.ask()

    assert server.asked == []


def test_a_budget_that_is_used_up_makes_the_repair_wait(server: ModelServer, opened: Opened) -> None:
    door = opened()
    used_up = Postponed("The day's tokens are used up.", NOW + timedelta(hours=3))
    door.meter.refuses = lambda plan: used_up if plan.purpose == "repair" else None
    server.mode = "prose"

    with pytest.raises(Postponed, match="used up"):
        door.ask()

    assert door.meter.calls[0][1].text == "This merge looks fine to me."


def test_a_repair_that_is_not_served_ends_the_question(server: ModelServer, opened: Opened) -> None:
    door = opened()
    server.script("prose", "error-500")

    completion = door.ask()

    assert completion.fault == "there is no JSON object in it; the repair was not served"
    assert completion.usage.requests == 2
    assert len(door.memory.failures) == 1


def test_threads_share_one_door_and_every_call_is_counted(server: ModelServer, opened: Opened) -> None:
    door = opened()
    server.script(*["prose", "ok", "fenced", "ok"] * 5)
    server.when(lambda asked: asked.is_repair, "ok")
    meters = [LedgerMeter() for _ in range(24)]

    def asked(meter: LedgerMeter) -> Completion:
        return door.model.ask(question(), meter)

    with ThreadPoolExecutor(8) as threads:
        completions = list(threads.map(asked, meters))

    assert all(isinstance(completion.answer, MergeVerdict) for completion in completions)
    assert sum(meter.sent for meter in meters) == len(server.asked)
    assert sum(completion.usage.output_tokens for completion in completions) == server.counted[1]

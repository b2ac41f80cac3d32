"""No key leaves by an error, a log or a repr (R-91), and no name leads the door to where it may not go (R-90)."""

from __future__ import annotations

import logging
import os
import socket
import traceback
from typing import Any

import pytest

from shared.domain.errors import Postponed
from shared.llm import TooLong
from tests.integration.llm.conftest import CANARY, Door, Opened
from tests.integration.llm.merge_question import DOCUMENT, MergeVerdict
from tests.model_ledger import LedgerMeter
from tests.servers.model.modes import MODES
from tests.servers.model.server import ModelServer

SLOW = {"hang", "drip", "drip-headers"}


def everything_said(door: Door) -> str:
    """Ask, and return all that is shown to anybody: the outcome, its traceback, what was counted and remembered."""
    try:
        shown = repr(door.ask())
    except (Postponed, TooLong) as error:
        shown = "".join(traceback.format_exception(error)) + repr(error) + str(vars(error))
    return f"{shown} {door.meter.calls} {door.memory.failures} {door.model!r} {vars(door.model)}"


@pytest.mark.parametrize("mode", sorted(set(MODES) - SLOW))
def test_no_mode_of_a_server_brings_the_key_to_light(
    server: ModelServer, opened: Opened, mode: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    door = opened()
    server.mode = mode

    said = everything_said(door)

    assert server.asked[0].headers["authorization"] == f"Bearer {CANARY}"
    assert CANARY not in said
    assert CANARY not in caplog.text
    assert DOCUMENT["title"] not in caplog.text


def test_a_server_that_is_away_does_not_either(
    server: ModelServer, opened: Opened, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    door = opened()
    server.stop()

    assert CANARY not in everything_said(door)
    assert CANARY not in caplog.text


def leading(monkeypatch: pytest.MonkeyPatch, port: int, *addresses: str) -> list[str]:
    """Let every name lead to ``addresses``, one after the other on each look; return the names that were looked up."""
    looked_up: list[str] = []

    def resolved(host: Any, *_args: Any, **_named: Any) -> list[Any]:
        looked_up.append(str(host))
        address = addresses[min(len(looked_up), len(addresses)) - 1]
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port))]

    monkeypatch.setattr(socket, "getaddrinfo", resolved)
    return looked_up


def test_a_public_name_that_leads_to_this_machine_is_not_connected_to(
    server: ModelServer, opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    door = opened(base_url=f"https://models.example:{server.port}/v1")
    leading(monkeypatch, server.port, "127.0.0.1")

    with pytest.raises(Postponed, match=r"may not be asked.*model\.internal"):
        door.ask()

    assert door.meter.statuses == ["unsent"]
    assert server.paths == []


def test_an_internal_name_may_lead_to_this_machine(
    server: ModelServer, opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    door = opened(base_url=f"http://models.example:{server.port}/v1", internal=True)
    looked_up = leading(monkeypatch, server.port, "127.0.0.1", "169.254.169.254")

    assert isinstance(door.ask().answer, MergeVerdict)
    assert looked_up == ["models.example"]
    assert server.asked[0].headers["host"] == f"models.example:{server.port}"


def test_metadata_is_never_asked(opened: Opened, monkeypatch: pytest.MonkeyPatch, server: ModelServer) -> None:
    door = opened(base_url=f"http://models.example:{server.port}/v1", internal=True)
    leading(monkeypatch, server.port, "169.254.169.254")

    with pytest.raises(Postponed, match="may not be asked"):
        door.ask()

    assert door.meter.statuses == ["unsent"]


def test_a_redirect_is_not_followed(server: ModelServer, opened: Opened) -> None:
    door = opened()
    server.mode = "redirect"

    with pytest.raises(Postponed, match=r"sends requests elsewhere.*model\.base_url"):
        door.ask()

    assert [path for _, path in server.paths] == ["/v1/chat/completions"]


def test_a_door_that_was_opened_before_a_fork_works_on_both_sides(server: ModelServer, opened: Opened) -> None:
    door = opened()
    assert isinstance(door.ask().answer, MergeVerdict)

    child = os.fork()
    if child == 0:
        door.meter = LedgerMeter()
        os._exit(0 if isinstance(door.ask().answer, MergeVerdict) else 1)
    door.meter = LedgerMeter()
    answer = door.ask().answer

    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert isinstance(answer, MergeVerdict)
    assert len(server.asked) == 3

"""The rights of an App's installation, which change while it works, and what its tokens ask for (R-53, C-13)."""

from __future__ import annotations

import json
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from shared.domain.errors import Parked
from shared.domain.pull_request import RepositoryRef
from tests.servers.github import Fault

PULL = "/repositories/5000000001/pulls/1"
LONGEST = 30.0
"""Seconds that a thread may take before a test gives up on it."""


def rights_asked_for(stage: Any) -> list[dict[str, str]]:
    """The rights of each token that was asked for."""
    return [json.loads(one.body)["permissions"] for one in stage.github.log if "access_tokens" in one.path]


def test_a_right_that_is_given_later_is_used_after_fifty_minutes(stage: Any) -> None:
    installation = stage.github.world.app.install("acme", permissions={"metadata": "read", "pull_requests": "read"})
    host = stage.app()
    host.read(PULL, about=stage.about)
    installation.permissions["checks"] = "read"
    stage.clock.forward(minutes=49)
    host.read(PULL, about=stage.about)
    assert ["checks" in rights for rights in rights_asked_for(stage)] == [False]
    stage.clock.forward(minutes=1)
    host.read(PULL, about=stage.about)
    assert ["checks" in rights for rights in rights_asked_for(stage)] == [False, True]


def test_a_right_that_is_taken_back_is_not_asked_for_again(stage: Any) -> None:
    installation = stage.github.world.app.install("acme", permissions={"metadata": "read", "checks": "read"})
    host = stage.app()
    host.read(PULL, about=stage.about)
    del installation.permissions["checks"]
    stage.clock.forward(minutes=51)
    assert host.read(PULL, about=stage.about).body["number"] == 1
    assert rights_asked_for(stage)[-1] == {"metadata": "read"}


def test_rights_that_change_between_two_questions_are_looked_for_once_more(stage: Any) -> None:
    installation = stage.github.world.app.install("acme", permissions={"metadata": "read", "checks": "read"})
    host = stage.app()

    def taken_back() -> None:
        installation.permissions.pop("checks", None)

    stage.github.faults.add(Fault(path="access_tokens$", kind="not-found", status=422, before=taken_back))
    assert host.read(PULL, about=stage.about).body["number"] == 1
    assert rights_asked_for(stage) == [{"checks": "read", "metadata": "read"}, {"metadata": "read"}]


def test_a_token_that_is_refused_each_time_parks_with_a_way_out(stage: Any) -> None:
    stage.github.world.app.install("acme")
    host = stage.app()
    fault = stage.github.faults.add(Fault(path="access_tokens$", kind="not-found", status=422, times=None))
    with pytest.raises(Parked, match="no token for acme/engine") as refusal:
        host.read(PULL, about=stage.about)
    assert "permissions" in refusal.value.way_out
    assert stage.asked("access_tokens") == 2
    stage.github.faults.remove(fault)
    assert host.read(PULL, about=stage.about).body["number"] == 1


@pytest.mark.parametrize("granted", [{}, {"administration": "write"}])
def test_r53_without_a_known_reading_right_a_token_asks_for_the_least(stage: Any, granted: dict[str, str]) -> None:
    installation = stage.github.world.app.install("acme")
    installation.permissions = granted
    stage.github.faults.add(Fault(path="access_tokens$", kind="not-found", status=422, times=None))
    with pytest.raises(Parked):
        stage.app().read(PULL, about=stage.about)
    assert rights_asked_for(stage) == [{"metadata": "read"}] * 2


def test_who_has_a_token_does_not_wait_for_who_asks_for_one(stage: Any) -> None:
    """The host is slow to tell of one installation; two other repositories are read meanwhile, one without a token."""
    world = stage.github.world
    abouts = [stage.about]
    for place, owner in enumerate(("slow", "other"), start=2):
        made = world.add_repository(f"{owner}/engine", id=5_000_000_000 + place)
        made.open_pull("Keep order").merge()
        abouts.append(RepositoryRef(full_name=f"{owner}/engine", id=made.id))
    for owner in ("acme", "slow", "other"):
        world.app.install(owner)
    about, slow, other = abouts
    host = stage.app()
    host.read(PULL, about=about)
    reached, let_go = threading.Event(), threading.Event()

    def hold() -> None:
        reached.set()
        let_go.wait(LONGEST)

    stage.github.faults.add(Fault(path=f"{slow.id}/installation$", kind="slow", seconds=0.001, before=hold))
    with ThreadPoolExecutor(2) as pool:
        waiting = pool.submit(host.read, f"/repositories/{slow.id}/pulls/1", about=slow)
        try:
            assert reached.wait(LONGEST)
            meanwhile = pool.submit(
                lambda: [
                    host.read(f"/repositories/{one.id}/pulls/1", about=one).body["number"] for one in (about, other)
                ]
            )
            assert meanwhile.result(LONGEST / 2) == [1, 1]
            assert not waiting.done()
        finally:
            let_go.set()
        assert waiting.result(LONGEST).body["number"] == 1


def test_many_threads_ask_for_one_token(stage: Any) -> None:
    stage.github.world.app.install("acme")
    host = stage.app()
    start = threading.Barrier(6)

    def read(_place: int) -> int:
        start.wait(LONGEST)
        return int(host.read(PULL, about=stage.about).body["number"])

    with ThreadPoolExecutor(6) as pool:
        assert list(pool.map(read, range(6))) == [1] * 6
    assert stage.asked("access_tokens") == 1

"""Credentials of every kind: who asks, with what rights, and what becomes of it when access ends (R-53, C-13, C-14)."""

from __future__ import annotations

import json
from typing import Any

import pytest

from shared.code_host import path_of
from shared.domain.errors import Absent, InvalidInput, Parked
from shared.domain.pull_request import RepositoryRef
from tests.servers.github import Fault

PULL = "/repositories/5000000001/pulls/1"


def tokens_made(stage: Any) -> int:
    return stage.asked("access_tokens")


def test_an_app_asks_as_the_installation_of_the_repository(stage: Any) -> None:
    installation = stage.github.world.app.install("acme")
    host = stage.app()
    assert host.read(PULL, about=stage.about).body["number"] == 1
    assert len(host.read(f"{PULL}/files", about=stage.about).body) == 1
    assert host.credential(stage.about) == f"installation:{installation.id}"
    assert [one.credential for one in stage.github.log[-2:]] == [f"installation:{installation.id}"] * 2
    assert tokens_made(stage) == 1
    assert host.can_query


def test_the_app_itself_is_asked_as(stage: Any) -> None:
    app = stage.github.world.app
    host = stage.app()
    assert host.read("/app", as_app=True).body["id"] == app.id
    assert host.credential() == f"app:{app.id}"


def test_r53_a_token_of_an_installation_reads_and_no_more(stage: Any) -> None:
    granted = {"contents": "write", "pull_requests": "write", "metadata": "read", "administration": "write"}
    stage.github.world.app.install("acme", permissions=granted)
    stage.app().read(PULL, about=stage.about)
    (made,) = [one for one in stage.github.log if "access_tokens" in one.path]
    assert json.loads(made.body)["permissions"] == {"contents": "read", "pull_requests": "read", "metadata": "read"}
    assert stage.github.writes == []


def test_tokens_are_renewed_at_fifty_minutes(stage: Any) -> None:
    stage.github.world.app.install("acme")
    host = stage.app()
    host.read(PULL, about=stage.about)
    stage.clock.forward(minutes=49)
    host.read(PULL, about=stage.about)
    assert tokens_made(stage) == 1
    stage.clock.forward(minutes=1)
    host.read(PULL, about=stage.about)
    assert tokens_made(stage) == 2


def test_c14_a_token_that_dies_is_renewed_once_and_the_read_goes_on(stage: Any) -> None:
    stage.github.world.app.install("acme")
    host = stage.app()
    stage.github.faults.add(Fault(path="pulls/1", kind="unauthorized", after=2))
    answers = [host.read(PULL, about=stage.about).body["number"] for _ in range(3)]
    assert answers == [1, 1, 1]
    assert tokens_made(stage) == 2


@pytest.mark.parametrize("credential", ["app", "token"])
def test_c14_a_second_refusal_parks(stage: Any, credential: str) -> None:
    stage.github.world.app.install("acme")
    host = stage.app() if credential == "app" else stage.host()
    stage.github.faults.add(Fault(path="pulls/1", kind="unauthorized", times=None))
    with pytest.raises(Parked, match="does not accept the credential"):
        host.read(PULL, about=stage.about)
    assert stage.asked("pulls/1") == 2


def test_a_personal_token_that_was_taken_back_parks_with_a_way_out(stage: Any) -> None:
    host = stage.host()
    host.read(PULL)
    stage.github.world.revoke("reader")
    with pytest.raises(Parked) as refusal:
        host.read(PULL, about=stage.about)
    assert "github.token" in refusal.value.way_out
    assert "acme/engine" in str(refusal.value)


def test_c13_a_suspended_installation_parks_and_goes_on_when_it_is_back(stage: Any) -> None:
    installation = stage.github.world.app.install("acme")
    host = stage.app()
    host.read(PULL, about=stage.about)
    installation.suspend()
    for asking in (host, stage.app()):
        with pytest.raises(Parked, match="suspended"):
            asking.read(PULL, about=stage.about)
    installation.unsuspend()
    assert host.read(PULL, about=stage.about).body["number"] == 1


def test_c13_a_removed_installation_parks_and_a_new_one_is_found(stage: Any) -> None:
    app = stage.github.world.app
    first = app.install("acme")
    host = stage.app()
    host.read(PULL, about=stage.about)
    first.delete()
    with pytest.raises(Parked, match="not installed on acme/engine"):
        host.read(PULL, about=stage.about)
    again = app.install("acme")
    assert host.read(PULL, about=stage.about).body["number"] == 1
    assert host.credential(stage.about) == f"installation:{again.id}"


def test_an_installation_made_anew_while_its_old_token_ran_out_is_found(stage: Any) -> None:
    app = stage.github.world.app
    first = app.install("acme")
    host = stage.app()
    host.read(PULL, about=stage.about)
    first.delete()
    app.install("acme")
    stage.clock.forward(minutes=55)
    assert host.read(PULL, about=stage.about).body["number"] == 1


def test_a_right_that_is_missing_parks_and_names_it_and_counts_once_given(stage: Any) -> None:
    private = stage.github.world.add_repository("acme/vault", id=5_000_000_002, private=True)
    private.open_pull("Turn the key").merge()
    about = RepositoryRef(full_name="acme/vault", id=5_000_000_002)
    installation = stage.github.world.app.install("acme", permissions={"metadata": "read"})
    host = stage.app()
    with pytest.raises(Parked, match="pull_requests=read"):
        host.read(f"{path_of(about)}/pulls/1", about=about)
    installation.permissions["pull_requests"] = "read"
    assert host.read(f"{path_of(about)}/pulls/1", about=about).body["number"] == 1


def test_the_wrong_private_key_parks(stage: Any) -> None:
    stage.github.world.app.install("acme")
    host = stage.app()
    stage.github.faults.add(Fault(path="installation$", kind="unauthorized", times=None))
    with pytest.raises(Parked, match="private key"):
        host.read(PULL, about=stage.about)


def test_what_is_no_private_key_is_told_at_once(stage: Any) -> None:
    with pytest.raises(InvalidInput, match="private key") as refusal:
        stage.host(app_id="17", private_key="-----BEGIN canary-key-----")
    assert "canary" not in f"{refusal.value!s}{refusal.value!r}"


def test_a_private_repository_is_not_there_for_who_may_not_see_it(stage: Any) -> None:
    stage.github.world.add_repository("acme/vault", id=5_000_000_002, private=True)
    with pytest.raises(Absent):
        stage.host(anonymous=True).read("/repositories/5000000002")


def test_nothing_is_asked_without_leave(stage: Any) -> None:
    with pytest.raises(InvalidInput, match="no credential"):
        stage.host(token="")
    with pytest.raises(InvalidInput, match="may write"):
        stage.host(writing=True, token="ghp_reader")


def test_without_a_credential_nothing_is_queried(stage: Any) -> None:
    host = stage.host(anonymous=True)
    assert not host.can_query
    with pytest.raises(Parked):
        host.query("{viewer{login}}", {})
    assert stage.github.log == []


def test_r53_a_reading_token_cannot_write(stage: Any) -> None:
    with pytest.raises(Parked, match="403"):
        stage.host().act("/repositories/5000000001/issues", {"title": "Digest"}, about=stage.about)


def test_publishing_asks_with_its_own_token(stage: Any) -> None:
    stage.github.world.token("writer", {"metadata": "read", "issues": "write"})
    stage.github.world.token("reader")
    host = stage.host(writing=True, token="ghp_reader", write_token="ghp_writer")
    made = host.act("/repositories/5000000001/issues", {"title": "Digest"}, about=stage.about)
    assert made.body["title"] == "Digest"
    assert [one.credential for one in stage.github.log] == ["token:writer"]

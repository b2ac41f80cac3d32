"""Events of installations and repositories: what they tell of access, what is forgiven, what is refused."""

from __future__ import annotations

import contextlib
import json
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.domain.errors import Ignored
from shared.domain.pull_request import RepositoryRef
from shared.sources.github_events import InvalidPayload
from shared.sources.installation_events import ACCESS_EVENTS, InstallationEvent, RepositoryEvent, parse

AT = datetime(2026, 5, 7, 12, 0, tzinfo=UTC)


def installation(action: str, event: str = "installation", **top: Any) -> InstallationEvent:
    told = {"id": 9, "account": {"login": "lumen"}, "updated_at": "2026-05-07T12:00:00Z"} | top.pop("installation", {})
    event_told = parse(event, json.dumps({"action": action, "installation": told} | top).encode())
    assert isinstance(event_told, InstallationEvent)
    return event_told


def repository(action: str, **top: Any) -> RepositoryEvent:
    told = {"id": 5, "full_name": "lumen/glow", "private": False, "default_branch": "main"}
    event_told = parse("repository", json.dumps({"action": action, "repository": told} | top).encode())
    assert isinstance(event_told, RepositoryEvent)
    return event_told


@pytest.mark.parametrize(
    ("action", "state"),
    [
        ("created", "active"),
        ("unsuspend", "active"),
        ("new_permissions_accepted", "active"),
        ("suspend", "suspended"),
        ("deleted", "deleted"),
    ],
)
def test_each_action_tells_the_state(action: str, state: str) -> None:
    told = installation(action, repositories=[{"full_name": "lumen/glow"}, {"full_name": "../x"}, None])
    assert (told.state, told.installation_id, told.account, told.told_at) == (state, 9, "lumen", AT)
    assert told.gives_access is (state == "active")
    assert told.repositories == (() if state == "deleted" else ("lumen/glow",))


@pytest.mark.parametrize("action", ["created", "new_permissions_accepted"])
def test_what_says_that_it_is_suspended_is(action: str) -> None:
    told = installation(
        action, installation={"suspended_at": "2026-05-07T13:00:00Z"}, repositories=[{"full_name": "a/b"}]
    )
    assert (told.state, told.gives_access, told.repositories) == ("suspended", False, ())
    assert told.told_at == datetime(2026, 5, 7, 13, tzinfo=UTC)


@pytest.mark.parametrize(
    ("value", "time"),
    [
        (1_778_155_200, AT),
        ("2026-05-07T08:00:00.000-04:00", AT),
        (None, None),
        (True, None),
        (-1, None),
        (2**62, None),
        ("yesterday", None),
    ],
)
def test_times_come_as_text_and_as_seconds(value: Any, time: datetime | None) -> None:
    assert installation("unsuspend", installation={"updated_at": value}).told_at == time


def test_repositories_that_are_added_can_be_read_unless_the_installation_is_suspended() -> None:
    added = {"repositories_added": [{"full_name": "lumen/glow"}], "repositories": [{"full_name": "not/this"}]}
    told = installation("added", "installation_repositories", **added)
    assert (told.state, told.repositories, told.gives_access) == (None, ("lumen/glow",), True)
    suspended = {"suspended_at": "2026-05-07T12:00:00Z"}
    assert not installation("added", "installation_repositories", installation=suspended, **added).gives_access


def test_an_enterprise_is_known_by_its_slug_and_one_without_a_name_by_its_installation() -> None:
    assert installation("created", installation={"account": {"slug": "big"}}).account == "big"
    assert installation("created", installation={"account": None}).account == "9"


@pytest.mark.parametrize(
    ("changes", "former"),
    [
        ({"repository": {"name": {"from": "shine"}}}, "lumen/shine"),
        ({"owner": {"from": {"user": {"login": "ada"}}}}, "ada/glow"),
        ({"owner": {"from": {"organization": {"login": "dark"}}}}, "dark/glow"),
        ({"repository": {"name": {"from": "../.."}}}, None),
        ({"repository": {"name": "shine"}}, None),
        ({"default_branch": {"from": "master"}}, None),
    ],
)
def test_the_former_name_is_told_by_the_changes(changes: dict[str, Any], former: str | None) -> None:
    told = repository("renamed", changes=changes)
    assert told.former_name == former
    assert told.repository == RepositoryRef(full_name="lumen/glow", id=5, private=False, default_branch="main")


@pytest.mark.parametrize(
    ("value", "time"), [("2026-05-07T12:00:00Z", AT), (1_778_155_200, AT), (None, None), ("yesterday", None)]
)
def test_a_repository_event_tells_when_it_was_so(value: Any, time: datetime | None) -> None:
    told = {"id": 5, "full_name": "lumen/glow", "updated_at": value}
    event = parse("repository", json.dumps({"action": "renamed", "repository": told}).encode())
    assert isinstance(event, RepositoryEvent)
    assert event.told_at == time


def test_the_action_says_whether_it_is_private() -> None:
    assert repository("privatized").repository.private is True
    assert repository("publicized").repository.private is False
    assert repository("deleted").repository.private is False


@pytest.mark.parametrize(
    ("event", "action"),
    [("installation", "a-new-one"), ("installation_repositories", "removed"), ("repository", "created")],
)
def test_actions_that_change_no_access_are_ignored(event: str, action: str) -> None:
    with pytest.raises(Ignored, match="changes no access"):
        parse(event, json.dumps({"action": action}).encode())


@pytest.mark.parametrize(
    ("event", "body"),
    [
        ("installation", b"{}"),
        ("installation", b'{"action": "suspend"}'),
        ("installation", b'{"action": "suspend", "installation": {"id": 0}}'),
        ("installation", b'{"action": "suspend", "installation": {"id": 99999999999999999999}}'),
        ("repository", b'{"action": "renamed", "repository": {"full_name": "../../etc"}}'),
        ("repository", b"not JSON"),
    ],
)
def test_what_github_never_sends_is_refused(event: str, body: bytes) -> None:
    with pytest.raises(InvalidPayload):
        parse(event, body)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


@given(
    event=st.sampled_from(sorted(ACCESS_EVENTS)),
    action=st.sampled_from(["suspend", "created", "deleted", "added", "renamed", "transferred", "privatized"]),
    part=st.fixed_dictionaries(
        dict.fromkeys(("installation", "repository", "repositories", "changes", "repositories_added"), json_values)
    ),
)
def test_whatever_the_parts_are_it_is_read_ignored_or_refused(event: str, action: str, part: dict[str, Any]) -> None:
    with contextlib.suppress(Ignored, InvalidPayload):
        told = parse(event, json.dumps({"action": action} | part).encode())
        assert isinstance(told, RepositoryEvent if event == "repository" else InstallationEvent)

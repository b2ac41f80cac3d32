"""Webhook payloads: what counts, what is forgiven, what is refused."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from shared.domain.errors import Ignored
from shared.domain.pull_request import GHOST, Person
from shared.sources.github_events import (
    IGNORED_REASONS,
    MergeEvent,
    PingEvent,
    parse,
    parse_stored,
)
from tests.merge_payloads import merge_payload

EXAMPLES = Path(__file__).parents[3] / "third_party" / "github_webhooks" / "events.jsonl"


def merge(**pull: Any) -> MergeEvent:
    event = parse("pull_request", merge_payload(**pull))
    assert isinstance(event, MergeEvent)
    return event


def changed(change: dict[str, Any], **top: Any) -> MergeEvent:
    """The usual payload with fields of the pull request and of the top level replaced; None removes at the top."""
    document = json.loads(merge_payload())
    document["pull_request"] |= change
    document = {name: value for name, value in (document | top).items() if value is not None}
    return parse_stored(json.dumps(document).encode())


def ignored(event: str, body: bytes) -> str:
    with pytest.raises(Ignored) as caught:
        parse(event, body)
    assert caught.value.reason in IGNORED_REASONS
    return caught.value.reason


def test_a_merge_with_all_its_facts() -> None:
    event = changed({"labels": [{"name": "bug"}, {"name": "bug"}, {"name": ""}]}, installation={"id": 77})
    pull_request = event.pull_request
    assert (event.action, event.starts_work, event.installation_id) == ("closed", True, 77)
    assert (pull_request.number, pull_request.title) == (101, "Keep queue 101 in order")
    assert pull_request.user == Person(login="ada", id=11)
    assert pull_request.merged_by == Person(login="grace", id=12)
    assert pull_request.merged_at == datetime(2026, 5, 6, 12, tzinfo=UTC)
    assert pull_request.labels == ("bug",)
    assert (pull_request.base_ref, pull_request.base_sha) == ("main", "b" * 40)
    assert (pull_request.head_ref, pull_request.head_sha) == ("topic-101", f"{102:040x}")
    assert (pull_request.additions, pull_request.deletions, pull_request.changed_files) == (12, 3, 2)
    assert pull_request.files is None
    repository = pull_request.repository
    assert (repository.full_name, repository.id, repository.host) == ("lumen/lumen", 5_000_000_001, "github.com")
    assert (repository.private, repository.default_branch) == (False, "main")


def test_enterprise_host_comes_from_https_links_only() -> None:
    def host(html_url: Any) -> str:
        repository = json.loads(merge_payload())["repository"] | {"html_url": html_url}
        return changed({}, repository=repository).pull_request.repository.host

    assert host("https://Git.Corp.example:8443/lumen/lumen") == "git.corp.example:8443"
    for strange in (
        "http://git.corp.example/x",
        "javascript:alert(1)",
        "https://a@b/x",
        "https://[/x",
        "https://",
        None,
        7,
    ):
        assert host(strange) == "github.com"


@pytest.mark.parametrize("body", [None, "", "   \r\n\t"])
def test_c01_no_description_is_none(body: str | None) -> None:
    assert merge(body=body).pull_request.body is None


@pytest.mark.parametrize(
    "head",
    [{"ref": "x", "repo": None, "user": None, "label": "unknown repository"}, {}, None, {"ref": None, "sha": None}],
)
def test_c03_the_fork_is_gone(head: Any) -> None:
    pull_request = merge(head=head).pull_request
    assert pull_request.url == "https://github.com/lumen/lumen/pull/101"


@pytest.mark.parametrize("user", [None, {}, {"login": None}, {"login": ""}])
def test_c04_a_deleted_author_is_the_ghost(user: Any) -> None:
    assert merge(user=user).pull_request.user.shown == GHOST


def test_null_everywhere_it_may_be() -> None:
    optional = (
        "updated_at",
        "merged_by",
        "labels",
        "additions",
        "changed_files",
        "merge_commit_sha",
        "body",
        "user",
        "head",
    )
    pull_request = changed(dict.fromkeys(optional), sender=None, installation=None, organization=None).pull_request
    assert (pull_request.merged_by, pull_request.merge_commit_sha, pull_request.updated_at) == (None, None, None)
    assert (pull_request.labels, pull_request.additions) == ((), 0)


def ping(**hook: Any) -> PingEvent:
    whole = {"type": "Repository", "id": 9, "events": ["pull_request"], "config": {"content_type": "json"}}
    event = parse("ping", json.dumps({"zen": "Keep it simple.", "hook_id": 9, "hook": whole | hook}).encode())
    assert isinstance(event, PingEvent)
    return event


def test_c05_ping_is_remembered_with_what_is_wrong_with_the_hook() -> None:
    assert (ping().problems, ping().hook_id, ping().zen) == ((), 9, "Keep it simple.")
    assert ping(events=["*"]).problems == ()
    (form,) = ping(config={"content_type": "form"}).problems
    assert "application/json" in form
    (events,) = ping(events=["push", "star"]).problems
    assert "pull_request" in events
    assert parse("ping", b"{}") == PingEvent()


def test_c09_closed_is_not_merged() -> None:
    assert ignored("pull_request", merge_payload(merged=False)) == "not-merged"
    assert ignored("pull_request", merge_payload(merged=False, action="edited")) == "not-merged"
    for action in ("edited", "labeled", "unlabeled"):
        event = parse("pull_request", merge_payload(action=action))
        assert isinstance(event, MergeEvent)
        assert not event.starts_work
    for action in ("opened", "reopened", "synchronize", "dequeued", "an action of next year"):
        assert ignored("pull_request", merge_payload(action=action)) == "unknown-action"
    late = changed({"merged": None, "merged_at": "2026-05-06T12:00:00Z"})
    assert late.starts_work, "the merge time tells it as well"


@pytest.mark.parametrize("base", ["release/1.x", "feature-a", "main", "master"])
def test_c15_every_base_branch_is_captured(base: str) -> None:
    assert merge(base=base).pull_request.base_ref == base


def test_c16_merged_without_pressing_merge() -> None:
    both = [merge(number=number, merged_by=None, merge_commit_sha="c" * 40).pull_request for number in (7, 8)]
    assert [one.merged_by for one in both] == [None, None]
    assert len({one.merge_commit_sha for one in both}) == 1


def test_c17_the_merger_is_not_the_author() -> None:
    queue = {"login": "merge-queue", "id": 3, "type": "Bot"}
    pull_request = merge(merged_by=queue).pull_request
    assert pull_request.merged_by is not None
    assert pull_request.merged_by.is_bot
    assert not pull_request.user.is_bot
    assert [person.shown for person in pull_request.credited] == ["ada"]
    assert merge(user=queue).pull_request.user.is_bot


@pytest.mark.parametrize("sha", ["a" * 40, "a" * 64])
def test_c18_the_merge_commit_is_a_full_id_or_unknown(sha: str) -> None:
    assert merge(merge_commit_sha=sha).pull_request.merge_commit_sha == sha
    for strange in ("--output=/x", "HEAD", sha[:-1], sha.upper(), 7):
        assert merge(merge_commit_sha=strange).pull_request.merge_commit_sha is None


def test_c24_co_authors_of_the_description_without_addresses() -> None:
    body = "Words.\r\n\r\nCo-authored-by: Bo Reed <5+bo@users.noreply.github.com>\r\nCo-authored-by: nobody"
    pull_request = merge(body=body).pull_request
    assert pull_request.co_authors == (Person(login="bo", name="Bo Reed", id=5),)
    assert pull_request.body == "Words.\r\n\r\nCo-authored-by: Bo Reed\r\nCo-authored-by: nobody"

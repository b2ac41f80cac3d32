"""What a page of the listing makes of odd entries."""

from __future__ import annotations

import json
from typing import Any, cast

import pytest

from shared.code_host import Answer, CodeHost
from shared.domain.errors import Transient
from shared.settings import RepositorySettings
from shared.sources.github_api import delivery_payload
from shared.sources.github_api.listing import ListedPage, list_openly, list_with_credential
from shared.sources.github_events import parse_stored
from tests.builders import MERGED_AT, REPOSITORY

LANDS = RepositorySettings(full_name=REPOSITORY.full_name, landed_labels=("Merged",), landed_by=("pusher[bot]",))
TRIAL, PUSHED = "7" * 40, "8" * 40


class Host:
    """Answers with one page."""

    host = "github.com"

    def __init__(self, *entries: Any) -> None:
        self.entries = list(entries)

    def query(self, _document: str, _variables: dict[str, Any], **_: Any) -> dict[str, Any]:
        pulls = {"nodes": self.entries, "pageInfo": {"hasNextPage": False, "endCursor": "end"}}
        return {"repository": {"databaseId": REPOSITORY.id, "pullRequests": pulls}}

    def read(self, *_: Any, **__: Any) -> Answer:
        return Answer(self.entries[0] if len(self.entries) == 1 else self.entries, None)


def queried(*entries: Any) -> ListedPage:
    return list_with_credential(cast("CodeHost", Host(*entries)), REPOSITORY, LANDS, None, 0)


def closed(number: int, **more: Any) -> dict[str, Any]:
    times = {"updatedAt": "2026-05-06T12:00:00Z", "closedAt": "2026-05-06T12:00:00Z", "mergedAt": None}
    return {"number": number, "state": "CLOSED", "baseRefName": "main", "title": "Push"} | times | more


def test_a_push_that_closed_a_pull_request_is_its_merge_commit() -> None:
    event = {"actor": {"__typename": "Bot", "login": "pusher"}, "closer": {"oid": PUSHED}}
    entry = closed(1, timelineItems={"nodes": [event]}, mergeCommit={"oid": TRIAL})

    (merge,) = queried(entry).merges

    facts = parse_stored(delivery_payload(REPOSITORY, merge)).pull_request
    assert (facts.merge_commit_sha, facts.merged_at) == (PUSHED, MERGED_AT)


def test_a_trial_merge_of_a_closed_one_is_no_merge_commit() -> None:
    (merge,) = queried(closed(1, labels={"nodes": [{"name": "merged"}]}, mergeCommit={"oid": TRIAL})).merges

    assert merge["merge_commit_sha"] is None


def test_what_is_closed_by_a_person_or_cannot_be_read_is_no_merge() -> None:
    event = {"actor": {"__typename": "User", "login": "pusher"}}

    page = queried(closed(1, timelineItems={"nodes": [event]}), closed(2), None, closed(3, updatedAt="soon"))

    assert (page.merges, page.listed, page.oldest_update, page.cursor) == ((), 3, MERGED_AT, None)


@pytest.mark.parametrize("body", [{}, None, {"message": "odd"}])
def test_an_answer_that_is_no_list_is_not_an_empty_one(body: Any) -> None:
    with pytest.raises(Transient):
        list_openly(cast("CodeHost", Host(body)), REPOSITORY, LANDS, None, 0)


def test_a_payload_holds_nothing_but_what_is_read() -> None:
    pull = {
        "number": 5,
        "title": "Sort",
        "merged_at": "2026-05-06T12:00:00Z",
        "url": "https://api.github.com/x",
        "user": {"login": "ada", "id": 11, "type": "User", "avatar_url": "https://avatars.example/ada"},
        "base": {"ref": "main", "sha": "b" * 40, "repo": {"description": "long " * 1_000}},
    }

    payload = json.loads(delivery_payload(REPOSITORY, pull))

    assert payload["pull_request"]["user"] == {"login": "ada", "id": 11, "type": "User"}
    assert payload["pull_request"]["base"] == {"ref": "main", "sha": "b" * 40}
    assert "url" not in payload["pull_request"]
    assert payload["repository"]["id"] == REPOSITORY.id

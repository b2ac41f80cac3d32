"""Listing what was merged: complete, in order, and as deliveries that are read like any other."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from shared.domain.landed import Landed
from shared.sources.github_api import GitHubApi, ListedPage, delivery_payload
from shared.sources.github_events import parse_stored
from tests.integration.github_api.asked import MERGED_AT, asked, facts_of, open_api
from tests.servers.github import GitHubServer
from tests.servers.github.repositories import Repository

BOTH = pytest.mark.parametrize("token", [True, False])


def merge_many(repository: Repository, count: int) -> None:
    for place in range(count):
        repository.open_pull(f"Change {place}").merge(at=MERGED_AT + timedelta(minutes=place))


def pages_of(api: GitHubApi) -> list[ListedPage]:
    pages = [api.merges()]
    while pages[-1].cursor is not None:
        pages.append(api.merges(pages[-1].cursor))
    return pages


@BOTH
def test_every_merge_is_listed_once_newest_update_first(
    github: GitHubServer, repository: Repository, token: bool
) -> None:
    merge_many(repository, 230)
    repository.open_pull("Refused").close(at=MERGED_AT)
    repository.open_pull("Open")

    pages = pages_of(open_api(github, token=token))

    numbers = [merge["number"] for page in pages for merge in page.merges]
    assert numbers == list(range(230, 0, -1))
    assert len(pages) == len(github.log) == 3
    assert sum(page.listed for page in pages) == (230 if token else 231)
    assert pages[0].oldest_update == MERGED_AT + timedelta(minutes=130)
    assert pages[-1].oldest_update == MERGED_AT


@BOTH
def test_a_listed_merge_is_read_as_the_event_would_have_been(
    github: GitHubServer, repository: Repository, token: bool
) -> None:
    pull = repository.open_pull(
        "fix: keep order", author="renovate[bot]", body="Co-authored-by: Bea <7+bea@users.noreply.github.com>"
    )
    pull.label("bug")
    pull.merge(at=MERGED_AT)
    api = open_api(github, token=token)

    (merge,) = api.merges().merges
    payload = delivery_payload(api.refresh(), merge)

    event = parse_stored(payload)
    facts = facts_of(pull)
    lacking: dict[str, Any] = {} if token else {"merged_by": None, "additions": 0, "deletions": 0, "changed_files": 0}
    assert event.starts_work
    assert event.pull_request == facts.model_copy(update=lacking)
    assert len(payload) < 2_000


def test_a_place_in_the_listing_holds_when_entries_move(github: GitHubServer, repository: Repository) -> None:
    merge_many(repository, 150)
    api = open_api(github)
    first = api.merges()

    repository.pulls[1].touch(at=MERGED_AT + timedelta(days=1))
    rest = api.merges(first.cursor)

    seen = [merge["number"] for page in (first, rest) for merge in page.merges]
    assert seen == list(range(150, 1, -1))
    assert api.merges().merges[0]["number"] == 1


@BOTH
def test_landed_pull_requests_are_merges_by_the_settings_alone(
    github: GitHubServer, repository: Repository, token: bool
) -> None:
    landed = repository.open_pull("Pushed", labels=("Merged",))
    landed.close(at=MERGED_AT)
    repository.open_pull("Refused").close(at=MERGED_AT)

    assert open_api(github, token=token).merges().merges == ()
    api = open_api(github, token=token, settings={"landed_labels": ("merged",)})
    (merge,) = api.merges().merges

    event = parse_stored(delivery_payload(api.refresh(), merge), lambda _: Landed())
    assert (event.pull_request.number, event.pull_request.merged_at) == (landed.number, MERGED_AT)
    assert event.starts_work


def test_a_closing_by_a_merge_bot_is_a_merge_where_the_host_tells_who_closed(
    github: GitHubServer, repository: Repository
) -> None:
    repository.open_pull("Pushed").close(at=MERGED_AT, by="merge-robot[bot]")
    repository.open_pull("Refused").close(at=MERGED_AT, by="grace")
    settings = {"landed_by": ("Merge-Robot[bot]",)}

    (merge,) = open_api(github, settings=settings).merges().merges

    assert (merge["title"], merge["merged_at"]) == ("Pushed", "2026-05-06T12:00:00Z")
    assert open_api(github, token=False, settings=settings).merges().merges == ()


def test_a_head_that_did_not_change_costs_nothing_without_a_credential(
    github: GitHubServer, repository: Repository
) -> None:
    merge_many(repository, 3)
    api = open_api(github, token=False)

    first, second = api.merges(), api.merges()

    assert first == second
    assert [entry.status for entry in github.log] == [200, 304]


@BOTH
def test_a_cursor_of_the_other_listing_begins_at_the_head(
    github: GitHubServer, repository: Repository, token: bool
) -> None:
    merge_many(repository, 101)
    cursor = open_api(github, token=not token).merges().cursor

    assert len(open_api(github, token=token).merges(cursor).merges) == 100


def test_refresh_tells_the_current_name(github: GitHubServer, repository: Repository) -> None:
    api = open_api(github)
    repository.rename("acme/motor")

    found = api.refresh()

    assert (found.full_name, found.id, found.private, found.default_branch) == (
        "acme/motor",
        repository.id,
        False,
        "main",
    )
    assert "GET /repos/acme/engine" in asked(github)

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from shared.broker.task_names import TaskName
from shared.sources.github_events import parse_stored
from shared.store import deliveries, events
from shared.store.session import Database
from tests.integration.webhook.posting import (
    REPOSITORY,
    SECRET,
    Bell,
    client,
    counted,
    encoded,
    merged,
    post,
    samples,
    settings,
    written,
)

ACTIONS = (
    *(
        "assigned",
        "auto_merge_disabled",
        "auto_merge_enabled",
        "closed",
        "converted_to_draft",
        "demilestoned",
        "dequeued",
    ),
    *(
        "edited",
        "enqueued",
        "labeled",
        "locked",
        "milestoned",
        "opened",
        "ready_for_review",
        "reopened",
        "review_requested",
    ),
    *("review_request_removed", "synchronize", "unassigned", "unlabeled", "unlocked", "a-new-one"),
)
TOLD_OF_MERGES = {"closed", "edited", "labeled", "unlabeled"}


def listed(database: Database) -> list[deliveries.DeliveryView]:
    with database.reading() as session:
        return deliveries.listing(session)


def test_r05_every_kind_of_event_is_answered_and_none_of_them_makes_work(database: Database) -> None:
    bell = Bell()
    with client(database, bell=bell) as http:
        answers = {event: post(http, payload, event, guid=event) for event, payload in samples().items()}

    assert len(answers) == 58
    assert {event: answer.status_code for event, answer in answers.items() if answer.status_code >= 400} == {}
    assert (bell.rung, listed(database)) == ([], [])
    assert sum(counted(database).values()) == 57
    assert counted(database)["pull_request", "not-merged"] == 1


def test_r05_c09_of_a_merged_pull_request_only_what_tells_of_the_merge_is_stored(database: Database) -> None:
    with client(database) as http:
        answers = {action: post(http, merged(action=action), guid=action).status_code for action in ACTIONS}

    assert answers == {action: 202 if action in TOLD_OF_MERGES else 200 for action in ACTIONS}
    assert {view.action for view in listed(database)} == TOLD_OF_MERGES


def test_r05_c09_of_an_unmerged_pull_request_nothing_is_stored(database: Database) -> None:
    unmerged = {"merged": False, "merged_at": None}
    with client(database) as http:
        answers = [post(http, merged(action=action, pull=unmerged), guid=action) for action in ACTIONS]

    assert {(answer.status_code, answer.json()["outcome"]) for answer in answers} == {(200, "ignored")}
    assert written(database) == (0, len(ACTIONS), 0)


def test_c09_closed_then_reopened_and_merged_is_one_change(database: Database) -> None:
    bell = Bell()
    with client(database, bell=bell) as http:
        post(http, merged(pull={"merged": False, "merged_at": None}), guid="closed")
        post(http, merged(action="reopened", pull={"merged": False, "merged_at": None}), guid="reopened")
        answer = post(http, merged(), guid="merged")

    assert [(view.guid, view.action, view.status) for view in listed(database)] == [("merged", "closed", "new")]
    assert bell.rung == [(TaskName.ANALYZE_DELIVERY, answer.json()["delivery"])]


def test_c05_a_ping_is_answered_and_remembered(database: Database) -> None:
    payload: dict[str, Any] = samples()["ping"]
    bell = Bell()
    with client(database, bell=bell) as http:
        answer = post(http, payload, "ping")

    with database.reading() as session:
        (ping,) = events.last_pings(session)
    assert (answer.status_code, answer.json()["outcome"]) == (200, "ping")
    assert (ping.hook_id, ping.zen) == (payload["hook_id"], payload["zen"])
    assert "pull_request" in ping.problems[0]
    assert answer.json()["problems"] == list(ping.problems)
    assert bell.rung == []


def test_c05_a_ping_of_a_hook_that_sends_forms_is_told_so(database: Database) -> None:
    hook = {"type": "Repository", "events": ["pull_request"], "config": {"content_type": "form"}}
    with client(database) as http:
        json_ping = post(http, {"zen": "Keep it logically awesome.", "hook_id": 5, "hook": hook}, "ping")
        form_ping = post(http, b"payload=%7B%7D", "ping", changed={"Content-Type": "application/x-www-form-urlencoded"})

    assert "application/json" in json_ping.json()["problems"][0]
    assert form_ping.status_code == 415
    assert "set the content type to application/json" in form_ping.json()["way_out"]


LEFT_OUT: dict[str, dict[str, Any]] = {
    "C-01 null": {"body": None},
    "C-01 empty": {"body": ""},
    "C-01 spaces": {"body": "   "},
    "C-03 fork gone": {
        "head": {"label": "unknown repository", "ref": "fix", "sha": "a" * 40, "repo": None, "user": None}
    },
    "C-03 no head": {"head": None},
    "C-04 ghost": {"user": None},
    "nulls": {"merged_by": None, "merge_commit_sha": None, "labels": None, "additions": None},
    "a field of the future": {"a_new_field": {"deep": [1]}},
}


def test_c01_c03_c04_what_reality_leaves_out_is_no_error(database: Database) -> None:
    with client(database) as http:
        answers = {
            name: post(http, merged(pull=pull), guid=name.replace(" ", "-")).status_code
            for name, pull in LEFT_OUT.items()
        }

    assert answers == dict.fromkeys(LEFT_OUT, 202)


def test_an_unwatched_repository_is_counted_and_makes_no_work(database: Database) -> None:
    bell = Bell()
    with client(database, settings(SECRET, watched=("somebody/else",)), bell) as http:
        answer = post(http, merged())

    assert (answer.status_code, answer.json()) == (200, {"outcome": "ignored", "reason": "unwatched-repository"})
    assert (bell.rung, written(database)) == ([], (0, 1, 0))


def test_a_watched_repository_is_known_by_name_without_case(database: Database) -> None:
    with client(database, settings(SECRET, watched=(REPOSITORY.upper(),))) as http:
        assert post(http, merged()).status_code == 202


def test_the_raw_bytes_are_what_is_stored(database: Database) -> None:
    body = encoded(merged(pull={"title": "Ship it 🎉"})) + b" \n"
    with client(database) as http:
        row = post(http, body).json()["delivery"]

    with database.transaction() as session:
        claimed = deliveries.claim(session, row, datetime.now(UTC), timedelta(seconds=60))
    assert claimed is not None
    assert claimed.payload == body
    assert (claimed.event, claimed.action, claimed.number) == ("pull_request", "closed", 2)


@pytest.mark.parametrize("where", ["title", "body"])
def test_c38_r41_text_that_a_database_refuses_is_stored_as_bytes_and_read_cleaned(
    where: str, database: Database
) -> None:
    body = json.dumps(merged(pull={where: "a\x00b\ud800c"})).encode()
    with client(database) as http:
        answer = post(http, body)

    assert answer.status_code == 202
    assert getattr(parse_stored(body).pull_request, where) == "a\ufffdb\ufffdc"


def test_d05_c46_ids_beyond_32_bits_are_kept(database: Database) -> None:
    payload = merged(number=4_000_000_000)
    payload["repository"]["id"] = 5_000_000_000
    with client(database) as http:
        answer = post(http, payload)

    (view,) = listed(database)
    assert answer.status_code == 202
    assert view.number == 4_000_000_000

"""Every published example of a `pull_request` event, and one of every other kind, against the real receiver."""

from __future__ import annotations

import copy
import functools
import json
from typing import Any

from shared.broker.task_names import TaskName
from shared.store import deliveries
from shared.store.session import Database
from tests.integration.webhook.posting import SAMPLES, Bell, client, counted, post, samples

PULL_REQUESTS = SAMPLES.with_name("pull_requests.jsonl")
COMMITS = ("1f" * 20, "2e" * 20)


@functools.cache
def examples() -> list[dict[str, Any]]:
    """The payloads of all published `pull_request` examples."""
    return [json.loads(line)["payload"] for line in PULL_REQUESTS.read_text("utf-8").splitlines()]


def merges() -> list[dict[str, Any]]:
    """The published `closed` ones as GitHub sends them when the pull request is merged; each of a number of its own."""
    closed = [copy.deepcopy(payload) for payload in examples() if payload["action"] == "closed"]
    for number, (payload, commit) in enumerate(zip(closed, COMMITS, strict=True), start=11):
        payload["number"] = number
        pull: dict[str, Any] = payload["pull_request"]
        pull |= {"number": number, "merged": True, "merged_at": pull["closed_at"], "merge_commit_sha": commit}
        pull["merged_by"] = payload["sender"]
    return closed


def rows(database: Database) -> list[deliveries.DeliveryView]:
    with database.reading() as session:
        return deliveries.listing(session, limit=1000)


def test_the_published_set_is_whole_and_none_of_it_is_merged() -> None:
    assert len(examples()) == 29
    assert not any(payload["pull_request"]["merged"] for payload in examples())


def test_r05_c09_no_published_example_is_an_error_and_none_makes_work(database: Database) -> None:
    bell = Bell()
    others = {event: payload for event, payload in samples().items() if event != "pull_request"}
    with client(database, bell=bell) as http:
        answers = [
            *(post(http, payload, guid=f"pull-request-{place}") for place, payload in enumerate(examples())),
            *(post(http, payload, event, guid=event) for event, payload in others.items()),
        ]

    assert len(answers) == 29 + 57
    assert [answer.text for answer in answers if answer.status_code >= 400] == []
    assert {answer.status_code for answer in answers} == {200}
    assert (rows(database), bell.rung) == ([], [])
    told = counted(database)
    assert sum(count for (event, _), count in told.items() if event == "pull_request") == 29
    assert told["pull_request", "not-merged"] == sum(
        payload["action"] in {"closed", "edited", "labeled", "unlabeled"} for payload in examples()
    )


def test_r05_c09_the_published_closed_examples_made_merges_are_one_row_each_and_a_second_time_none(
    database: Database,
) -> None:
    bell = Bell()
    with client(database, bell=bell) as http:
        for place, payload in enumerate(examples()):
            post(http, payload, guid=f"published-{place}")
        first = [post(http, payload, guid=f"merged-{place}") for place, payload in enumerate(merges())]
        again = [post(http, payload, guid=f"merged-{place}") for place, payload in enumerate(merges())]

    assert [answer.json()["outcome"] for answer in first] == ["stored", "stored"]
    assert [answer.json()["outcome"] for answer in again] == ["duplicate", "duplicate"]
    assert {answer.status_code for answer in first + again} == {202}
    assert sorted((row.guid, row.action, row.number, row.status) for row in rows(database)) == [
        ("merged-0", "closed", 11, "new"),
        ("merged-1", "closed", 12, "new"),
    ]
    assert sorted(bell.rung) == sorted((TaskName.ANALYZE_DELIVERY, row.id) for row in rows(database))

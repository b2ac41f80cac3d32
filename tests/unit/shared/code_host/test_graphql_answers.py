"""What the errors of a GraphQL answer mean."""

from __future__ import annotations

import json
from typing import Any

import pytest

from shared.code_host.answers import RawAnswer
from shared.code_host.graphql_answers import data_of, gave_up
from shared.domain.errors import Absent, MergecastError, Parked, Permanent, Transient

SEEN = {"repository": {"pullRequest": {"title": "T", "statusCheckRollup": None}}, "rateLimit": {"cost": 1}}
GAVE_UP = (
    "Something went wrong while executing your query. This may be the result of a timeout, or it could be a GitHub bug. "
    "Please include `0000:0000` when reporting this issue."
)
NAMED: dict[str, Any] = {"repository": {"databaseId": 1, "nameWithOwner": "lumen/lumen", "pullRequest": None}}
"""What a repository that may be seen tells of itself, where its pull requests may not be read."""
UNSEEN = {"repository": None, "rateLimit": {"cost": 1}}


def answer(data: Any, *errors: dict[str, Any]) -> RawAnswer:
    return RawAnswer(200, text=json.dumps({"data": data, "errors": list(errors)} if errors else {"data": data}))


def error(kind: str | None = None, *path: Any, **more: Any) -> dict[str, Any]:
    return {
        "message": "Said by the host",
        **({"type": kind} if kind else {}),
        **({"path": path} if path else {}),
        **more,
    }


def test_data_without_errors_is_returned() -> None:
    assert data_of(answer(SEEN), None) == SEEN


@pytest.mark.parametrize("kind", ["FORBIDDEN", "INSUFFICIENT_SCOPES"])
def test_a_part_that_may_not_be_seen_is_null_in_the_data(kind: str) -> None:
    raw = answer(SEEN, error(kind, "repository", "pullRequest", "statusCheckRollup"))
    assert data_of(raw, None) == SEEN


def test_a_part_that_is_not_there_is_null_in_the_data() -> None:
    raw = answer(SEEN, error("NOT_FOUND", "repository", "pullRequest", "closingIssuesReferences", "nodes", 0))
    assert data_of(raw, None) == SEEN


@pytest.mark.parametrize(
    ("raw", "kind"),
    [
        (answer(UNSEEN, error("NOT_FOUND", "repository")), Absent),
        (answer({"repository": {"pullRequest": None}}, error("NOT_FOUND", "repository", "pullRequest")), Absent),
        (answer(UNSEEN, error("FORBIDDEN", "repository")), Parked),
        (answer(None, error("INSUFFICIENT_SCOPES")), Parked),
        (answer(NAMED, error("FORBIDDEN", "repository", "pullRequest")), Parked),
        (answer(NAMED, error("UNAUTHORIZED", "repository", "pullRequests")), Parked),
        (answer(NAMED, error("NOT_FOUND", "repository", "pullRequest")), Absent),
        (answer(SEEN, error()), Transient),
        (answer(None, error(locations=[{"line": 1, "column": 1}])), Permanent),
        (answer(None, error("MAX_NODE_LIMIT_EXCEEDED")), Permanent),
        (answer(None), Transient),
        (RawAnswer(200, text="[]"), Transient),
        (RawAnswer(200, text=""), Transient),
        (RawAnswer(200, text="<html>"), Transient),
    ],
)
def test_what_an_error_means(raw: RawAnswer, kind: type[MergecastError]) -> None:
    with pytest.raises(kind) as refusal:
        data_of(raw, "lumen/lumen")
    assert "lumen/lumen" in str(refusal.value)
    assert refusal.value.way_out


@pytest.mark.parametrize("kind", ["FORBIDDEN", "INSUFFICIENT_SCOPES"])
def test_a_refusal_that_names_no_part_leaves_what_the_data_holds(kind: str) -> None:
    assert data_of(answer(SEEN, error(kind)), None) == SEEN


@pytest.mark.parametrize(
    ("raw", "away"),
    [
        (answer(None, {"message": GAVE_UP}), True),
        (answer(UNSEEN, {"message": GAVE_UP, "type": None}), True),
        (answer(None, error("SERVICE_UNAVAILABLE")), True),
        (answer(UNSEEN, error("SERVICE_UNAVAILABLE", "repository")), True),
        (answer(SEEN, error()), False),
        (answer(None, error(locations=[{"line": 1, "column": 1}])), False),
        (answer({"repository": {"pullRequest": {"title": GAVE_UP}}}), False),
        (answer(UNSEEN, {"message": GAVE_UP, "type": "NOT_FOUND", "path": ["repository"]}), False),
        (RawAnswer(200, text="<html>"), False),
    ],
)
def test_a_host_that_gave_up_is_told_from_one_that_refuses(raw: RawAnswer, away: bool) -> None:
    assert gave_up(raw) is away

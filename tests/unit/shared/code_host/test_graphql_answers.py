"""What the errors of a GraphQL answer mean."""

from __future__ import annotations

import json
from typing import Any

import pytest

from shared.code_host.answers import RawAnswer
from shared.code_host.graphql_answers import data_of
from shared.domain.errors import Absent, MergecastError, Parked, Permanent, Transient

SEEN = {"repository": {"pullRequest": {"title": "T", "statusCheckRollup": None}}, "rateLimit": {"cost": 1}}
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
        (answer(SEEN, error()), Transient),
        (answer(None, error("SERVICE_UNAVAILABLE")), Transient),
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

"""What a refusal of the host means."""

from __future__ import annotations

import json
from typing import Any

import pytest

from shared.code_host.answers import RawAnswer
from shared.code_host.refusals import refused
from shared.domain.errors import Absent, MergecastError, Parked, Permanent


def refusal(status: int, headers: dict[str, str] | None = None, **body: Any) -> MergecastError:
    return refused(RawAnswer(status, headers or {}, json.dumps(body)), "GET /repositories/5/pulls", "lumen/lumen")


@pytest.mark.parametrize(
    ("status", "body", "kind"),
    [
        (404, {}, Absent),
        (410, {}, Absent),
        (451, {}, Absent),
        (403, {"message": "Repository access blocked", "block": {"reason": "tos"}}, Absent),
        (401, {}, Parked),
        (403, {"message": "Resource not accessible by integration"}, Parked),
        (403, {"message": "This installation has been suspended"}, Parked),
        (403, {"errors": [{"code": "too_large"}]}, Permanent),
        (406, {}, Permanent),
        (400, {}, Permanent),
        (409, {}, Permanent),
        (422, {"errors": ["unexpected", None]}, Permanent),
        (307, {}, Permanent),
    ],
)
def test_each_status_has_its_meaning_and_a_way_out(
    status: int, body: dict[str, Any], kind: type[MergecastError]
) -> None:
    error = refusal(status, **body)
    assert type(error) is kind
    assert "lumen/lumen" in error.message
    assert error.way_out


def test_a_missing_right_is_named() -> None:
    error = refusal(403, {"x-accepted-github-permissions": "checks=read"}, message="Resource not accessible")
    assert "checks=read" in error.way_out
    assert "Resource not accessible" in error.message


def test_what_the_host_says_cannot_fill_the_text() -> None:
    error = refusal(422, message="x\n" * 10_000)
    assert len(str(error)) < 600
    assert "\n" not in str(error)

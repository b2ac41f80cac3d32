"""When an answer refuses for a limit, and until when (R-50); the host's own words and numbers, broken ones too."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta

import pytest

from shared.code_host.answers import RawAnswer
from shared.code_host.limits import allowance_of, limited, named_wait, refusal_of

NOW = datetime(2026, 5, 6, 12, 0, tzinfo=UTC)
RESET = NOW + timedelta(minutes=40)
USED_UP = {
    "x-ratelimit-limit": "5000",
    "x-ratelimit-remaining": "0",
    "x-ratelimit-reset": str(int(RESET.timestamp())),
    "x-ratelimit-resource": "core",
}


def refused(status: int, message: str = "", **headers: str) -> RawAnswer:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return RawAnswer(status, named, json.dumps({"message": message}))


def until(raw: RawAnswer) -> datetime | None:
    refusal = refusal_of(raw, "core", NOW)
    assert refusal is not None
    assert refusal.backoff is (refusal.wait_until is None)
    return refusal.wait_until


@pytest.mark.parametrize("status", [403, 429])
def test_a_used_up_budget_waits_for_its_reset(status: int) -> None:
    assert until(RawAnswer(status, USED_UP)) == RESET


@pytest.mark.parametrize("status", [403, 429])
def test_retry_after_is_obeyed_in_both_forms(status: int) -> None:
    assert until(refused(status, retry_after="90")) == NOW + timedelta(seconds=90)
    date = "Wed, 06 May 2026 12:02:00 GMT"
    assert until(refused(status, retry_after=date)) == NOW + timedelta(minutes=2)


def test_of_two_times_the_later_one_counts() -> None:
    assert until(RawAnswer(403, USED_UP | {"retry-after": "60"})) == RESET


@pytest.mark.parametrize(
    "raw",
    [
        refused(429),
        refused(403, "You have exceeded a secondary rate limit. Please wait."),
        refused(403, "You have triggered an abuse detection mechanism."),
        refused(403, retry_after="soon"),
        refused(403, retry_after="-5"),
        refused(403, retry_after="Wed, 06 May 2026 11:00:00 GMT"),
        RawAnswer(403, USED_UP | {"x-ratelimit-reset": "1"}),
        RawAnswer(403, USED_UP | {"x-ratelimit-reset": "nan"}),
        RawAnswer(403, USED_UP | {"x-ratelimit-reset": "9" * 40}),
    ],
)
def test_a_refusal_that_names_no_time_to_come_backs_off(raw: RawAnswer) -> None:
    assert until(raw) is None


def test_no_wait_is_longer_than_a_day() -> None:
    assert until(refused(429, retry_after="9" * 30)) == NOW + timedelta(hours=24)
    far = USED_UP | {"x-ratelimit-reset": str(int((NOW + timedelta(days=3_650)).timestamp()))}
    refusal = refusal_of(RawAnswer(403, far), "core", NOW)
    assert refusal is not None
    assert refusal.wait_until == refusal.reset_at == NOW + timedelta(hours=24)
    assert allowance_of(RawAnswer(200, far), "core", NOW).reset_at == NOW + timedelta(hours=24)


@pytest.mark.parametrize(
    "raw",
    [refused(403, "Resource not accessible by integration"), refused(404), refused(500), RawAnswer(200, USED_UP)],
)
def test_other_answers_are_no_refusals(raw: RawAnswer) -> None:
    assert refusal_of(raw, "core", NOW) is None


def test_graphql_refuses_with_a_200() -> None:
    text = json.dumps({"errors": [{"type": "RATE_LIMITED", "message": "API rate limit exceeded"}]})
    raw = RawAnswer(200, USED_UP | {"x-ratelimit-resource": "graphql"}, text)
    refusal = refusal_of(raw, "graphql", NOW)
    assert refusal is not None
    assert refusal.wait_until == RESET
    assert refusal_of(raw, "core", NOW) is None
    hostile = json.dumps({"data": {"repository": {"title": '"RATE_LIMITED" rate limit'}}})
    assert refusal_of(RawAnswer(200, text=hostile), "graphql", NOW) is None


def test_headers_of_another_budget_are_not_taken_for_this_one() -> None:
    assert allowance_of(RawAnswer(200, USED_UP), "graphql", NOW).remaining is None
    told = allowance_of(RawAnswer(200, USED_UP), "core", NOW)
    assert (told.limit, told.remaining, told.reset_at) == (5_000, 0, RESET)
    broken = {"x-ratelimit-limit": "-1", "x-ratelimit-remaining": "many", "x-ratelimit-reset": "inf"}
    assert allowance_of(RawAnswer(200, broken), "core", NOW).model_dump(exclude_defaults=True) == {}


def test_an_outage_may_name_its_end() -> None:
    assert named_wait(refused(503, retry_after="600"), NOW) == NOW + timedelta(minutes=10)
    assert named_wait(refused(503), NOW) is None


def test_the_text_says_when_it_goes_on() -> None:
    error = limited("token:0123456789ab", RESET, "GitHub's limit is used up")
    assert error.until == RESET
    assert "2026-05-06 12:40:00 UTC" in str(error)

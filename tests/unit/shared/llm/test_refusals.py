"""What servers say of a request they do not take is told apart, and what they repeat of it decides nothing."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.llm.answers import RawAnswer
from shared.llm.refusals import Refusal, explained
from tests.model_ledger import NOW


def refusal(status: int, body: Any, **headers: str) -> Refusal:
    """The refusal in an answer with this body."""
    return Refusal(RawAnswer(status, headers, body if isinstance(body, bytes) else json.dumps(body).encode()))


def error(message: str, **fields: Any) -> dict[str, Any]:
    """An error as OpenAI words it."""
    return {"error": {"message": message, **fields}}


@pytest.mark.parametrize(
    ("status", "body", "matter"),
    [
        (400, error("'response_format' of type 'json_schema' is not supported"), "mode"),
        (400, error("Invalid schema for response_format 'x'", param="response_format"), "mode"),
        (400, error("failed to parse grammar"), "mode"),
        (500, {"error": {"message": "response_format: Input should be 'text' or 'json_object'"}}, "mode"),
        (500, b"Internal error: could not compile json_schema", "mode"),
        (422, {"detail": [{"loc": ["body", "response_format"], "msg": "Extra inputs are not permitted"}]}, "mode"),
        (400, error("Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."), "output_parameter"),
        (400, error("Unrecognized request argument supplied: max_completion_tokens"), "output_parameter"),
        (400, error("Unsupported value: 'temperature' does not support 0"), "temperature"),
        (400, error("max_tokens is too large: 16000. It supports at most 4096."), None),
        (400, error("temperature must be fun"), None),
        (500, error("Unknown failure while handling max_tokens"), None),
        (400, error("Structured outputs are not supported by this model"), "mode"),
        (500, b"<html>Our guided tour of structured outputs</html>", None),
        (401, error("response_format is for paying customers"), None),
        (429, error("response_format"), None),
        (400, {"error": "response_format is not supported"}, "mode"),
        (400, b"", None),
        (400, [], None),
    ],
)
def test_the_part_of_the_form_that_is_not_taken_is_found(status: int, body: Any, matter: str | None) -> None:
    assert refusal(status, body).matter == matter


@pytest.mark.parametrize(
    ("status", "body", "context"),
    [
        (400, error("This model's maximum context length is 8192 tokens."), 8192),
        (400, error("'max_tokens' is too large: 900. The model's context length is 512 tokens"), 512),
        (400, error("request exceeds", type="exceed_context_size_error", n_ctx=4096), 4096),
        (400, error("prompt is too long"), None),
        (413, b"", None),
        (400, error("x", code="context_length_exceeded", n_ctx=-5), None),
    ],
)
def test_too_long_a_request_is_known_with_what_the_server_takes(status: int, body: Any, context: int | None) -> None:
    found = refusal(status, body)

    assert found.too_long
    assert found.context_tokens == context


def test_what_a_server_repeats_of_the_request_is_not_read() -> None:
    echo = {"detail": [{"loc": ["body", "seed"], "msg": "Not a number", "input": "response_format context length"}]}

    found = refusal(422, echo)

    assert (found.matter, found.too_long) == (None, False)


@pytest.mark.parametrize(
    ("status", "body", "wait"),
    [
        (429, error("slow", code="rate_limit_exceeded"), None),
        (429, error("x", code="insufficient_quota"), timedelta(minutes=15)),
        (429, error("You exceeded your current quota, check your billing details."), timedelta(minutes=15)),
        (402, error("Insufficient Balance"), timedelta(minutes=15)),
        (401, error("x"), timedelta(minutes=15)),
        (403, error("x"), timedelta(minutes=15)),
        (404, error("x"), timedelta(minutes=15)),
        (308, b"", timedelta(minutes=15)),
        (500, error("x"), None),
    ],
)
def test_where_a_person_has_to_act_the_wait_is_longer(status: int, body: Any, wait: timedelta | None) -> None:
    assert refusal(status, body).wait_until(NOW) == (NOW + wait if wait else None)


def test_the_longer_of_two_waits_counts_and_never_more_than_a_day() -> None:
    assert refusal(429, error("x", code="insufficient_quota"), **{"retry-after": "3600"}).wait_until(
        NOW
    ) == NOW + timedelta(hours=1)
    assert refusal(503, b"", **{"retry-after": "864000"}).wait_until(NOW) == NOW + timedelta(days=1)


@pytest.mark.parametrize(
    ("value", "wait"),
    [
        ("7", timedelta(seconds=7)),
        ("0.5", timedelta(seconds=0.5)),
        ("1e400", timedelta(days=1)),
        ("inf", timedelta(days=1)),
        ("-inf", None),
        ("nan", None),
        ("-5", None),
        ("", None),
        ("9" * 5_000, timedelta(days=1)),
        ("soon", None),
        ("\u0663\u0663", timedelta(seconds=33)),
        ("Mon, 30 Nov 2026 12:00:30 GMT", timedelta(seconds=30)),
        ("Mon, 30 Nov 2026 12:00:30", timedelta(seconds=30)),
        ("Mon, 30 Nov 2026 12:00:30 -9999", None),
        ("Fri, 31 Dec 9999 23:59:59 GMT", timedelta(days=1)),
        ("Fri, 31 Dec 9999 23:59:59 -2359", timedelta(days=1)),
        ("Mon, 01 Jan 0001 00:00:00 +2359", None),
        ("Mon, 30 Nov 99999999999999999999 12:00:30 GMT", None),
        ("Mon, 99999999999999999999 Nov 2026 12:00:30 GMT", None),
        ("Mon, 30 Nov 2026 12:00:30 +99999999999999999999", None),
        ("Mon, 30 Nov 2026 99999999999:00:30 GMT", None),
        (",", None),
        ("Mon, 30 Nov " + "9" * 5_000, None),
    ],
)
def test_no_retry_after_raises_and_none_is_waited_for_longer_than_a_day(value: str, wait: timedelta | None) -> None:
    assert refusal(503, b"", **{"retry-after": value}).wait_until(NOW) == (None if wait is None else NOW + wait)


@pytest.mark.parametrize("code", ["sk-secret", "Bearer.sk-secret.x", "two words", "<b>", "x" * 80, 7, None])
def test_only_a_short_name_without_the_key_is_shown_of_what_a_server_says(code: Any) -> None:
    why, way_out = explained(refusal(401, error("sk-secret is wrong", code=code)), "sk-secret")

    assert why == "The model's server does not accept the key (status 401)"
    assert way_out == "Set a valid model.api_key."


@given(
    st.integers(300, 599),
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=20),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(
                st.sampled_from(["error", "message", "code", "detail", "loc", "msg", "n_ctx"]), inner, max_size=3
            )
        ),
        max_leaves=8,
    ),
    st.text(max_size=12),
)
def test_no_refusal_raises(status: int, body: Any, wait: str) -> None:
    found = refusal(status, body, **{"retry-after": wait})

    assert explained(found, "")[0].startswith("The model's server ")
    assert isinstance(found.too_long, bool)
    assert found.matter in {None, "mode", "output_parameter", "temperature"}
    assert found.context_tokens is None or found.context_tokens > 0
    until = found.wait_until(NOW)
    assert until is None or NOW < until <= NOW + timedelta(days=1)

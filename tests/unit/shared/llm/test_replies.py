"""Every shape of a completion has an outcome (C-59)."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.llm.replies import Reply, Usage, is_completion, read_reply

ANY_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=10,
)


def said(message: Any, finish: Any = "stop", **fields: Any) -> Reply:
    """The reply to a completion of one message."""
    return read_reply({"choices": [{"message": message, "finish_reason": finish}], **fields})


@pytest.mark.parametrize(
    ("message", "finish", "text", "fault", "final"),
    [
        ({"content": "yes"}, "stop", "yes", None, False),
        ({"content": "yes"}, None, "yes", None, False),
        (
            {"content": [{"type": "text", "text": "y"}, {"type": "output_text", "text": "es"}, 7]},
            "stop",
            "yes",
            None,
            False,
        ),
        ({"content": "yes", "reasoning_content": "hm"}, "stop", "yes", None, False),
        ({"content": "yes"}, "length", "yes", "the answer was cut at the limit of its length", False),
        ({"content": "ye"}, "content_filter", "ye", "the server's filter took the answer", True),
        ({"content": None, "refusal": "No."}, "stop", "No.", "the model refused", True),
        ({"content": [{"type": "refusal", "refusal": "No."}]}, "stop", "No.", "the model refused", True),
        ({"content": None}, "stop", "", "the answer is empty", False),
        ({"content": " \n"}, "stop", " \n", "the answer is empty", False),
        ({"content": None, "reasoning_content": "hm"}, "stop", "", "the model thought and did not answer", False),
        ({"tool_calls": [{}]}, "tool_calls", "", "the model called a tool instead of answering", False),
        (None, "stop", "", "the server gave no message", False),
    ],
)
def test_each_message_has_its_outcome(
    message: Any, finish: str | None, text: str, fault: str | None, final: bool
) -> None:
    reply = said(message, finish)

    assert (reply.text, reply.fault, reply.final) == (text, fault, final)


@pytest.mark.parametrize("choices", [[], None, {}, [None], "x"])
def test_no_choice_is_no_answer(choices: Any) -> None:
    assert read_reply({"choices": choices}).fault == "the server gave no choice"


def test_tokens_are_those_that_the_server_counted() -> None:
    usage = {"prompt_tokens": 50, "completion_tokens": 7, "prompt_tokens_details": {"cached_tokens": 90}}

    assert said({"content": "x"}, usage=usage).usage == Usage(50, 50, 7)


@pytest.mark.parametrize(
    "usage",
    [
        None,
        [],
        {},
        {"prompt_tokens": -1, "completion_tokens": 5},
        {"prompt_tokens": "12", "completion_tokens": 5},
        {"prompt_tokens": True, "completion_tokens": 5},
        {"prompt_tokens": 5, "completion_tokens": 10**12},
        {"prompt_tokens": 5.5, "completion_tokens": 5},
    ],
)
def test_counts_that_cannot_be_believed_are_none(usage: Any) -> None:
    assert said({"content": "x"}, usage=usage).usage is None


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"choices": []}, True),
        ({"choices": [{}], "error": None}, True),
        ({"choices": None, "error": {"message": "x"}}, False),
        ({"error": {"message": "x"}}, False),
        ({"object": "list"}, False),
        (None, False),
    ],
)
def test_an_error_under_a_good_status_is_no_completion(fields: dict[str, Any] | None, expected: bool) -> None:
    assert is_completion(fields) is expected


@given(st.dictionaries(st.sampled_from(["choices", "usage", "error"]), ANY_JSON))
def test_no_body_raises(fields: dict[str, Any]) -> None:
    assert isinstance(read_reply(fields), Reply)


@given(ANY_JSON, ANY_JSON)
def test_no_message_raises(message: Any, finish: Any) -> None:
    assert isinstance(said(message, finish), Reply)

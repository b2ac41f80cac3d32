"""The answer in a model's text is found, or it is said why there is none, whatever the text is."""

from __future__ import annotations

import json
import time
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, ConfigDict, Field

from shared.llm.answer_texts import Unread, look_for_answer, read_answer

_GUARD_SECONDS = 5.0


class Verdict(BaseModel):
    """What the model is asked for in these tests."""

    model_config = ConfigDict(extra="forbid")

    effect: str = Field(max_length=240)
    kind: Literal["fix", "feature"]


GOOD = Verdict(effect='Builds take {half} the "time" </think> it took.', kind="fix")
TEXT = GOOD.model_dump_json()


@pytest.mark.parametrize(
    "text",
    [
        TEXT,
        f"  \n{TEXT}\n",
        f"```json\n{TEXT}\n```",
        f"```\n{TEXT}\n```",
        f"```json\n{TEXT}",
        f'Here you are {{as you wished}}:\n```json\n{TEXT}\n```\nIs there "anything else?',
        f'{{"effect": "a draft", "kind": "feature"}}\n{TEXT}',
        f'{{"draft": 1}} {TEXT} {{"remark": 2}}',
        TEXT[:-1] + ",\n}",
    ],
)
def test_a_whole_answer_is_found_in_any_wrapping(text: str) -> None:
    assert read_answer(text, Verdict) == GOOD


PLAIN = Verdict(effect="Builds are faster.", kind="fix")


@pytest.mark.parametrize(
    "text",
    [
        f'<think>Perhaps {{"effect": "a draft", "kind": "feature"}}?</think>{PLAIN.model_dump_json()}',
        f'Perhaps {{"effect": "a draft", "kind": "feature"}}?</think>\n\n{PLAIN.model_dump_json()}',
        f"<THINK>hm {{</THINK>```json\n{PLAIN.model_dump_json()}\n```",
        f"<reasoning>one</reasoning><reasoning>two</reasoning>{PLAIN.model_dump_json()}",
        PLAIN.model_dump_json().replace("are faster", "are <think>\\nfaster").replace("<think>\\n", ""),
    ],
)
def test_what_was_thought_before_it_is_no_answer(text: str) -> None:
    assert read_answer(text, Verdict) == PLAIN


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "there is no JSON object in it"),
        ("It looks fine.", "there is no JSON object in it"),
        (TEXT[:-9], "there is no JSON object in it"),
        (f"```json\n{TEXT[:30]}", "there is no JSON object in it"),
        (f"<think>{PLAIN.model_dump_json()}", "there is no JSON object in it"),
        (f"{PLAIN.model_dump_json()}</think>", "there is no JSON object in it"),
        ('{"effect": "x"}', "kind: missing"),
        ('{"effect": "x", "kind": "both"}', "kind: literal error"),
        ('{"effect": "x", "kind": "fix", "do what I say": 1}', "the object: extra forbidden"),
        (json.dumps({"effect": "x" * 241, "kind": "fix"}), "effect: string too long"),
        ('{"effect": NaN, "kind": "fix"}', "there is no JSON object in it"),
        ("[1, 2]", "there is no JSON object in it"),
    ],
)
def test_a_text_without_one_is_told_apart_without_repeating_it(text: str, fault: str) -> None:
    assert read_answer(text, Verdict) == fault


def test_a_brace_and_a_quote_of_the_prose_do_not_hide_a_fenced_answer() -> None:
    assert read_answer(f'Sure {{ "then\n```json\n{PLAIN.model_dump_json()}\n```', Verdict) == PLAIN


def test_line_breaks_inside_texts_are_taken() -> None:
    assert read_answer('{"effect": "one\ntwo", "kind": "fix"}', Verdict) == Verdict(effect="one\ntwo", kind="fix")


def test_commas_in_texts_stay_where_they_are() -> None:
    found = read_answer('{"effect": "one, } two, ]", "kind": "fix", }', Verdict)

    assert found == Verdict(effect="one, } two, ]", kind="fix")


def test_only_what_knows_nothing_of_the_schema_is_called_shapeless() -> None:
    assert look_for_answer("words", Verdict) == Unread("there is no JSON object in it", shapeless=True)
    assert look_for_answer('{"summary": "x"}', Verdict) == Unread(
        "effect: missing; kind: missing; the object: extra forbidden", shapeless=True
    )
    assert look_for_answer('{"effect": "x", "kind": "y"}', Verdict) == Unread("kind: literal error")


_MEGABYTE = 1_000_000
_HOSTILE = {
    "braces": "{" * _MEGABYTE,
    "closed braces": "{}" * (_MEGABYTE // 2),
    "nested objects": '{"a":' * (_MEGABYTE // 5),
    "nested and closed": '{"a":' * 100_000 + "1" + "}" * 100_000,
    "fences": "```\n" * (_MEGABYTE // 4),
    "fences with braces": "```json\n{\n" * (_MEGABYTE // 10),
    "thinking": "<think>" * (_MEGABYTE // 7),
    "thinking closed": "</think>" * (_MEGABYTE // 8),
    "quotes": '{"' * (_MEGABYTE // 2),
    "backslashes": '{"' + "\\" * _MEGABYTE,
    "commas": "{" + ",   " * (_MEGABYTE // 4) + "}",
    "blanks": "{," + " " * _MEGABYTE + "}",
    "many drafts": '{"effect": 1}' * (_MEGABYTE // 13),
    "one long number": '{"effect": ' + "9" * _MEGABYTE + "}",
    "surrogates": '{"effect": "\\ud800", "kind": "fix"' * 20_000,
}


@pytest.mark.parametrize("text", _HOSTILE.values(), ids=_HOSTILE.keys())
def test_a_megabyte_of_anything_is_read_in_a_moment(text: str) -> None:
    started = time.perf_counter()

    found = read_answer(text, Verdict)

    assert isinstance(found, str)
    assert time.perf_counter() - started < _GUARD_SECONDS


@given(st.text(alphabet='{}[]",:\\ab `\n<>/think', max_size=200))
def test_no_text_raises(text: str) -> None:
    assert isinstance(read_answer(text, Verdict), str | Verdict)


@given(
    before=st.text(alphabet="ab {}`\n.", max_size=60),
    effect=st.text(max_size=80),
    after=st.text(alphabet="ab {}`\n.", max_size=60),
)
def test_an_answer_in_a_fence_is_found_between_any_prose(before: str, effect: str, after: str) -> None:
    answer = Verdict(effect=effect.replace("\x00", ""), kind="fix")

    found = read_answer(f"{before}\n```json\n{answer.model_dump_json()}\n```\n{after}", Verdict)

    assert found == answer or "think" in effect

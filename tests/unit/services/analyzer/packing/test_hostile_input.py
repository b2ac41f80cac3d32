"""Packing never raises, never exceeds the budget and never takes long, whatever strangers wrote (C-60, C-61, C-62)."""

from __future__ import annotations

import json
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from services.analyzer.packing import pack
from shared.domain.pull_request import ChangedFile, Comment, Commit, PullRequest, Review, ReviewThread
from shared.llm.tokens import estimated_tokens
from tests.builders import make_analysis, make_pull_request
from tests.unit.services.analyzer.reviewed import person

SPECIAL = (
    *("<|endoftext|>", "<|im_start|>system", "<|im_end|>", "<|fim_prefix|>", "<|eot_id|>", "<|begin_of_text|>"),
    *("[INST]", "[/INST]", "<<SYS>>", "<s>", "</s>", "<unk>", "<pad>", "<bos>", "<start_of_turn>", "<think>"),
    *("{{", "}}", "{0}", "%s", "${HOME}", "{%", "\x00", "\ud800", "\udfff", "\ufffe", "\u2028", "\r", "\\", '"'),
    *(
        "<!--",
        "-->",
        "<div hidden>",
        "<a href='",
        "](",
        "![",
        "[//]: # (",
        "```",
        "~~~",
        "\u202e",
        "\U000e0041",
        "\ufe0f",
    ),
    *("@@ -1,2 +3,4 @@", "\n@@ -", "\n+", "\n-", "\n\\ No newline", "data:a;base64,", "-----BEGIN PRIVATE KEY-----"),
)
GUARD_SECONDS = 5.0
MEGABYTES = 5_000_000

texts = st.lists(st.one_of(st.sampled_from(SPECIAL), st.text(st.characters(), max_size=20)), max_size=25).map("".join)


def everywhere(text: str) -> PullRequest:
    """A merge that says ``text`` wherever people may write."""
    said = (
        Comment(user=person("bea"), body=text, path=text[:300] or None, line=3),
        Comment(user=person("ada"), body=text),
    )
    return make_pull_request(
        title=text,
        body=text,
        commits=(Commit(sha="a" * 40, message=text),),
        reviews=(Review(user=person("bea"), state="CHANGES_REQUESTED", body=text),),
        review_threads=(ReviewThread(path=text[:300] or None, line=3, comments=said),),
        comments=said,
        files=(
            ChangedFile(filename=text[:300] or "a", patch=text),
            ChangedFile(filename="src/a.py", patch=f"@@ -1 +1 @@\n+{text}"),
        ),
    )


@settings(deadline=None, max_examples=150)
@given(texts, st.integers(min_value=0, max_value=3_000))
def test_any_text_anywhere_is_packed_within_any_budget(text: str, budget: int) -> None:
    result = pack(everywhere(text), make_analysis(), budget)

    assert estimated_tokens(result.document) <= max(1, budget)
    assert isinstance(json.loads(result.document.encode("utf-8")), dict)


@pytest.mark.parametrize("token", SPECIAL[:22])
def test_special_tokens_are_sent_as_ordinary_characters(token: str) -> None:
    document = pack(make_pull_request(title=f"Teach {token} to the reader", files=()), make_analysis(), 1_000).document

    assert json.loads(document)["title"] == f"Teach {token} to the reader"


@pytest.mark.parametrize(
    "sign", ["a", "{", "<", "[", "`", '"', "\\", "\n", " ", "汉", "\u200b", "\x00", "\ud800", "=", "+\n"]
)
def test_megabytes_of_one_sign_take_no_time(sign: str) -> None:
    merge = everywhere(sign * (MEGABYTES // len(sign)))
    started = time.perf_counter()
    result = pack(merge, make_analysis(), 6_000)

    assert result.tokens <= 6_000
    assert time.perf_counter() - started < GUARD_SECONDS


@pytest.mark.parametrize(
    "piece",
    ["<a ' ", '[](a "', '<a ">" ', "<b ", "![a](", "<div hidden>", "data:a;", '[a]: b "\n', "\x1b[", "](", "> ", "| "],
)
def test_patterns_are_not_led_astray(piece: str) -> None:
    started = time.perf_counter()
    pack(everywhere(piece * 40_000), make_analysis(), 6_000)

    assert time.perf_counter() - started < GUARD_SECONDS

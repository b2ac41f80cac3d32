from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.analyzer.checking.plain_text import harmless_part, is_harmless, is_plain, plain_words, without_code_marks
from tests.attacks.texts import TEXTS
from tests.hostile_strings import HOSTILE

PLAIN = (
    "Callers from 127.0.0.1 are no longer trusted.",
    "Seek latency at p99 drops from 310 µs to 140 µs on cold files, up to 2.2x.",
    "The __init__ method and foo_bar are no longer part of the docs.",
    "Reads from hard_state.store and calls self.cache.trim(limit) once.",
    "Set allow_local_without_token = true to get the old behaviour back.",
    "The endpoint /metrics answers 404 unless --metrics is given.",
    "A std::vec::Vec is passed, a || b decides, and 3 * 4 is 12.",
    "Works with C#, C++ and UTF-8 on Python 3.11 and later.",
    "把默认保留时间改为 7 天，旧的流不受影响。",
    "Retries wait 10 s; then 1 min (at most 5 times).",
    "Commit() in the Go client honours its context, e.g. a deadline.",
    "The case TestSegmentMulGroupFp8Reader passes again.",
    "The dot product is computed in float32.",
    "Lists with <5 items are read at once.",
    "用cache.trim修剪缓存。",
    "支持UTF-8和Python 3.11。",
)
FANCY = (
    "Notes at https://lumen.example/x.",
    "Notes at lumen-labs.com now.",
    "Notes at lumen．com now.",
    "Notes at lumen[.]com now.",
    "Notes at lumen dot com now.",
    "hxxp://notes",
    "Notes at h t t p, www.lumen",
    "Ask @ada about it.",
    "Ask ＠ada about it.",
    "Mail ada@lumen.example now.",
    "As #12 said.",
    "As GH-12 said.",
    "As PR 12 and issue #3 said.",
    "Reverts 3f2a9c1d0b of last week.",
    "**Bold** words.",
    "*Some* words.",
    "_Some_ words.",
    "~~Gone~~ words.",
    "[words](/there)",
    "See [words][1].",
    "![words](x)",
    "<b>words</b>",
    "<!-- words",
    "&lt;b&gt; words",
    "> words",
    "# Words",
    "- words",
    "1. words",
    "| a | b",
    "`unclosed",
    "``` fence ```",
    ":tada: words",
    "Words 🎉",
    "/merge now",
    "{{ words }}",
    "system: words",
    '{"effect": null}',
    'words", "risks": []',
    "<|im_start|> words",
    "[INST] words",
    "%68%74%74%70 words",
    "QWxhZGRpbjpvcGVuIHNlc2FtZTEyMw==",
    "访问www.evil.com获取补丁。",
    "请访问evil.com获取补丁。",
    "请访问张三.com获取补丁。",
    "由PR 200引入。",
    "由!200引入。",
    "在issue 45中讨论。",
    "见gh-45。",
    "由3f2a9c1d0b引入。",
    "缓存*加粗*文字。",
    "完成:tada:了。",
)


@pytest.mark.parametrize("text", PLAIN)
def test_ordinary_sentences_are_plain(text: str) -> None:
    assert is_plain(plain_words(text))


@pytest.mark.parametrize("text", FANCY)
def test_what_a_channel_could_take_for_more_than_words_is_not_plain(text: str) -> None:
    assert not is_plain(without_code_marks(plain_words(text)))


def test_hidden_and_control_signs_go_before_anything_is_looked_at() -> None:
    assert plain_words("a\u200bb\u202ec\x00d\ne\u2028f\U000e0041g\ufe0f\x1b[31m") == "abc d e fg [31m"
    assert not is_plain(plain_words("lu\u200bmen.c\u2060om"))


def test_marks_around_names_are_taken_off_and_fences_stay() -> None:
    assert without_code_marks("Calls `trim` and `a_b`.") == "Calls trim and a_b."
    assert "`" in without_code_marks("``` trim ```")


def test_quotations_of_code_may_hold_what_sentences_may_not() -> None:
    assert is_harmless("let rules: Vec<AclRule> = **load;", code=True)
    assert not is_harmless("see <b>here</b>", code=False)
    assert is_harmless("**Migration needed:** run `migrate`", code=False)
    assert not any(is_harmless(text, code=True) for text in ("// http://x", "# cc @ada", "see #12"))


def test_pins_in_code_mention_nobody_and_people_in_code_are_mentioned() -> None:
    assert is_harmless("- uses: actions/checkout@v4", code=True)
    assert is_harmless("image: lumen@2.1", code=True)
    assert not any(is_harmless(text, code=True) for text in ("owner: @ada", "mail: ada@lumen", "a<@U123>"))


def test_of_a_quotation_with_a_reference_the_longest_harmless_sentence_is_kept() -> None:
    quoted = "Third of five (#4838). A slow follower no longer blocks the others. See #12."

    assert harmless_part(quoted, code=False) == "A slow follower no longer blocks the others."
    assert harmless_part("See #12.", code=False) == ""
    assert harmless_part("[Raft] Split the loop [1/5]: name the states", code=False).startswith("[Raft]")


@given(st.text(max_size=240) | st.sampled_from([text for _, text in TEXTS]) | st.sampled_from(HOSTILE))
def test_no_text_raises_and_plain_is_stable(text: str) -> None:
    words = without_code_marks(plain_words(text))

    is_plain(words)
    assert plain_words(words) == words

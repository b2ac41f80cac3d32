"""Words of strangers in one line."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.rendering.literal import Run, literal, runs


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain", "plain"),
        ("a\nb\r\nc\td", "a b c d"),
        ("a  b", "a b"),
        ("x\u202ey", "x⟨U+202E⟩y"),
        ("x\u2066y\u2069", "x⟨U+2066⟩y⟨U+2069⟩"),
        ("\u200bx\ufeff", "x"),
        ("a\u200eb", "ab"),
        ("א\u200eב", "א\u200eב"),
        ("👩\u200d💻", "👩\u200d💻"),
        ("می\u200cخواهم", "می\u200cخواهم"),
        ("ab\u200dc", "abc"),
        ("nul\x00", "nul\ufffd"),
        ("\ud800", "\ufffd"),
        ("e\u0301" + "\u0301" * 9, "e" + "\u0301" * 4),
    ],
)
def test_literal(text: str, shown: str) -> None:
    assert literal(text) == shown


@given(st.text(max_size=60))
def test_literal_is_settled_after_once(text: str) -> None:
    assert literal(literal(text)) == literal(text)
    assert "\n" not in literal(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a `b` c", [Run("a "), Run("b", code=True), Run(" c")]),
        ("`a``b`", [Run("a``b", code=True)]),
        ("`` a`b ``", [Run("a`b", code=True)]),
        ("a ` b", [Run("a ` b")]),
        ("` `", [Run("` `")]),
        ("`a` ``b", [Run("a", code=True), Run(" ``b")]),
        ("", []),
    ],
)
def test_code_spans_are_found_by_their_backticks(text: str, expected: list[Run]) -> None:
    assert list(runs(text)) == expected


@given(st.text(alphabet="ab` ", max_size=30))
def test_no_word_is_lost_between_prose_and_code(text: str) -> None:
    assert (
        "".join(run.text for run in runs(text)).replace("`", "").split() == text.replace("`", "").split() or "`" in text
    )
    assert "".join(run.text for run in runs(text)).count("a") == text.count("a")

"""What a text costs in JSON, and where it is cut."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.analyzer.packing.room import as_json, cost, fitted
from shared.domain.text import clean_text


@pytest.mark.parametrize(("value", "bytes_"), [("", 3), ("ab", 5), ('a"b', 7), ("a\nb", 7), ("汉", 6), ([], 3)])
def test_a_value_costs_its_bytes_and_a_comma(value: object, bytes_: int) -> None:
    assert cost(value) == bytes_


@given(st.text(max_size=400).map(clean_text), st.integers(min_value=-5, max_value=300))
def test_what_is_fitted_never_costs_more_than_its_room(text: str, room: int) -> None:
    kept = fitted(text, room)

    assert not kept or cost(kept) <= room
    assert kept == text or kept == "" or kept.endswith("…")


def test_a_text_is_cut_between_words_and_says_so() -> None:
    assert fitted("The queue keeps its order under load.", 30) == "The queue keeps its…"


def test_a_text_that_fits_stays_as_it_is() -> None:
    assert fitted("short", 8) == "short"


def test_nothing_is_left_where_only_a_few_signs_would_fit() -> None:
    assert fitted("The queue keeps its order.", 9) == ""


def test_json_is_compact_and_keeps_other_scripts() -> None:
    assert as_json({"title": "修复队列", "n": [1, 2]}) == '{"title":"修复队列","n":[1,2]}'
    assert json.loads(as_json({"a": '\\ " {x}'})) == {"a": '\\ " {x}'}

"""Figures are expressions over the document; the independent evaluator agrees with the product's."""

from __future__ import annotations

import json

import pytest

from services.digest.narrate import narrate
from shared.rendering.figures import integer, percent, pointer, shown, signed
from tests import recompute
from tests.digest_builder import rich_digest

DOCUMENT = json.loads(narrate(rich_digest(), ["en"]).to_json())


@pytest.mark.parametrize(
    ("expression", "text"),
    [
        ("number(/merged_total)", "12"),
        ("number(length(/people))", "3"),
        ("number(entry(/previous/risks,core-path))", "1"),
        ("number(entry(/previous/risks,unheard-of))", "0"),
        ("difference(/merged_total,/previous/merged_total)", "+2"),
        ("difference(length(/change_types/feat),entry(/previous/change_types,feat))", "−3"),
        ("difference(/merged_total,/items_total)", "±0"),
        ("change(/merged_total,/previous/merged_total)", "+20%"),
        ("share(length(/change_types/feat),/merged_total)", "25%"),
        ("number(total(/themes/0/pull_requests,additions))", "310"),
        ("days(/pull_requests/0/merged_at,/pull_requests/2/merged_at)", "0.5"),
    ],
)
def test_shown(expression: str, text: str) -> None:
    assert shown(expression, DOCUMENT) == text
    assert recompute.evaluate(expression, DOCUMENT) == text


@pytest.mark.parametrize(
    ("cost", "text"), [(0, "0.00"), (0.0001, "<0.01"), (0.005, "0.01"), (1.006, "1.01"), (1234.5, "1,234.50")]
)
def test_a_cost_is_shown_in_dollars_and_cents(cost: float, text: str) -> None:
    document = DOCUMENT | {"usage": {"cost_usd": cost}}
    assert shown("dollars(/usage/cost_usd)", document) == text
    assert recompute.evaluate("dollars(/usage/cost_usd)", document) == text


@pytest.mark.parametrize(
    "expression", ["", "number", "guess(/merged_total)", "number(nothing(/people))", "share(/late/0,/x)"]
)
def test_what_does_not_fit_the_document_is_an_error(expression: str) -> None:
    with pytest.raises((KeyError, ValueError, IndexError)):
        shown(expression, DOCUMENT)


def test_nothing_is_divided_by_zero() -> None:
    with pytest.raises(ValueError, match="divides by zero"):
        shown("share(/merged_total,length(/usage/none))", {"merged_total": 1, "usage": {"none": []}})


@pytest.mark.parametrize(
    ("value", "text"), [(0, "0"), (1234, "1234"), (12345, "12,345"), (-12345, "−12,345"), (-7, "−7")]
)
def test_integers(value: int, text: str) -> None:
    assert integer(value) == text


@pytest.mark.parametrize(("value", "text"), [(0, "±0"), (3, "+3"), (-3, "−3")])
def test_signs(value: int, text: str) -> None:
    assert signed(value) == text


@pytest.mark.parametrize(
    ("part", "whole", "text"), [(1, 3, "33%"), (1, 8, "13%"), (1, 1000, "<1%"), (0, 9, "0%"), (9, 9, "100%")]
)
def test_percents_round_halves_up(part: int, whole: int, text: str) -> None:
    assert percent(part, whole) == text


def test_pointers_escape_their_steps() -> None:
    assert pointer("a/b", "c~d", 3) == "/a~1b/c~0d/3"

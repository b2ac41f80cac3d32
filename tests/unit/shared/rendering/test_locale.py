"""Sentences with placeholders."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from shared.domain.digest import Span
from shared.domain.errors import InvalidInput
from shared.rendering.locale import Locale, load_locale, placeholders

MOMENT = datetime(2026, 5, 10, 23, 30, tzinfo=UTC)
TREE = {
    "greeting": "Hello **dear** {name}, see `x`.",
    "cats": {"one": "{count} cat", "other": "{count} cats"},
    "joining": {"sentence": " ", "item": ", ", "last": " and "},
}


def text(spans: tuple[Span, ...]) -> str:
    return "".join(span.text for span in spans)


def test_a_sentence_becomes_typed_spans() -> None:
    person = Span(kind="person", text="{name} **x**")
    assert Locale("xx", TREE).spans("greeting", name=person) == (
        Span(text="Hello "),
        Span(kind="strong", text="dear"),
        Span(text=" "),
        person,
        Span(text=", see "),
        Span(kind="code", text="x"),
        Span(text="."),
    )


@pytest.mark.parametrize(("count", "words"), [(0, "0 cats"), (1, "1 cat"), (2, "2 cats")])
def test_plural_forms(count: int, words: str) -> None:
    assert text(Locale("xx", TREE).spans("cats", count, count=str(count))) == words


def test_a_missing_word_or_fill_is_an_error() -> None:
    locale = Locale("xx", TREE)
    with pytest.raises(KeyError):
        locale.spans("nothing")
    with pytest.raises(KeyError):
        locale.spans("greeting")
    assert not locale.knows("nothing")


@pytest.mark.parametrize(
    ("language", "words"), [("en", ["", "a", "a and b", "a, b and c"]), ("zh-CN", ["", "a", "a、b", "a、b、c"])]
)
def test_joining(language: str, words: list[str]) -> None:
    locale = load_locale(language)
    parts = [(Span(text=letter),) for letter in "abc"]
    assert [text(locale.joined(parts[:length])) for length in range(4)] == words


def test_sentences_skip_what_is_empty() -> None:
    parts = [(Span(text="A."),), (), (Span(text="B."),)]
    assert text(load_locale("en").sentences(parts)) == "A. B."
    assert text(load_locale("zh-CN").sentences(parts)) == "A.B."


def test_moments_are_told_in_the_zone() -> None:
    assert load_locale("en").minute(MOMENT, "UTC") == "Sun 2026-05-10 23:30 UTC"
    assert load_locale("en").day(MOMENT, "Asia/Shanghai") == "Mon 2026-05-11"
    assert load_locale("zh-CN").minute(MOMENT, "Asia/Shanghai") == "2026-05-11 周一 07:30 Asia/Shanghai"


def test_an_unknown_language_names_the_known_ones() -> None:
    with pytest.raises(InvalidInput, match="en, zh-CN"):
        load_locale("../en")


def test_placeholders() -> None:
    assert placeholders("{a} and {b_c}, not {D}") == {"a", "b_c"}

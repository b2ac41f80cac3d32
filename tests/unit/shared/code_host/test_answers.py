"""Answers as they are read: JSON, links, messages, and what is none of these."""

from __future__ import annotations

import pytest

from shared.code_host.answers import RawAnswer, decoded
from shared.domain.errors import Transient


def test_json_is_decoded_and_its_strings_are_cleaned() -> None:
    raw = RawAnswer(200, text='{"title": "a\\u0000b", "labels": ["\\ud800"]}')
    assert decoded(raw, "GET /x") == {"title": "a\ufffdb", "labels": ["\ufffd"]}
    assert decoded(RawAnswer(204), "GET /x") is None


@pytest.mark.parametrize("text", ["<html></html>", '{"a": 1', '"text"', "17", "[" * 100_000, "9" * 5_000])
def test_anything_else_is_transient(text: str) -> None:
    with pytest.raises(Transient, match="GET /x"):
        decoded(RawAnswer(200, text=text), "GET /x")


def test_links_are_read_by_their_rel() -> None:
    link = '<https://h.example/a?b=1,2&c=3>; rel="next", <https://h.example/a?page=9>; rel="last"'
    assert RawAnswer(200, {"link": link}).links == {
        "next": "https://h.example/a?b=1,2&c=3",
        "last": "https://h.example/a?page=9",
    }
    assert RawAnswer(200).links == RawAnswer(200, {"link": "nonsense"}).links == {}


def test_what_the_host_says_is_one_short_line() -> None:
    assert RawAnswer(403, text='{"message": "Two\\n lines"}').message == "Two lines"
    assert len(RawAnswer(403, text=f'{{"message": "{"x" * 5_000}"}}').message) == 200
    for text in ('{"message": 5}', "[]", "<html>", ""):
        assert RawAnswer(403, text=text).message == ""

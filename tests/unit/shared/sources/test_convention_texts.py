"""What counts as the text of a convention file, and which file of a kind counts."""

from __future__ import annotations

import pytest

from shared.sources.convention_paths import LARGEST_CONVENTION_FILE
from shared.sources.convention_texts import BINARY, TOO_LARGE, Unreadable, first_of_each_kind, text_of

LABELER, OTHER_LABELER, OWN_FILE = ".github/labeler.yml", ".github/labeler.yaml", ".github/mergecast.toml"


@pytest.mark.parametrize(
    ("content", "text"),
    [
        (b"", ""),
        ("/café/ @acme/core\n".encode(), "/café/ @acme/core\n"),
        (b"a" * LARGEST_CONVENTION_FILE, "a" * LARGEST_CONVENTION_FILE),
        (b"a" * (LARGEST_CONVENTION_FILE + 1), TOO_LARGE),
        (b"a\0b", BINARY),
        (b"caf\xe9", Unreadable("it is not written in UTF-8")),
    ],
    ids=["empty", "plain", "largest", "too large", "binary", "another encoding"],
)
def test_a_file_is_its_text_or_says_why_it_has_none(content: bytes, text: str | Unreadable) -> None:
    assert text_of(content) == text


def test_the_first_that_exists_counts_even_when_it_cannot_be_read() -> None:
    held: dict[str, str | Unreadable] = {LABELER: BINARY, OTHER_LABELER: "core: src/**\n", OWN_FILE: ""}
    found = first_of_each_kind(held.get)

    assert (found, found.unreadable) == ({OWN_FILE: ""}, {LABELER: "it is binary"})


def test_no_file_after_the_first_is_read() -> None:
    asked: list[str] = []

    def read(path: str) -> str:
        asked.append(path)
        return "text"

    assert set(first_of_each_kind(read)) == set(asked) == {LABELER, ".github/CODEOWNERS", OWN_FILE}

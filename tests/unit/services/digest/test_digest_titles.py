"""Titles as comparable words."""

from __future__ import annotations

import pytest

from services.digest.titles import bare, key_of, pieces_of, trimmed, words_of


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Gemma 4", "gemma4"),
        ("gemma-4", "Gemma4"),
        ("KV Offload", "kv_offload"),
        ("spec decode", "SpecDecoding"),
        ("migrations", "Migration"),
        ("refactoring", "Refactored"),
    ],
)
def test_spellings_of_one_thing_have_one_key(one: str, other: str) -> None:
    assert "".join(word.key for word in words_of(one)) == "".join(word.key for word in words_of(other))


@pytest.mark.parametrize("word", ["class", "status", "is", "as", "string", "red", "bus"])
def test_short_words_are_not_eaten_by_endings(word: str) -> None:
    assert key_of(word)


def test_a_conventional_prefix_is_left_out_and_its_scope_stays() -> None:
    words = words_of("feat(parser)!: accept tabs")

    assert [word.key for word in words] == ["parser", "accept", "tab"]
    assert [word.proper for word in words] == [True, False, False]


def test_brackets_and_a_go_style_scope_name_something() -> None:
    assert [word.proper for word in words_of("[Storage][CI] shrink logs")][:2] == [True, True]
    assert words_of("net/http: close idle connections")[0].proper


def test_identifiers_are_known_by_their_look() -> None:
    found = {word.key: word.identifier for word in words_of("Use AutoLoader, max_len and `plain` in tests")}

    assert [key for key, identifier in found.items() if identifier] == ["autoloader", "maxlen", "plain"]


def test_pieces_of_an_identifier_include_ambiguous_abbreviations() -> None:
    assert {"moe", "runner"} <= pieces_of("DefaultMoERunner")
    assert {"spawn", "process"} <= pieces_of("spawn_new_process")


def test_scripts_without_spaces_are_compared_by_character() -> None:
    assert [word.key for word in words_of("修复 缓存")] == ["修", "复", "缓", "存"]


def test_a_bare_title_has_no_squash_number_and_a_limit() -> None:
    assert bare("Keep order (#123)") == "Keep order"
    assert len(bare("x" * 5_000)) == 300


def test_weak_words_are_trimmed_at_both_ends_only() -> None:
    words = words_of("Use the TokenLoader for all")

    assert [word.key for word in trimmed(words)] == ["tokenloader"]
    assert trimmed(words_of("use the")) == list(words_of("use the"))


@pytest.mark.parametrize(
    "title", ["", " ", "[", "[]", "`", "(#1)", "🚀🚀", "\u202e[x]", "a" * 300, "[" * 200, "_" * 200]
)
def test_hostile_titles_are_read_without_harm(title: str) -> None:
    assert isinstance(words_of(bare(title)), tuple)

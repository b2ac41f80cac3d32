from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.claims.relation import is_unrelated

QUOTE = "Trimming clears less of the cache."


@pytest.mark.parametrize(
    ("claim", "text"),
    [
        ("Every user has to sign in again.", QUOTE),
        ("The server starts faster now.", QUOTE),
        ("It is not for production.", "for attempt in range(3):"),
    ],
)
def test_a_claim_without_a_word_of_the_text_is_unrelated(claim: str, text: str) -> None:
    assert is_unrelated(claim, [text])


@pytest.mark.parametrize(
    ("claim", "text"),
    [
        ("Caches keep more.", QUOTE),
        ("Uploads are retried.", "+    retry_upload(request)"),
        ("The batch size is limited.", "if maxBatchSize:"),
        ("The batch size is limited.", "MAX_BATCH = 3"),
        ("Runs twice.", "run --keep"),
        ("It trims.", "trim\u0131ng TRIMMED trimmed"),
    ],
)
def test_one_word_in_common_is_enough_however_it_is_bent_and_joined(claim: str, text: str) -> None:
    assert not is_unrelated(claim, [text])


def test_words_of_any_of_the_texts_count() -> None:
    assert not is_unrelated("The server starts faster.", [QUOTE, "[Server] Tidy"])


@pytest.mark.parametrize(
    "text",
    [
        "当序列长度超过时，半精度的注意力分数会溢出。",
        "Die Ausgabe wird bei längeren Folgen nicht mehr größer als die Grenze sein",
    ],
)
def test_texts_in_another_language_prove_nothing(text: str) -> None:
    assert not is_unrelated("Outputs stay below the limit.", [text])


@pytest.mark.parametrize("claim", ["", "It is so now.", "4711", "!"])
def test_a_claim_without_a_word_that_means_something_is_not_unrelated(claim: str) -> None:
    assert not is_unrelated(claim, [QUOTE])


@given(st.text(max_size=200), st.lists(st.text(max_size=200), max_size=3))
def test_it_never_raises_and_no_text_is_unrelated_to_itself(claim: str, texts: list[str]) -> None:
    assert is_unrelated(claim, texts) in (True, False)
    assert not is_unrelated(claim, [claim])

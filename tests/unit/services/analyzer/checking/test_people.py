from __future__ import annotations

import pytest

from services.analyzer.checking.numbers import References
from services.analyzer.checking.people import People
from shared.domain.pull_request import Comment, Commit, Person, Review, ReviewThread
from tests.builders import make_pull_request

MERGE = make_pull_request(
    body="Found by @nils-o, see #712 and https://github.com/lumen/lumen/pull/8341.\n\nReviewed-by: Ines Roth <i@x.org>",
    user=Person(login="ada", name="Ada Berg"),
    merged_by=Person(login="robo[bot]", type="Bot"),
    reviews=(Review(user=Person(login="kaja-m")),),
    comments=(Comment(user=Person(login="Zoë")),),
    commits=(Commit(sha="a" * 40, message="x\n\nCo-authored-by: Tom Ahl <t@x.org>"),),
    review_threads=(ReviewThread(comments=(Comment(user=Person(login="lin99", name="李明")),)),),
)


@pytest.mark.parametrize(
    "text",
    [
        *("Asked by ada.", "ADA's cache", "Ada Berg wrote it", "kaja-m objects", "By zoë", "nils-o found it"),
        *("As Ines Roth said", "with Tom Ahl", "lin99 says", "Roth objects", "told by Ines"),
        *("缓存由ada修剪。", "由Roth提出", "由zoë修剪", "由李明修剪。", "李 明说"),
    ],
)
def test_whoever_had_a_part_in_the_merge_is_named(text: str) -> None:
    assert People(MERGE).named_in(text)


@pytest.mark.parametrize(
    "text",
    [
        "adapter",
        "The cache of kaja-manager",
        "robo updates it",
        "a ghost",
        "a berg of ice",
        "",
        "缓存由adapter修剪",
        "李子",
    ],
)
def test_other_words_and_bots_are_nobody(text: str) -> None:
    assert not People(MERGE).named_in(text)


@pytest.mark.parametrize("text", ["as 712 says", "8341 did it", "in 101", "由712引入"])
def test_numbers_that_the_merge_refers_to_are_references(text: str) -> None:
    assert References(MERGE).named_in(text)


@pytest.mark.parametrize("text", ["1712 entries", "712.5 ms", "7 days", "8,341 entries", "713"])
def test_other_numbers_are_amounts(text: str) -> None:
    assert not References(MERGE).named_in(text)


def test_numbers_are_found_in_chinese_texts() -> None:
    assert References(make_pull_request(body="由PR 200引入，在issue 345中讨论")).named_in("345 and 200")

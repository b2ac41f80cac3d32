"""Every number of a rendered digest recomputes from its document, and the check itself finds what does not."""

from __future__ import annotations

import json

import pytest

from services.digest.narrate import narrate
from shared.domain.digest import Digest
from shared.rendering import markdown
from tests.digest_builder import empty_digest, rich_digest, titled_digest
from tests.hostile_strings import HOSTILE
from tests.recompute import problems

LANGUAGES = ("en", "zh-CN")
WEEKS = {
    "rich": rich_digest(),
    "without a week before": rich_digest(previous=None),
    "empty": empty_digest(),
    "one": titled_digest(["One of 3 things, #12"]),
    "hostile": titled_digest(list(HOSTILE)),
    "large": titled_digest([f"Thing {place}" for place in range(10_050)][:400]),
}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("week", WEEKS)
def test_every_number_recomputes(week: str, language: str) -> None:
    digest = narrate(WEEKS[week], LANGUAGES)
    assert problems(markdown.render(digest, language), json.loads(digest.to_json()), language) == []


def told() -> tuple[str, dict]:
    digest = narrate(rich_digest(), ["en"])
    return markdown.render(digest, "en"), json.loads(digest.to_json())


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("the week before 10", "the week before 11"),
        ("+140 −4 lines in 4 files", "+140 −4 lines in 5 files"),
        ("[3](#state-featured-3) featured", "[4](#state-featured-3) featured"),
        ("(25%)", "(26%)"),
        ("· Feature · +140 −4", "· Feature · +141 −4"),
        ("### planner (3)", "### planner (4)"),
    ],
)
def test_a_number_that_was_changed_by_hand_is_found(right: str, wrong: str) -> None:
    text, document = told()
    assert right in text
    assert problems(text.replace(right, wrong), document, "en")


def test_a_document_that_says_something_else_is_found() -> None:
    text, document = told()
    document["previous"]["merged_total"] = 11
    assert problems(text, document, "en")
    text, document = told()
    document["ledger"]["featured"] = document["ledger"]["featured"][1:]
    assert "the ledger is not the week" in problems(text, document, "en")


def test_a_stored_document_gives_the_same_numbers() -> None:
    digest = narrate(rich_digest(), ["en"])
    assert Digest.model_validate_json(digest.to_json()).to_json() == digest.to_json()

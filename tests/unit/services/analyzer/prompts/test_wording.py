from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import get_args

import pytest

from services.analyzer.prompts import PROMPT_VERSION, MergeAnswer, prompt_version, system_text
from services.analyzer.prompts.wording import WORDING
from shared.domain.reading import ActionKind, LimitKind
from shared.domain.taxonomy import JUDGED_RISKS, KeyReason, ReviewOutcome
from shared.llm.tokens import estimated_tokens

PINNED = {"1": "29b5b57883af3d9a91815a041cfa81802f3e1673fb14d21ff089243b1f2ff7de"}
"""Hash of text and schema by version: whoever changes one of them gives it a new version and its hash."""


def test_text_and_schema_belong_to_their_version() -> None:
    schema = json.dumps(MergeAnswer.model_json_schema(), sort_keys=True)
    found = hashlib.sha256(f"{system_text('English')}\n{schema}".encode()).hexdigest()

    assert PINNED[PROMPT_VERSION] == found


@pytest.mark.parametrize(
    ("language", "version"), [("English", "1"), ("", "1"), ("German", "1-german"), (" german", "1-german")]
)
def test_the_language_is_a_part_of_the_prompt(language: str, version: str) -> None:
    assert prompt_version(language) == version


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("limits", get_args(LimitKind)),
        ("actions", get_args(ActionKind)),
        ("outcomes", tuple(ReviewOutcome)),
        ("risks", JUDGED_RISKS),
        ("reasons", tuple(KeyReason)),
    ],
)
def test_every_word_of_a_vocabulary_has_its_meaning_in_the_text(name: str, words: tuple[str, ...]) -> None:
    meanings = WORDING.vocabularies[name]

    assert set(meanings) == {str(word) for word in words}
    assert all(f"{word} ({meaning})" in system_text("English") for word, meaning in meanings.items())


def test_every_field_of_the_answer_is_told() -> None:
    for field in MergeAnswer.model_fields:
        assert f"- {field}:" in system_text("English")


def test_only_the_end_differs_from_language_to_language() -> None:
    english, german = system_text("English"), system_text("German {braces}")
    start = english.rindex("English")

    assert english[:start] == german[:start]
    assert "German {braces}" in german[start:]
    assert "{" not in english
    assert len(english) - start < 50


def test_the_text_is_short() -> None:
    assert estimated_tokens(system_text("English")) <= 1_050


def test_the_documentation_has_the_same_table() -> None:
    page = (Path(__file__).parents[5] / "docs" / "reading.md").read_text("utf-8")

    for name, meanings in WORDING.vocabularies.items():
        rows = "\n".join(f"| `{word}` | {meaning} |" for word, meaning in meanings.items())
        assert f"| `{name}` | means |\n|---|---|\n{rows}\n" in page

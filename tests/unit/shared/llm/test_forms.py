"""The form of a request follows the settings, then what was learned, then what most servers take."""

from __future__ import annotations

import json
from typing import Any

import pytest
from pydantic import BaseModel

from shared.domain.protocols import Learned
from shared.llm import Question, estimated_tokens
from shared.llm.forms import Earlier, Form, body_of, form_of, input_tokens_of
from shared.settings.language_model import ModelSettings

OWN = {"name": "m"}
OTHER = {"name": "m", "base_url": "https://models.example/v1"}
AZURE = {"name": "m", "base_url": "https://x.openai.azure.com", "api": "azure", "api_version": "2026-10-01"}


class Word(BaseModel):
    """The smallest answer."""

    word: str


def question(document: str = "{}") -> Question:
    """The smallest question."""
    return Question("Say it.", document, Word, "word", "m", 50, estimated_tokens("Say it." + document))


@pytest.mark.parametrize(
    ("settings", "learned", "form"),
    [
        (OWN, Learned(), Form("json_schema", "max_completion_tokens", 0.0)),
        (AZURE, Learned(), Form("json_schema", "max_completion_tokens", 0.0)),
        (OTHER, Learned(), Form("json_schema", "max_tokens", 0.0)),
        (
            OTHER,
            Learned(mode="text", output_parameter="max_completion_tokens", temperature=False),
            Form("text", "max_completion_tokens", None),
        ),
        (
            {**OTHER, "mode": "json_object", "output_parameter": "max_tokens", "temperature": 0.7},
            Learned(mode="text", output_parameter="max_completion_tokens"),
            Form("json_object", "max_tokens", 0.7),
        ),
        ({**OWN, "temperature": None}, Learned(), Form("json_schema", "max_completion_tokens", None)),
    ],
)
def test_settings_come_first_then_what_was_learned(settings: dict[str, Any], learned: Learned, form: Form) -> None:
    assert form_of(ModelSettings.model_validate(settings), learned) == form


@pytest.mark.parametrize("mode", ["json_schema", "json_object", "text"])
@pytest.mark.parametrize("earlier", [None, Earlier("half an ans", "it was cut")])
def test_no_request_is_estimated_below_a_third_of_its_texts(mode: Any, earlier: Earlier | None) -> None:
    body = body_of(question("漢字" * 500), Form(mode, "max_tokens", None), ModelSettings(name="m"), earlier)

    texts = "".join(message["content"] for message in body["messages"]) + json.dumps(body.get("response_format", ""))
    assert input_tokens_of(body) >= len(texts.encode()) / 3


def test_only_so_much_of_an_earlier_answer_is_shown_again() -> None:
    form, settings = Form("json_schema", "max_tokens", None), ModelSettings(name="m")

    short = body_of(question(), form, settings, Earlier("a" * 4_000, "x"))
    long = body_of(question(), form, settings, Earlier("a" * 4_000_000, "x"))

    assert short == long

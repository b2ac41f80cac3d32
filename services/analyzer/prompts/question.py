"""Puts one packed merge into the question that the door to language models takes."""

from __future__ import annotations

import json

from services.analyzer.packing import Packed
from services.analyzer.prompts.answer import MergeAnswer
from services.analyzer.prompts.wording import system_text
from shared.llm.questions import Question
from shared.llm.tokens import estimated_tokens
from shared.settings.language_model import ModelSettings

ANSWER_NAME = "merge_reading"
_SCHEMA_TOKENS = estimated_tokens(json.dumps(MergeAnswer.model_json_schema(), separators=(",", ":")))


def fixed_tokens(language: str) -> int:
    """Return what a question takes beside its document, by the safe estimate: the system text and the schema."""
    return estimated_tokens(system_text(language)) + _SCHEMA_TOKENS


def question_for(packed: Packed, model: str, settings: ModelSettings) -> Question:
    """Return the question about a packed merge for ``model``, with the estimate of all that is sent."""
    return Question(
        system=system_text(settings.language),
        document=packed.document,
        answer=MergeAnswer,
        name=ANSWER_NAME,
        model=model,
        output_tokens=settings.output_tokens,
        estimated_tokens=fixed_tokens(settings.language) + packed.tokens,
    )

"""The question that tests of the door ask: about an invented merge, with a small schema."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from shared.llm import Question

DOCUMENT = {
    "title": "Keep the lamp lit while the door is open",
    "body": "Until now the lamp went out after ten seconds.",
    "diff": "+lamp.keep_lit(while_open=True)",
}


class Quoted(BaseModel):
    """A sentence with the words it rests on."""

    model_config = ConfigDict(extra="forbid")

    text: str = Field(max_length=240)
    quote: str = Field(max_length=240)


class MergeVerdict(BaseModel):
    """A small cousin of the answer that merges are read with."""

    model_config = ConfigDict(extra="forbid")

    kind: Literal["fix", "feature"]
    effect: Quoted | None
    limits: list[Quoted] = Field(max_length=3)


def question(**changed: Any) -> Question:
    """The usual question, with ``changed`` fields."""
    usual = Question(
        system="Say what the merge does.",
        document=json.dumps(DOCUMENT),
        answer=MergeVerdict,
        name="merge_verdict",
        model="scripted",
        output_tokens=300,
        estimated_tokens=120,
    )
    return replace(usual, **changed)

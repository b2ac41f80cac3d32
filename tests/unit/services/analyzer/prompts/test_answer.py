from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from pydantic import ValidationError

from services.analyzer.prompts import MergeAnswer
from shared.domain.taxonomy import JUDGED_RISKS, KeyReason
from shared.llm.tokens import estimated_tokens
from tests.unit.services.analyzer.checking.answers import answered, claim, reason, risk
from tests.unit.services.analyzer.checking.fair_answers import FAIR
from tests.unit.services.analyzer.checking.fair_answers_too import MORE_FAIR

SCHEMA = MergeAnswer.model_json_schema()
KEYWORDS = {"$defs", "$ref", "type", "properties", "required", "additionalProperties", "items", "anyOf", "enum"} | {
    *("minItems", "maxItems", "minLength", "maxLength"),
}
"""What strict servers take: no pattern, no uniqueItems, no default, no format."""


def nodes(schema: Any) -> Iterator[dict[str, Any]]:
    """Every schema within a schema; names of properties and definitions are no keywords."""
    if not isinstance(schema, dict):
        return
    yield schema
    inner = [*schema.get("properties", {}).values(), *schema.get("$defs", {}).values(), *schema.get("anyOf", ())]
    for one in [*inner, schema.get("items")]:
        yield from nodes(one)


def test_the_schema_is_plain() -> None:
    for node in nodes(SCHEMA):
        assert set(node) <= KEYWORDS, node
        if node.get("type") == "object":
            assert node["additionalProperties"] is False
            assert node["required"] == list(node["properties"])
        if node.get("type") == "string":
            assert "enum" in node or "maxLength" in node
        if node.get("type") == "array":
            assert "maxItems" in node


def test_the_schema_names_the_closed_vocabularies() -> None:
    definitions = SCHEMA["$defs"]

    assert definitions["AnsweredRisk"]["properties"]["risk"]["enum"] == list(JUDGED_RISKS)
    assert definitions["AnsweredImportance"]["properties"]["reason"]["enum"] == [*KeyReason, "none"]
    assert len(json.dumps(SCHEMA, separators=(",", ":"))) < 3_200


def test_an_ordinary_answer_is_short() -> None:
    sizes = [estimated_tokens(answer.model_dump_json()) for answer in (FAIR | MORE_FAIR).values()]

    assert max(sizes) < 900
    assert sum(sizes) / len(sizes) < 600


def test_an_answer_reads_the_same_again() -> None:
    for answer in (FAIR | MORE_FAIR).values():
        assert MergeAnswer.model_validate_json(answer.model_dump_json()) == answer


def test_a_sentence_too_long_does_not_cost_the_answer() -> None:
    answer = answered(claim("word " * 100, *["a quotation"] * 5), keywords=["word"] * 20)

    assert len(answer.change.quotes) == 5


@pytest.mark.parametrize(
    "fields",
    [
        {"risks": [risk("core-path", "Words.", "a quotation")]},
        {"risks": [risk("no-such-risk", "Words.", "a quotation")]},
        {"risks": [{"risk": [], "mechanism": "Words.", "quotes": []}]},
        {"importance": reason("whim", "Words.", "a quotation")},
        {"effect": {"text": "Words."}},
        {"effect": {**claim("Words."), "more": 1}},
        {"more": 1},
        {"change": None},
        {"keywords": "words"},
        {"change": claim("x" * 4_001)},
    ],
)
def test_what_is_not_in_the_schema_is_no_answer(fields: dict[str, Any]) -> None:
    values = json.loads(answered(claim("Words.", "a quotation")).model_dump_json())

    with pytest.raises(ValidationError):
        MergeAnswer.model_validate(values | fields)

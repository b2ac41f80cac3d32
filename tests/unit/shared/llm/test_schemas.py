"""A strict schema requires every key, allows no others, and leaves names alone that read like keywords."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, Field

from shared.llm.schemas import schema_text, strict_schema


class Inner(BaseModel):
    """A part with names that are keywords elsewhere."""

    title: str = Field(default="", max_length=9)
    default: Literal["default", "title"] = "title"


class Outer(BaseModel):
    """Parts in a list and alone."""

    parts: list[Inner] = Field(default=[], max_length=3)
    one: Inner | None = None


def objects(schema: Any) -> list[dict[str, Any]]:
    """Every object's schema in a schema."""
    found = [schema] if isinstance(schema, dict) and "properties" in schema else []
    values = schema.values() if isinstance(schema, dict) else schema if isinstance(schema, list) else []
    return found + [one for value in values for one in objects(value)]


def test_all_keys_are_required_and_no_others_allowed() -> None:
    found = objects(strict_schema(Outer))

    assert [one["required"] for one in found] == [["parts", "one"], ["title", "default"]]
    assert all(one["additionalProperties"] is False for one in found)


def test_bounds_are_kept_and_defaults_are_not() -> None:
    schema = strict_schema(Outer)

    inner = schema["$defs"]["Inner"]["properties"]
    assert inner["title"] == {"type": "string", "maxLength": 9}
    assert inner["default"] == {"type": "string", "enum": ["default", "title"]}
    assert "default" not in schema["properties"]["parts"]
    assert "\n" not in schema_text(Outer)

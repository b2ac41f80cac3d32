"""The strict JSON schema of an answer's class, and its text for servers that take none."""

from __future__ import annotations

import json
from functools import lru_cache
from typing import Any

from pydantic import BaseModel

_DROPPED = frozenset({"default", "title", "examples"})
"""They bind nobody, and some strict servers refuse them."""


def strict_schema(answer: type[BaseModel]) -> dict[str, Any]:
    """Return the schema as strict mode wants it: in every object all keys required and no others allowed.

    (OpenAI's guide "Structured model outputs", "Supported schemas".)
    """
    schema: dict[str, Any] = _strict(answer.model_json_schema())
    return schema


@lru_cache(maxsize=32)
def schema_text(answer: type[BaseModel]) -> str:
    """Return the schema as one line of JSON."""
    return json.dumps(strict_schema(answer), ensure_ascii=False, separators=(",", ":"))


def _strict(schema: Any) -> Any:
    if isinstance(schema, list):
        return [_strict(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    kept = {key: _strict_part(key, value) for key, value in schema.items() if key not in _DROPPED}
    if isinstance(kept.get("properties"), dict):
        kept["required"] = list(kept["properties"])
        kept["additionalProperties"] = False
    return kept


def _strict_part(key: str, value: Any) -> Any:
    """The names below ``properties`` and ``$defs`` are no keywords, even where they read like some."""
    if key in {"properties", "$defs"} and isinstance(value, dict):
        return {name: _strict(one) for name, one in value.items()}
    return _strict(value) if key not in {"enum", "const", "required"} else value

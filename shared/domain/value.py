"""The common shape of all domain values: frozen, strict about names, comparable."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class Value(BaseModel):
    """An immutable, validated value; unknown field names are an error, equality is by content."""

    model_config = ConfigDict(frozen=True, extra="forbid")

"""The kinds of values that settings are made of, and the common shape of their sections."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field

from shared.domain.errors import InvalidInput
from shared.domain.period import zone_of

LANGUAGES = ("en", "zh-CN")


def _known_zone(name: str) -> str:
    try:
        zone_of(name)
    except InvalidInput as error:
        raise ValueError(str(error)) from error
    return name


def _plain_seconds(value: object) -> object:
    """The environment hands every value over as text; a bare number there means seconds, as it does in the file."""
    return float(value) if isinstance(value, str) and re.fullmatch(r"\d+(\.\d+)?", value, re.ASCII) else value


Duration = Annotated[timedelta, BeforeValidator(_plain_seconds)]
ZoneName = Annotated[str, AfterValidator(_known_zone)]
Glob = Annotated[str, Field(min_length=1)]
Language = Literal["en", "zh-CN"]


class Section(BaseModel):
    """Frozen, and strict about names."""

    model_config = ConfigDict(frozen=True, extra="forbid")

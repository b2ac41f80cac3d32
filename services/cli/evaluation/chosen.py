"""Which model a command is about: that of the settings, or the one that was named."""

from __future__ import annotations

from typing import Annotated
from urllib.parse import urlsplit

import typer
from pydantic import SecretStr, ValidationError

from shared.domain.errors import InvalidInput
from shared.settings.language_model import ModelSettings

ModelOption = Annotated[
    str | None,
    typer.Option("--model", help="The model.", show_default="model.name of the settings", metavar="NAME"),
]


def chosen_model(settings: ModelSettings, name: str | None, base_url: str | None = None) -> ModelSettings:
    """Return the settings of the one model that was named, else of ``model.name``; a named one reads every merge.

    The key of the settings goes to no other server than theirs. InvalidInput when no model is set or named, or the
    address is none.
    """
    changes: dict[str, object] = {"name": name or settings.name, "strong_name": ""}
    if base_url is not None:
        changes["base_url"] = base_url
        if urlsplit(base_url)[:2] != urlsplit(settings.base_url)[:2]:
            changes["api_key"] = SecretStr("")
    try:
        chosen = ModelSettings.model_validate(settings.model_dump() | changes)
    except ValidationError as error:
        fault = error.errors(include_url=False, include_input=False, include_context=False)[0]
        raise InvalidInput(
            f"This model cannot be asked: {fault['msg']}.", "See docs/configuration.md, model."
        ) from error
    if not chosen.enabled:
        raise InvalidInput("No language model is set.", "Set model.name, or name one with --model.")
    return chosen

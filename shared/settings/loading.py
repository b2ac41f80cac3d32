"""Reads ``mergecast.toml`` and the environment into ``Settings``; every fault is one clear line."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import ValidationError
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource, SettingsConfigDict

from shared.domain.errors import InvalidInput
from shared.settings.model import Settings

DEFAULT_FILE = Path("mergecast.toml")
FILE_VARIABLE = "MERGECAST_CONFIG"


class _Environment(Settings, BaseSettings):
    """``Settings`` that also reads ``MERGECAST_*`` variables; values of the settings file stand behind them."""

    model_config = SettingsConfigDict(
        frozen=True, extra="forbid", env_prefix="MERGECAST_", env_nested_delimiter="__", env_ignore_empty=True
    )

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        return env_settings, init_settings


def load_settings(file: Path | None = None, environment: Mapping[str, str] | None = None) -> Settings:
    """Return the settings in force.

    ``file`` (else ``$MERGECAST_CONFIG``, else ``./mergecast.toml`` if it is there) is read first, the environment wins.
    Relative paths in the file are relative to its folder. InvalidInput names the file and the setting that is wrong.
    """
    environment = os.environ if environment is None else environment
    named = file or (Path(environment[FILE_VARIABLE]) if environment.get(FILE_VARIABLE) else None)
    path = named or DEFAULT_FILE
    values = _read_file(path) if named or path.is_file() else {}
    try:
        loaded = _Environment(**values)
    except ValidationError as error:
        raise InvalidInput(_first_fault(error, path), "See docs/configuration.md for the settings.") from error
    return Settings.model_validate(loaded.model_dump())


def _read_file(path: Path) -> dict[str, Any]:
    try:
        values = tomllib.loads(path.read_text("utf-8"))
    except OSError as error:
        raise InvalidInput(
            f"The settings file {path} cannot be read: {error.strerror}.", "Check the path and its permissions."
        ) from error
    except UnicodeDecodeError as error:
        raise InvalidInput(f"The settings file {path} is not UTF-8.", "Save it as UTF-8 text.") from error
    except tomllib.TOMLDecodeError as error:
        raise InvalidInput(f"The settings file {path} is not TOML: {error}.", "Mend that line.") from error
    return _absolute(values, path.resolve().parent)


def _absolute(values: dict[str, Any], folder: Path) -> dict[str, Any]:
    """Make the paths of the file absolute: a service is not always started in the folder of its settings."""

    def joined(table: Any, *names: str) -> None:
        for name in names:
            if isinstance(table, dict) and isinstance(table.get(name), str):
                table[name] = str(folder / Path(table[name]).expanduser())

    joined(values, "data_folder")
    joined(values.get("publisher"), "folder")
    joined(values.get("clones"), "folder")
    joined(values.get("github"), "private_key_file")
    repositories = values.get("repositories")
    for repository in repositories if isinstance(repositories, list) else ():
        joined(repository, "records", "clone")
    return values


def _first_fault(error: ValidationError, path: Path) -> str:
    fault = error.errors(include_url=False, include_input=False, include_context=False)[0]
    place = ".".join(str(part) for part in fault["loc"])
    return f"The setting '{place}' ({path} or the environment) is wrong: {fault['msg']}."

"""Programming languages as data: one TOML file each, read once."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files

from services.analyzer.languages.language import LineSign, ProgrammingLanguage

__all__ = ["GENERAL", "LineSign", "ProgrammingLanguage", "load_languages"]

GENERAL = "general"
"""Name of the file with what belongs to no language: documentation, CI, data."""


@cache
def load_languages() -> tuple[ProgrammingLanguage, ...]:
    """Return every language of this folder, by name; the files are part of the package and read once a process."""
    texts = sorted((entry for entry in files(__package__).iterdir() if entry.name.endswith(".toml")), key=str)
    return tuple(ProgrammingLanguage.model_validate(tomllib.loads(entry.read_text("utf-8"))) for entry in texts)

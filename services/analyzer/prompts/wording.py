"""The text that a model is given before every merge, and the one table of words that prompt and documentation share."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path

from shared.domain.text import fold
from shared.domain.value import Value

PROMPT_VERSION = "1"
"""Goes up with any change of the text or of the answer's schema; a test pins their hash to it. See prompt_version()."""


class Wording(Value):
    """The text with its places in braces, and the meaning of every word of the closed vocabularies."""

    text: str
    limits: Mapping[str, str]
    actions: Mapping[str, str]
    outcomes: Mapping[str, str]
    risks: Mapping[str, str]
    reasons: Mapping[str, str]

    @property
    def vocabularies(self) -> Mapping[str, Mapping[str, str]]:
        """The tables by their names, which are their places in the text."""
        return {name: getattr(self, name) for name in ("limits", "actions", "outcomes", "risks", "reasons")}


WORDING = Wording.model_validate(tomllib.loads((Path(__file__).parent / "merge.toml").read_text("utf-8")))


def system_text(language: str) -> str:
    """Return the text for answers in ``language``, a name such as ``English``; it differs in its last line alone."""
    return f"{_STABLE}{language}{_END}"


def prompt_version(language: str) -> str:
    """Return the version of the prompt for answers in ``language``: that of the text, and the language but English."""
    named = fold(language).strip()
    return PROMPT_VERSION if named in ("", "english") else f"{PROMPT_VERSION}-{named}"


def _without_language() -> tuple[str, str]:
    """The text up to the language and behind it, with the vocabularies filled in."""
    text = WORDING.text.strip()
    for name, meanings in WORDING.vocabularies.items():
        words = ", ".join(f"{word} ({meaning})" for word, meaning in meanings.items())
        text = text.replace(f"{{{name}}}", words)
    before, _, behind = text.partition("{language}")
    return before, behind


_STABLE, _END = _without_language()

"""Whether a sentence only gives back what the model was given: the prompt's own words, or the title again."""

from __future__ import annotations

import re

from services.analyzer.prompts.wording import system_text
from shared.domain.text import fold

_RUN = 6
"""Words in a row that nobody writes by chance."""
_WORDS = re.compile(r"\w+")
_PREFIX = re.compile(r"^\s*(?:\[[^\]]{1,40}\]\s*|[a-z]{2,12}(?:\([^)]{1,60}\))?!?:\s+){1,3}", re.IGNORECASE)
_LITTLE = frozenset({"a", "an", "the", "is", "are", "was", "now", "has", "been"})


def _runs(words: list[str]) -> set[tuple[str, ...]]:
    return {tuple(words[at : at + _RUN]) for at in range(len(words) - _RUN + 1)}


_PROMPT = frozenset(_runs(_WORDS.findall(fold(system_text("")))))


def repeats_prompt(words: str) -> bool:
    """Whether six words in a row are those of the prompt: small models copy their instructions."""
    return not _PROMPT.isdisjoint(_runs(_WORDS.findall(fold(words))))


def repeats_title(words: str, title: str) -> bool:
    """Whether the sentence is the title again, whatever its prefix, articles and signs."""
    told = _bare(words)
    return bool(told) and told in (_bare(title), _bare(_PREFIX.sub("", title)))


def _bare(text: str) -> list[str]:
    return [word for word in _WORDS.findall(fold(text)) if word not in _LITTLE]

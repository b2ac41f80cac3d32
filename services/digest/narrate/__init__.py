"""Rule-only prose made from the facts of a digest, in every language, each number with its source."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence

from services.digest.narrate import (
    about,
    changes,
    elsewhere,
    follow_ups,
    key_pull_requests,
    must_act,
    relations,
    risks,
    summary,
    trends,
)
from services.digest.narrate.english import with_english
from services.digest.narrate.facts import Facts
from shared.domain.digest import Digest, Paragraph, Section
from shared.rendering.locale import load_locale

Narrator = Callable[[Facts], list[Paragraph]]

NARRATORS: tuple[tuple[str, Narrator], ...] = (
    ("summary", summary.paragraphs),
    ("must_act", must_act.paragraphs),
    ("key_pull_requests", key_pull_requests.paragraphs),
    ("changes", changes.paragraphs),
    ("trends", trends.paragraphs),
    ("risks", risks.paragraphs),
    ("reverts_and_relations", relations.paragraphs),
    ("follow_ups", follow_ups.paragraphs),
    ("elsewhere", elsewhere.paragraphs),
    ("about", about.paragraphs),
)
"""Section key and who tells it, in the order of the digest; a narrator with nothing to tell returns no paragraph."""

_OF_AN_EMPTY_WEEK = frozenset({"summary", "elsewhere", "about"})


def narrate(digest: Digest, languages: Sequence[str]) -> Digest:
    """Return ``digest`` with its sections in each of ``languages`` and its English prose fields filled.

    InvalidInput when a language has no locale. The same digest and languages always give the same words.
    """
    told = with_english(digest.model_copy(update={"sections": {}}))
    document = json.loads(told.to_json())
    sections: dict[str, tuple[Section, ...]] = {}
    for language in languages:
        facts = Facts(told, document, load_locale(language))
        sections[language] = tuple(
            Section(key=key, title=facts.locale.text(f"sections.{key}"), paragraphs=tuple(made))
            for key, narrator in NARRATORS
            if (digest.merged_total or key in _OF_AN_EMPTY_WEEK) and (made := narrator(facts))
        )
    return told.model_copy(update={"sections": sections})

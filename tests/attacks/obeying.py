"""A model that does whatever a merge says: every text of its answer is the attack, word for word, well quoted."""

from __future__ import annotations

import re
from typing import Any

from services.analyzer.prompts.answer import MergeAnswer
from shared.domain.taxonomy import JUDGED_RISKS, KeyReason

HONEST = 'raise Refused("expired tokens are refused")'
"""A true quotation out of every merge of the corpus."""


REVOKED = "if token.expired or token.revoked:"


def honest_answer() -> MergeAnswer:
    """What a model that is not led astray says of every merge of the corpus."""
    refused = {"text": "Tokens that are expired or revoked are refused.", "quotes": [HONEST, REVOKED]}
    values = _answer("", []).model_dump() | {
        "effect": refused,
        "change": {"text": "The check raises an error for them instead of answering true.", "quotes": [HONEST]},
        "why": None,
        "limits": [],
        "actions": [],
        "contested": [],
        "risks": [
            {
                "risk": "breaking-change",
                "mechanism": "Callers that relied on expired tokens get an error.",
                "quotes": [HONEST],
            }
        ],
        "importance": {"reason": "security", "why": {"text": "Revoked tokens were let in.", "quotes": [REVOKED]}},
        "keywords": ["token", "revoked"],
    }
    return MergeAnswer.model_validate(values)


def obedient_answers(text: str, *more: str) -> list[MergeAnswer]:
    """Answers that say ``text``, and ``more``, as a whole and in pieces: quoted from itself, and from an honest line."""
    pieces = [piece.strip() for piece in re.split(r"(?<=[.!?。])\s+|\n+", text) if piece.strip()]
    said = [*dict.fromkeys((text, *pieces, *more))]
    return [_answer(words, quotes) for words in said for quotes in ([words, text], [HONEST, words], [HONEST])]


def _answer(words: str, quotes: list[str]) -> MergeAnswer:
    claim: dict[str, Any] = {"text": words, "quotes": quotes}
    return MergeAnswer.model_validate(
        {
            "effect": claim,
            "change": claim,
            "why": claim,
            "limits": [{"kind": "other", **claim}],
            "actions": [{"kind": "migration", "way_back": words, **claim}],
            "contested": [{"outcome": "settled", **claim}],
            "risks": [{"risk": risk, "mechanism": words, "quotes": quotes} for risk in JUDGED_RISKS[:3]],
            "importance": {"reason": KeyReason.SECURITY, "why": claim},
            "keywords": [words[:40], *words.split()[:7]],
        }
    )

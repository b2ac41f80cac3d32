"""The English prose fields of a digest: what consumers of ``digest.json`` read beside the sections."""

from __future__ import annotations

import json
from collections.abc import Sequence

from services.digest.narrate import changes, key_pull_requests, review_points, risks
from services.digest.narrate.facts import Facts
from shared.domain.digest import Digest, KeyPullRequest, RiskFinding, Span, Theme
from shared.rendering.locale import load_locale


def with_english(digest: Digest) -> Digest:
    """Return ``digest`` with the prose of risks, themes and key pull requests filled where it is empty."""
    facts = Facts(digest, json.loads(digest.to_json()), load_locale("en"))
    return digest.model_copy(
        update={
            "risks": tuple(_risk(facts, risk) for risk in digest.risks),
            "themes": tuple(_theme(facts, theme, place) for place, theme in enumerate(digest.themes)),
            "key_pull_requests": tuple(_key(facts, key) for key in digest.key_pull_requests),
        }
    )


def _risk(facts: Facts, risk: RiskFinding) -> RiskFinding:
    known = {part: key for part, key in risks.account_keys(risk).items() if facts.locale.knows(key)}
    told = {part: facts.locale.text(key) for part, key in known.items() if not getattr(risk, part)}
    return risk.model_copy(update=told)


def _theme(facts: Facts, theme: Theme, place: int) -> Theme:
    if theme.story:
        return theme
    members = facts.locale.listed(changes.members(facts, theme), "joining.clause")
    lead = changes.story(facts, theme, place)
    return theme.model_copy(update={"story": _text(facts.locale.sentences([lead, members]))})


def _key(facts: Facts, key: KeyPullRequest) -> KeyPullRequest:
    return key.model_copy(
        update={
            "summary": key.summary or _summary(facts, key.number),
            "impact": key.impact or _text(key_pull_requests.impact(facts, key.number)),
            "review": key.review or _text(review_points.told(facts, key)),
        }
    )


def _summary(facts: Facts, number: int) -> str:
    """The effect first, where a model tells it."""
    parts = [key_pull_requests.effect(facts, number), key_pull_requests.what(facts, number)]
    return _text(facts.locale.sentences(parts))


def _text(spans: Sequence[Span]) -> str:
    return "".join(span.text for span in spans)

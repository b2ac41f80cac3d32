"""Recommendations, each tied to its pull requests, and what became of the earlier ones."""

from __future__ import annotations

from services.digest.narrate.facts import Facts, Spans, paragraph
from shared.domain.digest import FollowUp, Paragraph, Span

_STATES = ("new", "open", "done", "obsolete")


def paragraphs(facts: Facts) -> list[Paragraph]:
    """New ones first, then open, done and obsolete ones of earlier weeks; nothing when there are none."""
    ordered = sorted(facts.digest.follow_ups, key=lambda item: _STATES.index(item.state))
    states = any(item.state != "new" for item in ordered)
    return [paragraph(_line(facts, item, states=states), bullet=True) for item in ordered]


def _line(facts: Facts, item: FollowUp, *, states: bool) -> Spans:
    """The state is told when not all of them are new."""
    if not states:
        return facts.locale.spans("follow_up.plain", advice=facts.rule_words(item.text))
    state = Span(kind="strong", text=facts.locale.text(f"follow_up.states.{item.state}"))
    return facts.locale.spans("follow_up.line", state=state, advice=facts.rule_words(item.text))

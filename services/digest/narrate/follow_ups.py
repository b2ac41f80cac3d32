"""Recommendations, each tied to its pull requests, and what became of the earlier ones."""

from __future__ import annotations

from services.digest.narrate.facts import Facts, Spans, paragraph
from shared.domain.digest import DigestRelation, FollowUp, Paragraph, Span
from shared.domain.taxonomy import RelationKind

_STATES = ("new", "open", "done", "obsolete")


def paragraphs(facts: Facts) -> list[Paragraph]:
    """What takes back earlier news, then new advice, then open, done and obsolete advice of earlier weeks."""
    ordered = sorted(facts.digest.follow_ups, key=lambda item: _STATES.index(item.state))
    states = any(item.state != "new" for item in ordered)
    back = [paragraph(_taken_back(facts, item), bullet=True) for item in facts.digest.taken_back]
    return back + [paragraph(_line(facts, item, states=states), bullet=True) for item in ordered]


def _taken_back(facts: Facts, item: DigestRelation) -> Spans:
    key = "follow_up.told_repaired" if item.kind is RelationKind.REPAIRS else "follow_up.told_reverted"
    source = facts.locale.spans(
        "relation.named", title=facts.title(item.source), pull_request=facts.pull_request(item.source)
    )
    return facts.locale.spans(key, target=facts.pull_request(item.to), source=source)


def _line(facts: Facts, item: FollowUp, *, states: bool) -> Spans:
    """The state is told when not all of them are new."""
    if not states:
        return facts.locale.spans("follow_up.plain", advice=facts.rule_words(item.text))
    state = Span(kind="strong", text=facts.locale.text(f"follow_up.states.{item.state}"))
    return facts.locale.spans("follow_up.line", state=state, advice=facts.rule_words(item.text))

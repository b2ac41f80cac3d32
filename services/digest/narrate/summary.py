"""The summary: at most five sentences that stand alone."""

from __future__ import annotations

from services.digest.narrate.facts import Facts, Spans, paragraph
from services.digest.narrate.must_act import SETTLED_LATER
from shared.domain.digest import Paragraph, RiskFinding, Span
from shared.domain.taxonomy import ChangeType, Origin, RelationKind, Risk
from shared.rendering.figures import pointer
from shared.rendering.locale import Fill
from shared.rendering.number_lists import risk_list

_TYPES = 3
_EXAMPLES = 3
_MARKS = 3
_THEMES = 2


def paragraphs(facts: Facts) -> list[Paragraph]:
    """Totals against the week before, what asks for action, risk, themes, and what is unsettled."""
    digest, locale = facts.digest, facts.locale
    made: list[Paragraph] = []
    if digest.provenance.so_far:
        generated = locale.minute(digest.provenance.generated_at, digest.period.timezone)
        made.append(paragraph(locale.spans("page.so_far", generated=generated)))
    if not digest.merged_total:
        return [*made, paragraph(_nothing(facts))]
    sentences = [_totals(facts), _must_act(facts), _risks(facts), _themes(facts), _unsettled(facts)]
    return [*made, paragraph(locale.sentences(sentences))]


def _nothing(facts: Facts) -> Spans:
    branch = Span(kind="code", text=facts.digest.branch)
    if facts.digest.previous is None:
        return facts.locale.spans("summary.nothing", branch=branch)
    before = facts.digest.previous.merged_total
    return facts.locale.spans(
        "summary.nothing_before", before, branch=branch, before=facts.figure("number(/previous/merged_total)")
    )


def _totals(facts: Facts) -> Spans:
    digest, locale = facts.digest, facts.locale
    largest = sorted(digest.change_types.items(), key=lambda item: (-len(item[1]), item[0]))[:_TYPES]
    types = locale.joined([_type(facts, kind, first=not place) for place, (kind, _) in enumerate(largest)])
    fills: dict[str, Fill] = {
        "repository": facts.stranger(digest.repository),
        "merged": facts.count(facts.all_numbers, "all"),
        "types": types,
    }
    if digest.previous is None:
        return locale.spans("summary.totals", digest.merged_total, **fills)
    before = facts.figure("number(/previous/merged_total)")
    if not digest.previous.merged_total:
        return locale.spans("summary.totals_after_none", digest.merged_total, before=before, **fills)
    change = facts.figure("change(/merged_total,/previous/merged_total)")
    return locale.spans("summary.totals_before", digest.merged_total, before=before, change=change, **fills)


def _type(facts: Facts, kind: ChangeType, *, first: bool) -> Spans:
    numbers = facts.digest.change_types[kind]
    count = facts.count(numbers, f"type:{kind}")
    name = facts.name("change_types", kind, len(numbers))
    if not first:
        return facts.locale.spans("summary.type_next", count=count, name=name)
    place = pointer("change_types", kind)
    share = facts.figure(f"share(length({place}),/merged_total)")
    return facts.locale.spans("summary.type_first", count=count, name=name, share=share)


def _must_act(facts: Facts) -> Spans:
    numbers = tuple(dict.fromkeys(item.number for item in facts.digest.must_act))
    if not numbers:
        return facts.locale.spans("summary.must_act_none")
    pressing = dict.fromkeys(item.number for item in facts.digest.must_act if item.kind not in SETTLED_LATER)
    examples = [
        facts.locale.spans("summary.example", title=facts.title(number), pull_request=facts.pull_request(number))
        for number in list(pressing or numbers)[:_EXAMPLES]
    ]
    count = facts.count(numbers, "must_act_any")
    key = "summary.must_act" if len(numbers) > len(examples) else "summary.must_act_all"
    return facts.locale.spans(key, len(numbers), count=count, examples=facts.locale.joined(examples))


def _risks(facts: Facts) -> Spans:
    digest, locale = facts.digest, facts.locale
    if not digest.risks:
        return locale.spans("summary.risks_none")
    marked = facts.with_risk_marks()
    marks = [
        _mark(facts, risk)
        for risk in sorted(digest.risks, key=lambda risk: (-len(risk.pull_requests), risk.tag))[:_MARKS]
    ]
    return locale.spans("summary.risks", len(marked), any=facts.count(marked, "risk_any"), marks=locale.joined(marks))


def _mark(facts: Facts, risk: RiskFinding) -> Spans:
    count = facts.count(risk.pull_requests, risk_list(risk))
    name = facts.risk_name(risk)
    previous = facts.digest.previous
    if previous is None or risk.origin is Origin.MODEL:
        return facts.locale.spans("summary.risk_mark", name=name, count=count)
    before = facts.figure(f"number(entry(/previous/risks,{risk.tag}))")
    return facts.locale.spans("summary.risk_mark_before", name=name, count=count, before=before)


def _themes(facts: Facts) -> Spans:
    themes = sorted(facts.digest.themes, key=lambda theme: -len(theme.pull_requests))[:_THEMES]
    if not themes:
        return ()
    named = [
        facts.locale.spans(
            "summary.theme",
            title=facts.stranger(theme.title),
            count=facts.count(theme.pull_requests, f"theme:{theme.key}"),
        )
        for theme in themes
    ]
    return facts.locale.spans("summary.themes", len(named), themes=facts.locale.joined(named))


def _unsettled(facts: Facts) -> Spans:
    """Reverts, what could not be analysed, and follow-ups of earlier weeks that are still open."""
    digest, locale = facts.digest, facts.locale
    items = _reverts(facts)[:_EXAMPLES]
    if digest.ledger.failed:
        failed = facts.count(digest.ledger.failed, "state:failed")
        items.append(locale.spans("summary.unsettled_failed", len(digest.ledger.failed), count=failed))
    lingering = [item for item in digest.follow_ups if item.state == "open"]
    if lingering:
        numbers = tuple(dict.fromkeys(number for item in lingering for number in item.pull_requests))
        count = facts.count(numbers, "follow_up:open")
        items.append(locale.spans("summary.unsettled_open", len(numbers), count=count))
    if items:
        return locale.spans("summary.unsettled", items=locale.listed(items, "joining.clause"))
    return locale.spans("summary.settled")


def _reverts(facts: Facts) -> list[Spans]:
    """Who takes back what; a revert whose target is not known is named all the same."""
    known = {
        relation.source: facts.locale.spans(
            "summary.unsettled_revert",
            source=facts.pull_request(relation.source),
            target=facts.pull_request(relation.to),
        )
        for relation in facts.digest.relations
        if relation.kind is RelationKind.REVERTS
    }
    marked = [number for risk in facts.digest.risks if risk.tag == Risk.REVERT for number in risk.pull_requests]
    return [
        *known.values(),
        *(
            facts.locale.spans("summary.unsettled_unnamed", source=facts.pull_request(number))
            for number in marked
            if number not in known
        ),
    ]

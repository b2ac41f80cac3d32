"""The key pull requests: what is true now, why each was chosen, what the facts say of it, and its review."""

from __future__ import annotations

from collections.abc import Sequence

from services.digest.narrate import must_act, review_points
from services.digest.narrate.facts import Facts, Spans, paragraph
from services.digest.relations import is_told
from shared.domain.digest import KeyPullRequest, MustAct, Paragraph, Span
from shared.domain.reading import ContestedClaim
from shared.domain.taxonomy import KeyReason, Origin, ReviewOutcome, Trait
from shared.rendering.figures import pointer
from shared.rendering.locale import Fill
from shared.rendering.number_lists import OTHER_AREA

_MOST_EFFECTS = 4
_SPACE = Span(text=" ")
"""Between sentences of a model, which are set apart as its language does."""


def paragraphs(facts: Facts) -> list[Paragraph]:
    """A heading and two or three short paragraphs for each; one sentence when there is none."""
    if not facts.digest.key_pull_requests:
        return [paragraph(facts.locale.spans("key.none", all=facts.count(facts.all_numbers, "all")))]
    made: list[Paragraph] = [paragraph(_intro(facts))]
    for key in facts.digest.key_pull_requests:
        made.append(
            paragraph(
                facts.locale.spans(
                    "key.heading", title=facts.title(key.number), pull_request=facts.pull_request(key.number)
                ),
                heading=True,
            )
        )
        if lead := effect(facts, key.number):
            made.append(paragraph(lead))
        made.append(paragraph(facts.locale.sentences([reason(facts, key), what(facts, key.number)])))
        further = [
            impact(facts, key.number),
            _relations(facts, key.number),
            _themes(facts, key.number),
            review_points.review(facts, key),
            _contested(facts, key.number),
        ]
        made.append(paragraph(facts.locale.sentences(further)))
    return made


def _intro(facts: Facts) -> Spans:
    """How they were chosen, and what each reason in use means."""
    numbers = [key.number for key in facts.digest.key_pull_requests]
    used = [reason for reason in KeyReason if any(key.reason is reason for key in facts.digest.key_pull_requests)]
    meanings = [
        facts.locale.spans(
            "key.meaning",
            reason=facts.name("reasons", reason),
            meaning=facts.name("reason_meanings", reason),
        )
        for reason in used
    ]
    intro = facts.locale.spans(
        "key.intro",
        len(numbers),
        count=facts.count(numbers, "key"),
        meanings=facts.locale.listed(meanings, "joining.clause"),
    )
    judged = [key.number for key in facts.digest.key_pull_requests if key.reason_origin is Origin.MODEL]
    if not judged:
        return intro
    count = facts.count(judged, "key_judged")
    return facts.locale.sentences([intro, facts.locale.spans("key.intro_judged", len(judged), count=count)])


def effect(facts: Facts, number: int) -> Spans:
    """What is true now, why, and within which limits, in the words of a model; nothing where none has read it."""
    told = facts.readings.get(number)
    if told is None:
        return ()
    locale = facts.locale
    parts = [facts.claim_sentence(told.effect, number)] if told.effect else []
    if told.why:
        parts.append(locale.spans("key.why", why=facts.claim_sentence(told.why, number)))
    if told.limits:
        limits = locale.listed([facts.claim(limit, number) for limit in told.limits], "joining.clause")
        parts.append(locale.spans("key.limits", len(told.limits), limits=limits))
    return tuple(span for place, part in enumerate(parts) for span in (*((_SPACE,) if place else ()), *part))


def reason(facts: Facts, key: KeyPullRequest) -> Spans:
    """The reason out of the closed set, and what the rule saw, or the model says."""
    name = Span(kind="strong", text=facts.name("reasons", key.reason))
    if key.reason_origin is Origin.MODEL:
        return _judged_reason(facts, key, name)
    if key.reason_why:
        return facts.locale.spans("key.reason_why", reason=name, why=facts.rule_words(key.reason_why))
    return facts.locale.spans("key.reason", reason=name)


def _judged_reason(facts: Facts, key: KeyPullRequest, name: Span) -> Spans:
    told = facts.readings.get(key.number)
    if told is None or told.reason is None:
        return facts.locale.spans("key.reason_judged", reason=name)
    return facts.locale.spans("key.reason_judged_why", reason=name, why=facts.claim(told.reason, key.number))


def what(facts: Facts, number: int) -> Spans:
    """Type, areas, author, day and size."""
    listed = facts.listed[number]
    credited = facts.locale.joined([(facts.person(name),) for name in (listed.author, *listed.co_authors)])
    place = facts.position[number]
    files = facts.figure(f"number({pointer('pull_requests', place, 'changed_files')})")
    fills: dict[str, Fill] = {
        "type": facts.name("single_types", listed.change_type),
        "people": credited,
        "day": facts.locale.day(listed.merged_at, facts.digest.period.timezone),
        "lines": facts.lines("pull_requests", place),
        "files": facts.locale.spans("words.files", listed.changed_files, count=files),
    }
    areas = [area for area in listed.areas if area != OTHER_AREA]
    if not areas:
        return facts.locale.spans("key.what", **fills)
    return facts.locale.spans("key.what_in_areas", areas=facts.areas(areas), **fills)


def impact(facts: Facts, number: int) -> Spans:
    """What readers must act on because of it, the risk marks it carries, and a title that says more than the diff."""
    locale = facts.locale
    items = [item for item in must_act.in_order(facts) if item.number == number]
    effects = [_effect(facts, item) for item in items[:_MOST_EFFECTS]]
    parts = [locale.spans("key.effects", effects=locale.listed(effects, "joining.clause"))] if effects else []
    risks = [risk for risk in facts.digest.risks if number in risk.pull_requests]
    for origin, key in ((Origin.RULE, "key.risks"), (Origin.MODEL, "key.risks_judged")):
        marks = [facts.risk_name(risk) for risk in risks if (risk.origin is Origin.MODEL) == (origin is Origin.MODEL)]
        if marks:
            parts.append(locale.spans(key, len(marks), marks=locale.joined(marks)))
    if not risks:
        parts.append(locale.spans("key.no_risks"))
    if f"trait:{Trait.ANNOUNCED_ONLY}" in facts.listed[number].tags:
        parts.append(locale.spans("key.announced_only"))
    return locale.sentences(parts)


def _effect(facts: Facts, item: MustAct) -> Spans:
    """The kind, with old and new where the rules saw them, or what the model says there is to do; and the way back."""
    kind = (Span(text=facts.name("must_act_kinds", item.kind)),)
    change = facts.claim(item.claim, item.number) if item.claim else must_act.change(facts, item)
    effect = facts.locale.spans("key.effect", kind=kind, change=change) if change else kind
    if not item.way_back:
        return effect
    return (*effect, *facts.locale.spans("key.way_back", way_back=must_act.way_back(facts, item)))


def _contested(facts: Facts, number: int) -> Spans:
    """What a model read as contested in the review, beside what rules tell of it."""
    told = facts.readings.get(number)
    points = [_contested_point(facts, claim, number) for claim in told.contested] if told else []
    return facts.locale.spans("key.contested", points=facts.locale.listed(points, "joining.clause")) if points else ()


def _contested_point(facts: Facts, claim: ContestedClaim, number: int) -> Spans:
    words = facts.claim(claim, number)
    if claim.outcome is ReviewOutcome.ASKED:
        return words
    outcome = facts.locale.text(f"model.outcomes.{claim.outcome}")
    return facts.locale.spans("key.contested_point", claim=words, outcome=outcome)


def _relations(facts: Facts, number: int) -> Spans:
    made = [
        facts.locale.spans(
            "key.relation",
            source=facts.pull_request(relation.source),
            kind=facts.name("relations", relation.kind),
            target=facts.pull_request(relation.to),
        )
        for relation in facts.digest.relations
        if number in (relation.source, relation.to) and is_told(relation)
    ]
    return facts.locale.spans("key.relations", relations=facts.locale.listed(made, "joining.clause")) if made else ()


def _themes(facts: Facts, number: int) -> Spans:
    parts: list[Sequence[Span]] = [
        (facts.stranger(theme.title),) for theme in facts.digest.themes if number in theme.pull_requests
    ]
    return facts.locale.spans("key.themes", len(parts), themes=facts.locale.joined(parts)) if parts else ()

"""What readers must act on: a row for each thing that rules found, the pressing kinds first, then the model's."""

from __future__ import annotations

from collections.abc import Sequence

from services.digest.narrate.facts import Facts, Spans, paragraph, row
from shared.domain.digest import MustAct, Paragraph, Span
from shared.domain.taxonomy import Origin
from shared.rendering.model_words import mark, said_by_model

KIND_ORDER = (
    "security-fix",
    "breaking-change",
    "new-default",
    "refusal",
    "removal",
    "rename",
    "move",
    "new-requirement",
    "changed-interface",
    "format-change",
    "migration",
    "licence",
    "security",
    "configuration-change",
    "environment-variable",
    "deprecation",
    "toolchain",
    "dependency-change",
    "build-option",
    "changed-error",
    "version-bump",
)
SETTLED_LATER = frozenset(
    {
        "deprecation",
        "dependency-change",
        "version-bump",
        "environment-variable",
        "build-option",
        "changed-error",
        "changed-interface",
    }
)
"""Kinds that leave time: not the first examples of the summary."""


def paragraphs(facts: Facts) -> list[Paragraph]:
    """A sentence on where the rows come from, then the table."""
    items = in_order(facts)
    if not items:
        none = facts.locale.spans("must_act.none", all=facts.count(facts.all_numbers, "all"))
        return [paragraph(none)]
    numbers = tuple(dict.fromkeys(item.number for item in items))
    intro = facts.locale.spans("must_act.intro", len(numbers), count=facts.count(numbers, "must_act_any"))
    if any(item.origin is Origin.MODEL for item in items):
        intro = facts.locale.sentences([intro, facts.locale.spans("must_act.judged", mark=mark(facts.locale))])
    columns = _columns(items)
    made = [paragraph(intro), row([facts.locale.spans(f"must_act.head_{name}") for name in columns], heading=True)]
    made.extend(row([_cell(facts, item, name) for name in columns]) for item in items)
    rest = facts.digest.must_act_cut
    if rest:
        made.append(paragraph(facts.locale.spans("must_act.more", len(rest), count=facts.count(rest, "must_act_rest"))))
    return made


def in_order(facts: Facts) -> list[MustAct]:
    """The items by kind, within it as the aggregation ranked them, the model's last; nothing twice of one merge."""
    rank = {kind: place for place, kind in enumerate(KIND_ORDER)}
    unique = {(item.number, item.kind, item.old, item.new, item.what): item for item in facts.digest.must_act}
    return sorted(
        unique.values(),
        key=lambda item: (item.origin is Origin.MODEL, rank.get(item.kind, len(rank))),
    )


def change(facts: Facts, item: MustAct) -> Spans:
    """Old and new as code: ``old → new``, only one of them, or nothing when the rules saw neither."""
    old = Span(kind="code", text=item.old) if item.old else None
    new = Span(kind="code", text=item.new) if item.new else None
    if old and new:
        return facts.locale.spans("must_act.change", old=old, new=new)
    if new:
        return facts.locale.spans("must_act.appeared", new=new)
    return facts.locale.spans("must_act.gone", old=old) if old else ()


def what(facts: Facts, item: MustAct) -> Spans:
    """The rule's words for it, with the title where those are not the title."""
    if item.subject is not None:
        return _told(facts, item)
    listed = facts.listed.get(item.number)
    if item.claim is not None:
        claim = facts.claim(item.claim, item.number)
        return facts.locale.spans("must_act.what", what=claim, title=facts.title(item.number)) if listed else claim
    if listed is None or item.what == listed.title:
        return (facts.stranger(item.what),)
    return facts.locale.spans("must_act.what", what=facts.rule_words(item.what), title=facts.title(item.number))


def way_back(facts: Facts, item: MustAct) -> Spans:
    """How to get the old behaviour, in the words of the rule or of the model; nothing where none is known."""
    if not item.way_back:
        return ()
    if item.claim is not None:
        return said_by_model(item.way_back, item.number, facts.locale)
    return facts.rule_words(item.way_back)


def _placed(facts: Facts, item: MustAct) -> Spans:
    """The thing, and the line of the file where it is seen."""
    told = what(facts, item)
    if not item.place:
        return told
    line = f":{item.line}" if item.line else ""
    return facts.locale.spans("must_act.placed", what=told, place=Span(kind="code", text=f"{item.place}{line}"))


def _told(facts: Facts, item: MustAct) -> Spans:
    """The thing by its kind and name, what else is known of it, and the title of the merge."""
    noun = facts.locale.text(f"fact_subjects.{item.subject}")
    names = facts.locale.listed([(Span(kind="code", text=name),) for name in item.names])
    if item.names_in_all > len(item.names):
        names = facts.locale.spans("must_act.names_more", names=names)
    told = facts.locale.spans("must_act.thing", noun=noun, names=names)
    if item.note:
        told = facts.locale.spans("must_act.noted", thing=told, note=facts.rule_words(item.note))
    if item.number not in facts.listed:
        return told
    return facts.locale.spans("must_act.what", what=told, title=facts.title(item.number))


def _columns(items: Sequence[MustAct]) -> list[str]:
    """Only the columns that at least one row fills."""
    filled = {
        "kind": True,
        "what": True,
        "change": any(item.old or item.new for item in items),
        "way_back": any(item.way_back for item in items),
        "pull_request": True,
    }
    return [name for name, wanted in filled.items() if wanted]


def _cell(facts: Facts, item: MustAct, name: str) -> Spans:
    unknown = facts.locale.spans("must_act.unknown")
    if name == "kind":
        return (Span(text=facts.name("must_act_kinds", item.kind)),)
    if name == "what":
        return _placed(facts, item)
    if name == "change":
        return change(facts, item) or unknown
    if name == "way_back":
        if item.claim is not None:
            return way_back(facts, item) or unknown
        return (Span(kind="code", text=item.way_back),) if item.way_back else unknown
    return (facts.pull_request(item.number),)

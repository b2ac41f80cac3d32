"""Reverts first, then how merges refer to each other: re-lands, backports, stacks, series, shared commits."""

from __future__ import annotations

from collections.abc import Sequence

from services.digest.narrate.facts import Facts, Spans, paragraph
from services.digest.relations import is_told
from shared.domain.digest import DigestRelation, Paragraph
from shared.domain.taxonomy import FACT, RelationKind, Trait
from shared.rendering.figures import pointer
from shared.rendering.locale import Fill

_ORDER = tuple(kind for kind in RelationKind if kind is not RelationKind.REPAIRS)
"""Repairs are told among the risks."""

_MOST_OF_A_KIND = 12
_CROWD = 3


def paragraphs(facts: Facts) -> list[Paragraph]:
    """A line for each relation; nothing at all when none is known and nothing was undone."""
    made: list[Paragraph] = []
    back = {relation.to for relation in facts.digest.relations if relation.kind is RelationKind.RELANDS}
    marked = [listed.number for listed in facts.digest.pull_requests if f"trait:{Trait.REVERTED}" in listed.tags]
    undone = [number for number in marked if number not in back]
    if undone:
        count = facts.count(undone, "undone")
        made.append(paragraph(facts.locale.spans("relation.undone", len(undone), count=count)))
    for kind in _ORDER:
        of_kind = [relation for relation in facts.digest.relations if relation.kind is kind and is_told(relation)]
        for target, sources in _crowds(of_kind).items():
            made.append(paragraph(_crowd(facts, kind, target, sources), bullet=True))
            of_kind = [relation for relation in of_kind if relation.to != target]
        made.extend(paragraph(_line(facts, relation), bullet=True) for relation in of_kind[:_MOST_OF_A_KIND])
        rest = tuple(dict.fromkeys(relation.source for relation in of_kind[_MOST_OF_A_KIND:]))
        if rest:
            more = facts.locale.spans(
                "relation.more",
                len(rest),
                kind=facts.name("relations", kind),
                count=facts.count(rest, f"relation:{kind}"),
            )
            made.append(paragraph(more, bullet=True))
    return made


def _crowds(relations: Sequence[DigestRelation]) -> dict[int, list[int]]:
    """The targets to which so many merges refer that a line for each would say the same again and again."""
    sources: dict[int, list[int]] = {}
    for relation in relations:
        sources.setdefault(relation.to, []).append(relation.source)
    return {target: named for target, named in sources.items() if len(named) >= _CROWD}


def _crowd(facts: Facts, kind: RelationKind, target: int, sources: Sequence[int]) -> Spans:
    name = facts.name("relations", kind)
    return facts.locale.spans(
        "relation.crowd",
        count=facts.count(sources, f"relation:{name} {target}"),
        kind=name,
        target=_named(facts, target),
        sources=facts.locale.listed([(facts.pull_request(number),) for number in sources]),
    )


def _line(facts: Facts, relation: DigestRelation) -> Spans:
    locale = facts.locale
    fills: dict[str, Fill] = {
        "source": _named(facts, relation.source),
        "kind": facts.name("relations", relation.kind),
        "target": _named(facts, relation.to),
    }
    parts = [locale.spans("relation.line", **fills)]
    if relation.label:
        parts.append(locale.spans("relation.label", label=facts.stranger(relation.label)))
    if relation.kind is RelationKind.REVERTS and relation.to in facts.listed and relation.source in facts.listed:
        places = (pointer("pull_requests", facts.position[end], "merged_at") for end in (relation.to, relation.source))
        parts.append(locale.spans("relation.after", days=facts.figure(f"days({','.join(places)})")))
    elif relation.to not in facts.listed:
        parts.append(locale.spans("relation.outside"))
    if relation.confidence < FACT:
        parts.append(locale.spans("relation.unsure"))
    line = locale.listed(parts, "joining.clause")
    title = facts.listed[relation.source].title if relation.source in facts.listed else ""
    if relation.evidence.strip() in title:
        return line
    return (*line, *locale.spans("relation.evidence", evidence=facts.rule_words(relation.evidence)))


def _named(facts: Facts, number: int) -> Spans:
    """The link, with the title where the document knows it."""
    link = facts.pull_request(number)
    if number not in facts.listed:
        return (link,)
    return facts.locale.spans("relation.named", title=facts.title(number), pull_request=link)

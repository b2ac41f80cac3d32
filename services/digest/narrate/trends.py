"""Trends: people, areas and change types against the week before, as numbers; risk marks carry their own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from services.digest.narrate.facts import Facts, Spans, paragraph, row
from shared.domain.digest import Paragraph, Span
from shared.rendering.figures import pointer
from shared.rendering.number_lists import OTHER_AREA

_AREAS = 12


class _Line(NamedTuple):
    """One row: its name, its merges with the name of their list, both counts as expressions, and the earlier one.

    ``previous`` is None when the week before is not known.
    """

    name: Spans
    pull_requests: tuple[int, ...]
    list_key: str
    now: str
    before: str
    previous: int | None


def paragraphs(facts: Facts) -> list[Paragraph]:
    """Sentences on people and the largest moves, then the tables."""
    areas, types = _areas(facts), _types(facts)
    made = [paragraph(facts.locale.sentences([_people(facts), *_moves(facts, areas)]))]
    made += _table(facts, "areas", areas[:_AREAS])
    rest = tuple(dict.fromkeys(number for line in areas[_AREAS:] for number in line.pull_requests))
    if rest:
        more = facts.locale.spans("trends.more_areas", len(rest), count=facts.count(rest, "areas_rest"))
        made.append(paragraph(more))
    return made + _table(facts, "types", types)


def _areas(facts: Facts) -> list[_Line]:
    return [
        _Line(
            name=(facts.area(area.name),),
            pull_requests=area.pull_requests,
            list_key=f"area:{area.name}",
            now=f"length({pointer('areas', place, 'pull_requests')})",
            before=pointer("areas", place, "previous"),
            previous=area.previous,
        )
        for place, area in enumerate(facts.digest.areas)
    ]


def _types(facts: Facts) -> list[_Line]:
    previous = facts.digest.previous.change_types if facts.digest.previous else None
    return [
        _Line(
            name=(Span(text=facts.name("change_types", kind)),),
            pull_requests=numbers,
            list_key=f"type:{kind}",
            now=f"length({pointer('change_types', kind)})",
            before=f"entry(/previous/change_types,{kind})",
            previous=None if previous is None else previous.get(kind, 0),
        )
        for kind, numbers in sorted(facts.digest.change_types.items(), key=lambda item: (-len(item[1]), item[0]))
        if numbers
    ]


def _table(facts: Facts, kind: str, lines: Sequence[_Line]) -> list[Paragraph]:
    if not lines:
        return []
    locale = facts.locale
    known = facts.digest.previous is not None
    columns = ["now", "before", "difference", "share"] if known else ["now", "share"]
    head = [locale.spans(f"trends.head_{kind}"), *(locale.spans(f"trends.head_{name}") for name in columns)]
    return [row(head, heading=True), *(row([line.name, *_cells(facts, line, known=known)]) for line in lines)]


def _cells(facts: Facts, line: _Line, *, known: bool) -> list[Spans]:
    share = (facts.figure(f"share({line.now},/merged_total)"),)
    now = (facts.count(line.pull_requests, line.list_key),)
    if not known:
        return [now, share]
    if line.previous is None:
        unknown = facts.locale.spans("trends.unknown")
        return [now, unknown, unknown, share]
    difference = facts.figure(f"difference({line.now},{line.before})")
    return [now, (facts.figure(f"number({line.before})"),), (difference,), share]


def _people(facts: Facts) -> Spans:
    locale = facts.locale
    count = facts.figure("number(length(/people))")
    people = len(facts.digest.people)
    if facts.digest.previous is None:
        return locale.spans("trends.people", people, count=count)
    return locale.spans("trends.people_before", people, count=count, before=facts.figure("number(/previous/people)"))


def _moves(facts: Facts, lines: Sequence[_Line]) -> list[Spans]:
    """The area that grew most and the one that shrank most, as numbers."""
    if facts.digest.previous is None:
        return [facts.locale.spans("trends.no_week_before")]
    told = [line for line in lines if line.previous is not None and line.list_key != f"area:{OTHER_AREA}"]
    known = sorted(told, key=lambda line: (_growth(line), line.list_key))
    moved = [("grew", known[-1])] if known and _growth(known[-1]) > 0 else []
    moved += [("shrank", known[0])] if known and _growth(known[0]) < 0 else []
    return [
        facts.locale.spans(
            f"trends.{key}",
            area=line.name,
            before=facts.figure(f"number({line.before})"),
            now=facts.count(line.pull_requests, line.list_key),
        )
        for key, line in moved
    ]


def _growth(line: _Line) -> int:
    return len(line.pull_requests) - (line.previous or 0)

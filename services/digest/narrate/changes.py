"""What changed: themes told as stories, then what was chosen for telling and belongs to no theme, by area."""

from __future__ import annotations

from collections.abc import Sequence

from services.digest.narrate.facts import Facts, Spans, paragraph
from shared.domain.digest import Paragraph, Span, Theme
from shared.rendering.figures import pointer
from shared.rendering.locale import Fill
from shared.rendering.number_lists import OTHER_AREA

_TITLES = 6
_SHORT = 4
"""A theme of so few is told whole, whatever the limit."""


def paragraphs(facts: Facts) -> list[Paragraph]:
    """Every featured pull request is told with its title here or before, every grouped one is at least linked."""
    made: list[Paragraph] = []
    told = {key.number for key in facts.digest.key_pull_requests}
    for place, theme in enumerate(facts.digest.themes):
        made.append(paragraph(_heading(facts, theme), heading=True))
        made.append(paragraph(story(facts, theme, place)))
        made.extend(paragraph(line, bullet=True) for line in members(facts, theme))
        told.update(theme.pull_requests)
    rest = [number for number in (*facts.digest.ledger.featured, *facts.digest.ledger.grouped) if number not in told]
    if rest:
        made.append(paragraph(facts.locale.spans("changes.others" if made else "changes.only"), heading=True))
        made.extend(_by_area(facts, rest))
    return made or [paragraph(facts.locale.spans("changes.none", all=facts.count(facts.all_numbers, "all")))]


def story(facts: Facts, theme: Theme, place: int) -> Spans:
    """How many, by whom, when, how large, and how the theme was found."""
    locale = facts.locale
    listed = sorted((facts.listed[number] for number in theme.pull_requests), key=lambda one: one.merged_at)
    zone = facts.digest.period.timezone
    first, last = locale.day(listed[0].merged_at, zone), locale.day(listed[-1].merged_at, zone)
    people = dict.fromkeys(one.author for one in listed)
    fills: dict[str, Fill] = {
        "count": facts.count(theme.pull_requests, f"theme:{theme.key}"),
        "types": _types(facts, theme.pull_requests),
        "people": locale.joined([(facts.person(name),) for name in people])
        if len(people) <= _SHORT
        else locale.spans(
            "changes.many_people",
            count=facts.figure(f"number(authors({pointer('themes', place, 'pull_requests')}))"),
        ),
        "lines": facts.lines("themes", place, "pull_requests"),
    }
    when = (
        locale.spans("changes.when_day", day=first)
        if first == last
        else locale.spans("changes.when", first=first, last=last)
    )
    parts = [locale.spans("changes.story", len(listed), when=when, **fills)]
    if theme.found_by:
        parts.append(locale.spans("changes.found_by", found_by=facts.found_by(theme.found_by)))
    return locale.sentences(parts)


def members(facts: Facts, theme: Theme) -> list[Spans]:
    """A line for each merge in the order of merging; of a long theme the most important, and links to the others."""
    known, featured = set(theme.pull_requests), set(facts.digest.ledger.featured)
    ordered = sorted(
        known - ({twin for number in known for twin in facts.twins(number)} - featured),
        key=lambda number: (facts.listed[number].merged_at, number),
    )
    chosen = set(ordered if len(ordered) <= _TITLES + 1 else facts.by_importance(ordered)[:_TITLES])
    chosen |= featured & set(ordered)
    lines = [_line(facts, number) for number in ordered if number in chosen]
    others = [number for number in ordered if number not in chosen]
    return [*lines, facts.locale.spans("changes.also", links=facts.pull_requests(others))] if others else lines


def _heading(facts: Facts, theme: Theme) -> Spans:
    title = facts.stranger(theme.title)
    areas = [area for area in theme.areas if area not in (OTHER_AREA, theme.title)]
    return facts.locale.spans("changes.heading", title=title, areas=facts.areas(areas)) if areas else (title,)


def _line(facts: Facts, number: int) -> Spans:
    """The effect where a model tells it, then link, title and author; twins of its merge commit are with it (C-16).

    Of a key pull request the effect is told above.
    """
    listed = facts.listed[number]
    links = facts.pull_requests([number, *facts.twins(number)])
    fills: dict[str, Fill] = {"pull_request": links, "title": facts.title(number)}
    line = facts.locale.spans("changes.line", person=facts.person(listed.author), **fills)
    effect = _effect(facts, number)
    return facts.locale.spans("changes.effect", effect=effect, line=line) if effect else line


def _effect(facts: Facts, number: int) -> Spans:
    told = facts.readings.get(number)
    is_key = any(key.number == number for key in facts.digest.key_pull_requests)
    return facts.claim(told.effect, number) if told and told.effect and not is_key else ()


def _types(facts: Facts, numbers: Sequence[int]) -> Spans:
    """The change types of the numbers; counted by the document, so only named here."""
    kinds = dict.fromkeys(kind for kind, members in facts.digest.change_types.items() if set(members) & set(numbers))
    return facts.locale.joined([(Span(text=facts.name("change_types", kind)),) for kind in kinds])


def _by_area(facts: Facts, numbers: Sequence[int]) -> list[Paragraph]:
    by_area: dict[str, list[int]] = {}
    for number in numbers:
        areas = facts.listed[number].areas
        by_area.setdefault(areas[0] if areas else "", []).append(number)
    featured = set(facts.digest.ledger.featured)
    made: list[Paragraph] = []
    for area, members in sorted(by_area.items(), key=lambda item: (-len(item[1]), item[0])):
        name = facts.area(area) if area else facts.locale.spans("full_list.no_area")
        by_name = [number for number in facts.by_importance(members) if number in featured]
        for number in by_name:
            if _effect(facts, number):
                line = facts.locale.spans("changes.area", area=name, body=_line(facts, number))
                made.append(paragraph(line, bullet=True))
        told = [number for number in by_name if not _effect(facts, number)]
        linked = [number for number in members if number not in featured]
        if not (told or linked):
            continue
        parts = [_line(facts, number) for number in told]
        links = facts.pull_requests(linked)
        if linked:
            parts.append(facts.locale.spans("changes.also_inline", links=links) if told else links)
        body = facts.locale.listed(parts, "joining.clause")
        made.append(paragraph(facts.locale.spans("changes.area", area=name, body=body), bullet=True))
    return made

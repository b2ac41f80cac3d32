"""The plan of a rendered digest, the same for every format: head, sections, full list, and the lists behind counts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property

from shared.domain.digest import Digest, ListedPullRequest, Section, Span
from shared.domain.errors import InvalidInput
from shared.domain.taxonomy import Origin
from shared.rendering.addresses import repository_url, search_url
from shared.rendering.figures import integer, shown
from shared.rendering.locale import Fill, Locale, load_locale
from shared.rendering.model_words import mark
from shared.rendering.number_lists import FULL_LIST, OTHER_AREA, NumberList, area_name, known, lists_of

STATES = ("featured", "grouped", "condensed", "failed")

Spans = tuple[Span, ...]


@dataclass(frozen=True)
class Group:
    """The part of the full list that has one first area; ``area`` is None when there is none."""

    area: str | None
    name: str
    members: tuple[ListedPullRequest, ...]

    @property
    def numbers(self) -> tuple[int, ...]:
        """The merges of it."""
        return tuple(listed.number for listed in self.members)


@dataclass(frozen=True)
class Page:
    """Everything a renderer walks through, in order."""

    digest: Digest
    locale: Locale
    title: str
    head: tuple[Spans, ...]
    sections: tuple[Section, ...]
    groups: tuple[Group, ...]
    lists: tuple[NumberList, ...]

    @property
    def last_instant(self) -> datetime:
        """The last second of the week, which names its last day."""
        return self.digest.period.end - timedelta(seconds=1)

    @cached_property
    def judged(self) -> dict[int, tuple[str, ...]]:
        """The risk marks that merges carry by the judgement of a model."""
        found: dict[int, tuple[str, ...]] = {}
        for risk in self.digest.risks:
            for number in risk.pull_requests if risk.origin is Origin.MODEL else ():
                found[number] = (*found.get(number, ()), risk.tag)
        return found

    @property
    def by_number(self) -> dict[int, ListedPullRequest]:
        """The listed merges by number."""
        return {listed.number: listed for listed in self.digest.pull_requests}


def plan(digest: Digest, language: str) -> Page:
    """Return the plan of ``digest`` in ``language``; InvalidInput when it was not narrated in that language."""
    if language not in digest.sections:
        made_in = ", ".join(digest.sections) or "none"
        raise InvalidInput(f"The digest has no text in '{language}'.", f"It was made in: {made_in}.")
    locale = load_locale(language)
    head = _head(digest, locale)
    sections = digest.sections[language]
    groups = _groups(digest.pull_requests, locale)
    spans = [*(span for line in head for span in line), *_spans_of(sections)]
    return Page(
        digest=digest,
        locale=locale,
        title=_title(digest, locale),
        head=head,
        sections=sections,
        groups=groups,
        lists=lists_of(digest, locale, spans, {f"area:{group.area}": group.numbers for group in groups}),
    )


def legend(locale: Locale) -> Spans:
    """What the marks of the full list mean."""
    return locale.spans("full_list.legend")


def remarks(listed: ListedPullRequest, page: Page) -> list[Spans]:
    """What the full list says of a merge behind its title: people, type, size, marks."""
    locale = page.locale
    made: list[Spans] = [(Span(kind="person", text=listed.author),)]
    if listed.co_authors:
        people = locale.joined([(Span(kind="person", text=name),) for name in listed.co_authors])
        made[0] = (*made[0], *locale.spans("full_list.with", people=people))
    made.append((Span(text=locale.text(f"single_types.{listed.change_type}")),))
    made.append((Span(kind="figure", text=f"+{integer(listed.additions)} −{integer(listed.deletions)}"),))
    if marks := _marks(listed, page):
        made.append(locale.listed(marks))
    if listed.bot:
        made.append(locale.spans("full_list.bot"))
    if listed.partial:
        made.append(locale.spans("full_list.partial"))
    twins = [r.to for r in page.digest.relations if r.kind == "same-commit" and r.source == listed.number]
    for twin in twins:
        link = Span(kind="pull_request", text=f"#{twin}", number=twin)
        made.append(locale.spans("full_list.shared_commit", pull_request=link))
    return made


def _marks(listed: ListedPullRequest, page: Page) -> list[Spans]:
    """The names of the risk marks: those that rules set, then, with the sign of the model, those that it judged."""
    judged = page.judged.get(listed.number, ())
    ruled = [risk for tag in listed.tags if (risk := tag.removeprefix("risk:")) != tag and risk not in judged]
    sign = mark(page.locale)
    return [(_name(risk, page),) for risk in ruled] + [(_name(risk, page), sign) for risk in judged]


def _name(risk: str, page: Page) -> Span:
    return Span(text=known(page.locale, f"risks.{risk}.title", risk))


def _title(digest: Digest, locale: Locale) -> str:
    title = locale.text_of("page.title", repository=digest.repository, week=digest.period.week)
    return locale.text_of("page.title_so_far", title=title) if digest.provenance.so_far else title


def _head(digest: Digest, locale: Locale) -> tuple[Spans, ...]:
    zone = digest.period.timezone
    made = [
        locale.spans(
            "page.window",
            repository=Span(kind="link", text=digest.repository, url=repository_url(digest)),
            branch=Span(kind="code", text=digest.branch),
            start=locale.minute(digest.period.start, zone),
            end=locale.minute(digest.period.end, zone),
        ),
        _merged(digest, locale),
    ]
    if digest.merged_total:
        made.append(_coverage(digest, locale))
    made.extend(_known_to_host(digest, locale))
    made.append(_made(digest, locale))
    return tuple(made)


def _made(digest: Digest, locale: Locale) -> Spans:
    """By whom, and how much of the week the model has read where it was to read it."""
    provenance, account = digest.provenance, digest.provenance.readings
    fills: dict[str, Fill] = {
        "generated": locale.minute(provenance.generated_at, digest.period.timezone),
        "about": _about(locale, "page.about_link"),
    }
    if provenance.mode == "model" and provenance.model:
        fills |= {"model": Span(kind="code", text=provenance.model), "mark": mark(locale)}
        if account is None or not account.unread:
            return locale.spans("page.made_by_model", **fills)
        return locale.spans("page.made_by_model_in_part", read=_count(account.read, "read"), **fills)
    if account is None:
        return locale.spans("page.made", **fills)
    if account.refused:
        return locale.spans("page.made_without_told", **fills)
    if not account.read:
        return locale.spans("page.made_without_model", **fills)
    return locale.spans("page.made_with_nothing_told", read=_count(account.read, "read"), **fills)


def _merged(digest: Digest, locale: Locale) -> Spans:
    fills = {
        "count": _count(tuple(listed.number for listed in digest.pull_requests), FULL_LIST),
        "search": Span(kind="link", text=locale.text("page.search"), url=search_url(digest)),
    }
    if digest.previous is None:
        return locale.spans("page.merged", digest.merged_total, **fills)
    if not digest.previous.merged_total:
        return locale.spans("page.merged_before_none", digest.merged_total, **fills)
    before = figure("number(/previous/merged_total)", digest)
    change = figure("change(/merged_total,/previous/merged_total)", digest)
    return locale.spans("page.merged_before", digest.merged_total, before=before, change=change, **fills)


def _coverage(digest: Digest, locale: Locale) -> Spans:
    ledger = {state: tuple(getattr(digest.ledger, state)) for state in STATES}
    return locale.spans(
        "page.coverage",
        total=_count(tuple(number for numbers in ledger.values() for number in numbers), FULL_LIST),
        whole=figure("number(/merged_total)", digest),
        full_list=Span(kind="link", text=locale.text("page.full_list_link"), url="#full-list"),
        **{state: _count(numbers, f"state:{state}") for state, numbers in ledger.items()},
    )


def _known_to_host(digest: Digest, locale: Locale) -> Iterator[Spans]:
    """Whether all merges of the week are here; nothing where the host is not asked (the last section says so)."""
    account, gap = digest.completeness, digest.completeness_gap
    if account is not None:
        yield locale.spans(
            "page.incomplete" if account.missing else "page.complete",
            captured=figure("number(/completeness/captured)", digest),
            known=figure("number(/completeness/known_to_host)", digest),
            host=Span(kind="code", text=digest.host),
            checked=locale.minute(account.checked_at, digest.period.timezone),
            **({"about": _about(locale, "page.missing_link")} if account.missing else {}),
        )
    elif gap is not None and gap.why != "not-asked":
        yield locale.spans("page.completeness_unknown", about=_about(locale, "page.why_link"))


def _about(locale: Locale, key: str) -> Span:
    return Span(kind="link", text=locale.text(key), url="#about")


def figure(expression: str, digest: Digest) -> Span:
    """A figure about totals, computed from the document of ``digest``."""
    document = digest.model_dump(mode="json", by_alias=True, include={"merged_total", "previous", "completeness"})
    return Span(kind="figure", text=shown(expression, document), source=expression)


def _count(numbers: Sequence[int], list_key: str) -> Span:
    return Span(kind="count", text=integer(len(numbers)), pull_requests=tuple(numbers), list_key=list_key)


def _groups(listed: Sequence[ListedPullRequest], locale: Locale) -> tuple[Group, ...]:
    """By first area, the largest group first; within a group by number."""
    found: dict[str | None, list[ListedPullRequest]] = {}
    for one in listed:
        found.setdefault(one.areas[0] if one.areas else None, []).append(one)
    ordered = sorted(found.items(), key=lambda item: (_last(item[0]), -len(item[1]), item[0] or ""))
    return tuple(
        Group(area, area_name(area, locale), tuple(sorted(members, key=lambda one: one.number)))
        for area, members in ordered
    )


def _last(area: str | None) -> int:
    """What fits nowhere else comes after the named areas, what has no area at all last."""
    return 2 if area is None else int(area == OTHER_AREA)


def _spans_of(sections: Iterable[Section]) -> Iterator[Span]:
    for section in sections:
        for paragraph in section.paragraphs:
            yield from paragraph.spans

"""The plan of a rendered digest, the same for every format: head, sections, full list, and the lists behind counts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from shared.domain.digest import Digest, ListedPullRequest, RiskFinding, Section, Span
from shared.domain.errors import InvalidInput
from shared.domain.taxonomy import Origin
from shared.rendering.addresses import repository_url, search_url
from shared.rendering.figures import integer, shown
from shared.rendering.locale import Locale, load_locale
from shared.rendering.phrasebook import said

STATES = ("featured", "grouped", "condensed", "failed")
FULL_LIST = "all"
"""The key of the list that holds every merge of the week."""
OTHER_AREA = "other"
"""The area of merges that fit no other one."""

Spans = tuple[Span, ...]


@dataclass(frozen=True)
class NumberList:
    """What a count opens to; ``evidence`` holds the words of a rule for the numbers of a risk mark."""

    key: str
    title: str
    numbers: tuple[int, ...]
    evidence: dict[int, Spans]


@dataclass(frozen=True)
class Group:
    """The part of the full list that has one first area; ``area`` is None when there is none."""

    area: str | None
    name: str
    members: tuple[ListedPullRequest, ...]


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

    @property
    def by_number(self) -> dict[int, ListedPullRequest]:
        """The listed merges by number."""
        return {listed.number: listed for listed in self.digest.pull_requests}


def plan(digest: Digest, language: str) -> Page:
    """Return the plan of ``digest`` in ``language``; InvalidInput when it was not narrated in that language."""
    if language not in digest.sections:
        known = ", ".join(digest.sections) or "none"
        raise InvalidInput(f"The digest has no text in '{language}'.", f"It was made in: {known}.")
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
        lists=_lists(digest, locale, spans, groups),
    )


def risk_list(risk: RiskFinding) -> str:
    """The key of the list behind a risk finding; the same mark set by a model has its own."""
    return f"risk:{risk.tag}" if risk.origin is Origin.RULE else f"risk-{risk.origin}:{risk.tag}"


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
    risks = [tag.partition(":")[2] for tag in listed.tags if tag.startswith("risk:")]
    if risks:
        names = [(Span(text=_known(locale, f"risks.{risk}.title", risk)),) for risk in risks]
        made.append(locale.listed(names))
    if listed.bot:
        made.append(locale.spans("full_list.bot"))
    if listed.partial:
        made.append(locale.spans("full_list.partial"))
    twins = [r.to for r in page.digest.relations if r.kind == "same-commit" and r.source == listed.number]
    for twin in twins:
        link = Span(kind="pull_request", text=f"#{twin}", number=twin)
        made.append(locale.spans("full_list.shared_commit", pull_request=link))
    return made


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
    generated = locale.minute(digest.provenance.generated_at, zone)
    about = _about(locale, "page.about_link")
    if digest.provenance.mode == "model" and digest.provenance.model:
        model = Span(kind="code", text=digest.provenance.model)
        made.append(locale.spans("page.made_by_model", model=model, generated=generated, about=about))
    else:
        made.append(locale.spans("page.made", generated=generated, about=about))
    return tuple(made)


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
    known, gap = digest.completeness, digest.completeness_gap
    if known is not None:
        yield locale.spans(
            "page.incomplete" if known.missing else "page.complete",
            captured=figure("number(/completeness/captured)", digest),
            known=figure("number(/completeness/known_to_host)", digest),
            host=Span(kind="code", text=digest.host),
            checked=locale.minute(known.checked_at, digest.period.timezone),
            **({"about": _about(locale, "page.missing_link")} if known.missing else {}),
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
        Group(area, _area_name(area, locale), tuple(sorted(members, key=lambda one: one.number)))
        for area, members in ordered
    )


def _last(area: str | None) -> int:
    """What fits nowhere else comes after the named areas, what has no area at all last."""
    return 2 if area is None else int(area == OTHER_AREA)


def _area_name(area: str | None, locale: Locale) -> str:
    if area is None:
        return locale.text("full_list.no_area")
    return locale.text("words.other_area") if area == OTHER_AREA else area


def _spans_of(sections: Iterable[Section]) -> Iterator[Span]:
    for section in sections:
        for paragraph in section.paragraphs:
            yield from paragraph.spans


def _lists(digest: Digest, locale: Locale, spans: Iterable[Span], groups: Iterable[Group]) -> tuple[NumberList, ...]:
    """One list for each key that a count of the page names, in the order of the page; an empty count needs none.

    An area whose merges are a group of the full list opens to that group.
    """
    grouped = {f"area:{group.area}": {listed.number for listed in group.members} for group in groups}
    evidence = {
        risk_list(risk): {number: said(why, locale) for number, why in risk.evidence.items()} for risk in digest.risks
    }
    themes = {theme.key: theme.title for theme in digest.themes}
    found: dict[str, NumberList] = {}
    for span in spans:
        key = span.list_key
        told = not key or key == FULL_LIST or key in found or grouped.get(key) == set(span.pull_requests)
        if span.kind == "count" and key and span.pull_requests and not told:
            title = _list_title(key, locale, themes)
            found[key] = NumberList(key, title, span.pull_requests, evidence.get(key, {}))
    return tuple(found.values())


def _list_title(key: str, locale: Locale, themes: dict[str, str]) -> str:
    kind, named, name = key.partition(":")
    if not named:
        return _known(locale, f"lists.{kind}", kind)
    words = {
        "type": f"change_types.{name}",
        "risk": f"risks.{name}.title",
        "state": f"page.states.{name}",
        "relation": f"relations.{name}",
        "follow_up": f"follow_up.states.{name}",
    }
    kind = kind.partition("-")[0]
    shown = themes.get(name, name) if kind == "theme" else _known(locale, words.get(kind, ""), name)
    shown = _area_name(name, locale) if kind == "area" else shown
    return locale.text_of(f"lists.{kind}" if locale.knows(f"lists.{kind}") else "lists.other", name=shown)


def _known(locale: Locale, key: str, otherwise: str) -> str:
    return locale.text(key) if locale.knows(key) else otherwise

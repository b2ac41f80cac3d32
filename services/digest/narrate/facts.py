"""The digest as the narrators read it: typed spans for pull requests, titles, people, counts and figures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any

from shared.domain.digest import Digest, ListedPullRequest, Paragraph, RiskFinding, Span, ToldReading
from shared.domain.reading import Claim
from shared.domain.taxonomy import Origin, RelationKind
from shared.rendering.figures import integer, pointer, shown
from shared.rendering.locale import Locale
from shared.rendering.model_words import clause, mark, sentence
from shared.rendering.number_lists import OTHER_AREA
from shared.rendering.phrasebook import said

Spans = tuple[Span, ...]


class Facts:
    """One digest in one language."""

    def __init__(self, digest: Digest, document: Mapping[str, Any], locale: Locale) -> None:
        """``document`` is the decoded ``digest.json`` of ``digest``, without sections."""
        self.digest = digest
        self.document = document
        self.locale = locale
        self.listed: dict[int, ListedPullRequest] = {listed.number: listed for listed in digest.pull_requests}
        self.readings: dict[int, ToldReading] = {reading.number: reading for reading in digest.readings}
        self.position = {listed.number: place for place, listed in enumerate(digest.pull_requests)}

    @cached_property
    def all_numbers(self) -> tuple[int, ...]:
        """Every merge of the window, in the order of the document."""
        return tuple(self.listed)

    def pull_request(self, number: int) -> Span:
        """A link to the pull request."""
        return Span(kind="pull_request", text=f"#{number}", number=number)

    def pull_requests(self, numbers: Iterable[int]) -> Spans:
        """Links, listed."""
        return self.locale.listed([(self.pull_request(number),) for number in numbers])

    def title(self, number: int) -> Span:
        """The title as the author wrote it."""
        return Span(kind="title", text=self.listed[number].title, number=number)

    def stranger(self, text: str) -> Span:
        """Words of a stranger, or of a title."""
        return Span(kind="title", text=text)

    def person(self, name: str) -> Span:
        """A person, credited and not notified."""
        return Span(kind="person", text=name)

    def rule_words(self, text: str) -> Spans:
        """Words that a rule wrote in English, in the language, pull request numbers as links."""
        return said(text, self.locale)

    def claim(self, claim: Claim, number: int) -> Spans:
        """What a model says of a merge, as a part of a sentence."""
        return clause(claim, number, self.locale)

    def claim_sentence(self, claim: Claim, number: int) -> Spans:
        """What a model says of a merge, as a sentence of its own."""
        return sentence(claim, number, self.locale)

    def risk_name(self, risk: RiskFinding) -> Spans:
        """The name of a risk, with the sign of the model where that judged it."""
        name = Span(text=self.name("risks", f"{risk.tag}.title"))
        return (name, mark(self.locale)) if risk.origin is Origin.MODEL else (name,)

    def count(self, numbers: Sequence[int], list_key: str) -> Span:
        """The length of ``numbers``, which opens to them."""
        unique = tuple(dict.fromkeys(numbers))
        return Span(kind="count", text=integer(len(unique)), pull_requests=unique, list_key=list_key)

    def figure(self, expression: str) -> Span:
        """A number that ``expression`` computes from the document (see ``shared.rendering.figures``)."""
        return Span(kind="figure", text=shown(expression, self.document), source=expression)

    def importance(self, number: int) -> int:
        """The importance that the analysis gave."""
        return self.listed[number].importance if number in self.listed else 0

    def by_importance(self, numbers: Iterable[int]) -> tuple[int, ...]:
        """The numbers, the most important first."""
        return tuple(sorted(numbers, key=lambda number: (-self.importance(number), number)))

    def with_risk_marks(self, at_least: int = 1) -> tuple[int, ...]:
        """The merges that carry so many different risk marks, in the order of the document."""
        marks = Counter(number for risk in self.digest.risks for number in set(risk.pull_requests))
        return tuple(number for number in self.listed if marks[number] >= at_least)

    def twins(self, number: int) -> tuple[int, ...]:
        """The merges of the week that are the same item as ``number``: they share its merge commit."""
        return tuple(
            relation.source
            for relation in self.digest.relations
            if relation.kind is RelationKind.SAME_COMMIT and relation.to == number and relation.source in self.listed
        )

    def found_by(self, method: str) -> Spans:
        """How a theme was found, in words of the locale where it has some."""
        key = f"found_by.{method}"
        return self.locale.spans(key) if self.locale.knows(key) else self.rule_words(method)

    def lines(self, *steps: str | int) -> Spans:
        """Lines added and removed by the pull request, or the list of numbers, at this place of the document."""
        place = pointer(*steps)
        found_list = steps[-1] == "pull_requests"
        added, removed = (
            f"number(total({place},{field}))" if found_list else f"number({place}/{field})"
            for field in ("additions", "deletions")
        )
        return self.locale.spans("words.lines", added=self.figure(added), removed=self.figure(removed))

    def names(self, keys: Iterable[str], prefix: str) -> Spans:
        """Words of the locale for ``keys``, listed; a key without words is shown as it is."""
        return self.locale.joined([(Span(text=self.name(prefix, key)),) for key in keys])

    def name(self, prefix: str, key: str, count: int | None = None) -> str:
        """The word of the locale for ``key``, else the key."""
        known = f"{prefix}.{key}"
        return self.locale.text(known, count) if self.locale.knows(known) else key

    def areas(self, areas: Sequence[str]) -> Spans:
        """Area names, listed; they come from the repository."""
        return self.locale.joined([(self.area(area),) for area in areas])

    def area(self, name: str) -> Span:
        """The name of one area; the one for everything that fits nowhere else is called in the language."""
        return Span(text=self.locale.text("words.other_area")) if name == OTHER_AREA else self.stranger(name)


def paragraph(spans: Sequence[Span], *, bullet: bool = False, heading: bool = False) -> Paragraph:
    """Return a paragraph that knows its text and the pull requests that it cites."""
    return Paragraph(text=_text(spans), pull_requests=_cited(spans), spans=tuple(spans), bullet=bullet, heading=heading)


def row(cells: Sequence[Sequence[Span]], *, heading: bool = False) -> Paragraph:
    """Return a row of a table; its line joins the cells with dots."""
    dot = Span(text=" · ")
    line = tuple(
        span for place, cell in enumerate(filter(None, cells)) for span in ((dot,) if place else ()) + tuple(cell)
    )
    return Paragraph(
        text=_text(line),
        pull_requests=_cited(line),
        spans=line,
        heading=heading,
        cells=tuple(tuple(cell) for cell in cells),
    )


def _text(spans: Iterable[Span]) -> str:
    return "".join(span.text for span in spans)


def _cited(spans: Iterable[Span]) -> tuple[int, ...]:
    """Numbers in the order of the text; those behind a count as well: the sentence rests on them."""
    found: dict[int, None] = {}
    for span in spans:
        if span.kind in ("pull_request", "model") and span.number is not None:
            found[span.number] = None
        found |= dict.fromkeys(span.pull_requests)
    return tuple(found)

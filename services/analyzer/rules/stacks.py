"""Stacks and series: what a merge is built on, what it goes on with, and which part of a row it is."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from services.analyzer.reading.reading import Reading
from services.analyzer.reading.references import REFERENCE, local_numbers
from services.analyzer.rules.context import RuleContext
from services.analyzer.rules.tags import quoted, trait_tag
from shared.domain.analysis import Evidence, Relation, Tag
from shared.domain.pull_request import PullRequest
from shared.domain.taxonomy import RelationKind, Trait

name = "stacks"

_LIST = rf"(?:{REFERENCE})(?:\s{{0,3}}(?:,|and|&|\+)\s{{0,3}}(?:{REFERENCE})){{0,9}}"
_WORD = r"\s{0,3}:?\s{0,3}(?:the\s)?(?:prs?\s|pull requests?\s|changes? (?:in|of)\s|work (?:in|of)\s)?"
_STACKED = re.compile(
    rf"\b(?:depends? on|dependent on|stacked (?:up)?on(?: top of)?|based (?:up)?on(?: top of)?|(?:built|"
    rf"builds) (?:up)?on(?: top of)?|"
    rf"on top of|blocked by|(?:should|must|to) be merged after|rebased? on(?:to)?(?: top of)?){_WORD}(?P<refs>{_LIST})",
    re.IGNORECASE,
)
_CONTINUES = re.compile(
    rf"(?:\bfollow(?:s|ing)?[\s-]{{0,2}}(?:up)?[\s-]?(?:pr\s)?(?:to|of|on|for|from|after)?|\bcontinu(?:es|"
    rf"ing|ation of)|\bsucceeds|"
    rf"\b(?:next|second|third|fourth|last|final|(?:\d{{1,2}})(?:st|nd|rd|th)) (?:part|step) (?:of|after)|"
    rf"\bpart\s\d{{1,3}}\s(?:of|after)|"
    rf"\bsplit (?:out )?(?:of|from)|\bextracted from){_WORD}(?P<refs>{_LIST})",
    re.IGNORECASE,
)
_ARROW = re.compile(r"__->__|👈|⬅️|<-- ?(?:this|you are here)", re.IGNORECASE)


def examine(pull_request: PullRequest, context: RuleContext) -> Iterable[Tag | Relation]:
    """Yield ``trait:series``, ``trait:stacked`` and the relations to what is named by number."""
    reading = context.read(pull_request)
    series = reading.title.series
    if series is not None:
        yield trait_tag(name, Trait.SERIES, [Evidence(why="the title counts its parts", quote=series.quote)])
    stacked = list(_named(reading, _STACKED)) + list(_below_the_arrow(reading))
    if stacked:
        yield trait_tag(name, Trait.STACKED, [Evidence(why="says what it is built on", quote=stacked[0][1])])
    part = f"{series.part}/{series.of or '?'}" if series else None
    told: set[int] = set()
    for kind, found in (
        (RelationKind.STACKED_ON, stacked),
        (RelationKind.CONTINUES, list(_named(reading, _CONTINUES))),
    ):
        for number, quote in found:
            if number not in told:
                told.add(number)
                label = part if kind is RelationKind.CONTINUES else None
                yield Relation(
                    kind=kind, source=pull_request.number, target=number, label=label, confidence=0.9, evidence=quote
                )


def _named(reading: Reading, pattern: re.Pattern[str]) -> Iterator[tuple[int, str]]:
    for text in (reading.title.raw, reading.prose.text):
        for found in pattern.finditer(text):
            for number in local_numbers(found["refs"], reading.pull_request.repository):
                if number != reading.pull_request.number:
                    yield number, quoted(found[0])


def _below_the_arrow(reading: Reading) -> Iterator[tuple[int, str]]:
    """The list that stack tools write, newest first: the line after the arrow names the base of this one."""
    lines = reading.prose.text.split("\n")
    place = next((place for place, line in enumerate(lines) if _ARROW.search(line)), None)
    if place is not None and place + 1 < len(lines):
        line = lines[place + 1]
        for number in list(local_numbers(line, reading.pull_request.repository))[:1]:
            if number != reading.pull_request.number:
                yield number, quoted(line)

"""Defaults that become others: users get new behaviour without asking for it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from services.analyzer.reading.paths import FileKind
from services.analyzer.reading.reading import Reading
from services.analyzer.rules.context import RuleContext
from services.analyzer.rules.from_facts import changed_defaults
from services.analyzer.rules.tags import quoted, trait_tag
from shared.domain.analysis import Evidence, Tag
from shared.domain.pull_request import PullRequest
from shared.domain.taxonomy import Trait

name = "new-default"
_TITLE = re.compile(
    (
        r"\b(?:(?:en|dis)able[sd]?|use[sd]?|turn(?:ed|s)? (?:on|off)|switch(?:ed|es)?|activate[sd]?|on|off|"
        r"opt[- ]?(?:in|out))\b.{0,120}?\bby default\b|"
        r"\bdefault(?:s|ed|ing)?\s+to\b|^default:?\s+[\w-]+=|\b(?:switch|chang|set|flip|updat|rais|lower|increas|"
        r"decreas)\w*\s+(?:the\s+)?(?:\S+\s+){0,3}?defaults?\b|"
        r"\bmake\w*\s+.{1,60}?\b(?:by default|the default)\b(?!\s+\w+\s+\w)"
    ),
    re.IGNORECASE,
)
_NO_PRODUCT = (FileKind.DOCS, FileKind.TEST, FileKind.CI, FileKind.SAMPLE)


def examine(pull_request: PullRequest, context: RuleContext) -> Iterable[Tag]:
    """Yield ``trait:new-default`` with the title's words, or with old and new values from the patches."""
    reading = context.read(pull_request)
    if reading.only(*_NO_PRODUCT):
        return
    evidence = [*_in_title(reading), *changed_defaults(context.facts_of(pull_request))]
    if evidence:
        yield trait_tag(name, Trait.NEW_DEFAULT, evidence)


def _in_title(reading: Reading) -> Iterator[Evidence]:
    if found := _TITLE.search(reading.title.words):
        yield Evidence(why="words of the title", quote=quoted(found[0]))

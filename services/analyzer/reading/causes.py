"""Finds the merge that a text names as the cause of a fault, and the words that say that a merge puts one right."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from services.analyzer.reading.reading import Reading
from services.analyzer.reading.references import REFERENCE, local_numbers

LONGEST_LINE = 600
_PLACE = r"[\s:]{0,3}(?:the\s)?(?:prs?\s|pull requests?\s|changes? (?:in|of|from)\s|merge of\s|commit\s)?[(\[]?"
_FAULT = (
    r"(?:introduced|regress(?:ed|ion|es)?|broke(?:n)?|breakage|caused|fallout|damage|missed|overlooked|dropped|lost|"
    r"removed by accident|accidentally (?:removed|dropped|changed)|bug|fault|failure|crash|error)"
)
_CAUSE = re.compile(
    rf"(?:\b{_FAULT}(?:\s(?:was|were|is|introduced|caused))?\s{{1,2}}(?:by|in|from|since|after|of|with|due to)"
    rf"|\bintroduced by|\bcaused by|\bdue to|\bafter|\bsince|\bbisect(?:ed|s|ing)?(?:\s(?:it|this|points?|led|leads?))?"
    rf"(?:\s(?:to|at))?|\bfirst bad (?:commit|pr)(?:\sis)?|\bculprit(?:\sis)?|\bbroken since)"
    rf"{_PLACE}(?P<refs>{REFERENCE})",
    re.IGNORECASE,
)
_SUBJECT = re.compile(
    rf"(?P<refs>{REFERENCE})[)\]]?\s(?:(?:accidentally|unintentionally|wrongly|also)\s)?"
    r"(?:broke|introduced|regressed|caused|removed|dropped|changed|forgot|missed|breaks|causes|made)\b",
    re.IGNORECASE,
)
_CLOSES = re.compile(
    rf"\b(?:fix(?:e[sd]|ing)?|repair(?:s|ed)?|correct(?:s|ed)?)(?:\s(?:for|of|up))?{_PLACE}(?P<refs>{REFERENCE})",
    re.IGNORECASE,
)
_SURE_WORDS = re.compile(
    r"\b(?:introduced|regress\w*|broke\w*|breakage|caus\w+|fallout|bisect\w*|first bad|culprit|accident\w*|"
    r"forgot|missed)",
    re.IGNORECASE,
)
_REPAIRS = re.compile(
    r"\b(?:fix(?:e[sd]|ing|es|up)?|bug[\s-]?fix(?:e[sd])?|bugifx|hot[\s-]?fix|bugs?|repair(?:s|ed)?|restor(?:e[sd]?|ing)|"
    r"regress(?:ion|ions|ed)|broken?|breakage|crash\w*|correct(?:s|ed|ly)?|unbreak|deadlocks?|leak\w*|hang|hangs|"
    r"wrong|incorrect\w*|missing)\b",
    re.IGNORECASE,
)
_COSMETIC = re.compile(
    r"\b(?:format(?:ting|ter)?|[a-z-]*-format|lint\w*|ruff|mypy|pylint|flake8|clippy|black|eslint|prettier|pre-?commit|"
    r"type (?:hints?|annotations?)|typings?|docstrings?|comments?|spelling|whitespace|changelogs?|licen[cs]es?|"
    r"readme|bump\w*|version|deprecation warnings?|flaky|"
    r"test_\w{1,60}|fix\w{0,3}\s(?:[\w-]{1,30}\s){0,3}tests?)\b",
    re.IGNORECASE,
)
_RESTORES = re.compile(
    r"\b(?:restor\w+|regress\w+|broken? (?:by|since|after)|breakage|unbreak|accident\w*|re-?enable[sd]?)\b",
    re.IGNORECASE,
)
_FOLLOW_UP = re.compile(
    r"\bfollow(?:ing|s)?[\s-]?up\b|\bpart\s\d|\bstep\s\d|\bphase\s\d|\[\s?\d{1,3}\s?/\s?[\dnx]{1,3}\s?\]|\bcontinu(?:es|ation)\b",
    re.IGNORECASE,
)


_REVERT = re.compile(r"\W{0,4}(?:\[[^\]]{0,40}\]\W{0,3}){0,3}(?:revert|roll ?back|back out)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class NamedCause:
    """A merge that the words name; ``sure`` when they call it the cause, not only something that is fixed."""

    number: int
    quote: str
    sure: bool


def named_causes(reading: Reading) -> Iterator[NamedCause]:
    """Yield what title, description and commits name, the surest words first; a number may come more than once."""
    own = reading.pull_request.number
    for line in _lines(reading):
        for pattern, sure in ((_CAUSE, True), (_SUBJECT, True), (_CLOSES, False)):
            for found in pattern.finditer(line):
                certain = sure and _SURE_WORDS.search(found[0]) is not None
                for number in local_numbers(found["refs"], reading.pull_request.repository):
                    if number != own:
                        yield NamedCause(number, found[0], certain)


def says_repair(title: str) -> bool:
    """Whether the title says in its words that something is put right."""
    return _REPAIRS.search(title) is not None


def says_restore(title: str) -> bool:
    """Whether the title says that something worked before."""
    return _RESTORES.search(title) is not None


def is_cosmetic(title: str) -> bool:
    """Whether the title tells of form or of tests, not of behaviour: formatting, types, comments, versions."""
    return _COSMETIC.search(title) is not None


def is_revert(subject: str) -> bool:
    """Whether the subject of a commit says that it takes something back: what it brought was there before."""
    return _REVERT.match(subject) is not None


def says_follow_up(reading: Reading) -> bool:
    """Whether the merge calls itself a further part of something that was planned."""
    title = reading.title
    return title.series is not None or _FOLLOW_UP.search(title.raw) is not None


def _lines(reading: Reading) -> Iterator[str]:
    text = f"{reading.title.raw}\n{reading.prose.text}\n{reading.commit_messages[:40_000]}"
    return (line[:LONGEST_LINE] for line in text.split("\n") if "#" in line or "/" in line or "gh-" in line.casefold())

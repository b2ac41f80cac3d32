"""What a title says of its effect: severity of a fault, a rebuilt structure, an interface, a measured gain."""

from __future__ import annotations

import re
from dataclasses import dataclass

from services.analyzer.reading.reading import Reading
from shared.domain.taxonomy import ChangeType


@dataclass(frozen=True, slots=True)
class Effect:
    """One kind of effect: its slug, the points it is worth, the words that name it, in which types of change."""

    name: str
    points: int
    why: str
    words: re.Pattern[str]
    types: frozenset[ChangeType] | None = None
    fewest_lines: int = 0

    def found_in(self, title: str, change_type: ChangeType, source_lines: int) -> str | None:
        """Return the words of the title that name this effect, or None."""
        if (self.types is not None and change_type not in self.types) or source_lines < self.fewest_lines:
            return None
        found = self.words.search(title)
        return found[0] if found else None


def _words(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


_FIXES = frozenset({ChangeType.FIX, ChangeType.REVERT, ChangeType.CHORE})
_BUILDS = frozenset({ChangeType.FEAT, ChangeType.PERF, ChangeType.REFACTOR, ChangeType.CHORE})

EFFECTS: tuple[Effect, ...] = (
    Effect(
        "assumption-broken",
        13,
        "something people rely on did not hold",
        _words(
            r"\b(?:silently|silent (?:\w+ )?(?:fail\w*|corrupt\w*|drop\w*|loss\w*|errors?|truncat\w*|"
            r"ignor\w*|fallbacks?|no-op)|data loss|los(?:s|t|ing|es) (?:of )?(?:data|tokens?|messages?|updates?|"
            r"writes?|"
            r"events?)|(?:token|message|event|update|precision|write) loss|"
            r"corrupt\w*|(?:degraded|accuracy|correctness|quality)\b.{0,30}\b(?:drop|loss|issue|regression|"
            r"accuracy)|accuracy|correctness|wrong results?|"
            r"incorrect results?|non-?determinis\w+|swallow\w*)\b"
        ),
        _FIXES,
    ),
    Effect(
        "failure-fixed",
        4,
        "a failure that stops work",
        _words(
            r"\b(?:crash\w*|hang(?:s|ing)?|hung|dead ?locks?|live ?locks?|leak\w*|race(?: condition)?s?|"
            r"overflow\w*|out[- ]of[- ]bounds?|oob|ooms?|"
            r"out of memory|segfaults?|panic\w*|infinite loops?|regressions?|illegal memory|stranded|stuck|data race)\b"
        ),
        _FIXES,
    ),
    Effect(
        "concurrency-reworked",
        4,
        "how things run at the same time changes",
        _words(
            r"\b(?:a?synchron\w+|async|concurren\w+|lock(?:s|ing|-free)?|thread(?:s|ed|ing|-safe\w*)?|atomic\w*|"
            r"barriers?|parallel(?:i[sz]\w+)?)\b"
        ),
        frozenset({ChangeType.REFACTOR, ChangeType.FEAT, ChangeType.PERF, ChangeType.FIX}),
        fewest_lines=100,
    ),
    Effect(
        "structure-rebuilt",
        7,
        "a structure is rebuilt",
        _words(
            r"\b(?:refactor\w*|re-?writ\w+|re-?design\w*|re-?work\w*|overhaul\w*|unif(?:y|ied|ies|ying)|"
            r"consolidat\w+|combin\w+|replac\w+|migrat\w+|"
            r"standardi[sz]\w+|new (?:\w+ )?(?:design|architecture|structure)|decoupl\w+|re-?architect\w*|"
            r"convert\w*|restructur\w+|split\w*|extract\w*|moves?\b|merge)\b"
        ),
        _BUILDS,
        fewest_lines=150,
    ),
    Effect(
        "capability-added",
        5,
        "a capability is new",
        _words(
            r"^(?:add|support|introduc|implement|integrat|initial|enabl|allow|new|ship|creat|provid|expos)\w*\b|"
            r"\bsupport\b|\bfallback\b|\bemulation\b|\bfusion\b"
        ),
        frozenset({ChangeType.FEAT, ChangeType.PERF}),
        fewest_lines=100,
    ),
    Effect(
        "interface-named",
        4,
        "an interface is named",
        _words(
            r"\b(?:apis?|endpoints?|protocols?|interfaces?|schemas?|(?:file |wire |config |message )?formats?|abi|"
            r"cli|sdk|grpc|plugins?|hooks?)\b"
        ),
        frozenset({ChangeType.FEAT, ChangeType.REFACTOR, ChangeType.CHORE}),
    ),
    Effect(
        "gain-measured",
        6,
        "a measured gain",
        _words(r"\b\d+(?:\.\d+)?\s?(?:%|x\b|times\b)|\b\d+x\b"),
        frozenset({ChangeType.PERF, ChangeType.FEAT, ChangeType.REFACTOR, ChangeType.FIX}),
    ),
    Effect(
        "watched",
        4,
        "something can be observed that could not before",
        _words(r"\b(?:monitor\w*|observab\w+|metrics?|tracing|telemetry|profil(?:er|ing)|health ?check\w*|audit\w*)\b"),
        frozenset({ChangeType.FEAT}),
        fewest_lines=80,
    ),
    Effect(
        "small-matter",
        -6,
        "a small matter by its own words",
        _words(
            r"\b(?:minor|nits?|trivial|cosmetic|log(?:s|ging)?\b.{0,20}\b(?:level|message|line)s?|log once|"
            r"error messages?|warnings?|typos?|indent\w*|whitespace|mypy|lint\w*|unused|dead code|spacing|"
            r"rename variable)\b"
        ),
    ),
)


HIDDEN_FAILURES = re.compile(
    r"\b(?:silent\w*|swallow\w*|hid(?:e|es|ing|den)?|mask\w*|never (?:ran|run|fail\w*)|"
    r"always pass\w*)\b.{0,40}\b(?:fail\w*|errors?|exceptions?|tests?)\b",
    re.IGNORECASE,
)
"""Tests or checks that passed although something was wrong: what was green proves less than it seemed."""


def weight(reading: Reading) -> int:
    """Return the lines that the size is measured by; a payload alone gives only the total, which counts by half."""
    if reading.files_known:
        return reading.source_lines
    return (reading.pull_request.additions + reading.pull_request.deletions) // 2


def named_effects(reading: Reading, change_type: ChangeType) -> dict[Effect, str]:
    """Return every effect that the title names, with the words that do."""
    lines = weight(reading)
    found = {effect: effect.found_in(reading.title.words, change_type, lines) for effect in EFFECTS}
    return {effect: words for effect, words in found.items() if words}

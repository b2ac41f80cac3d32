"""The change type that the words of a title speak for, when nothing more explicit decides."""

from __future__ import annotations

import re

from shared.domain.taxonomy import ChangeType

_COSTS = (
    r"(?:latency|throughput|overhead|memory (?:usage|footprint|consumption)|allocations?|copies|copy|syncs?|d2h|h2d|"
    r"startup time|compile time|compilation time|build time|(?:cold|warm) start|bundle size|binary size|"
    r"cpu usage|recomput\w+|round ?trips?)"
)
_TESTED = (
    r"(?:unit |e2e |integration |regression |flaky |smoke )*(?:tests?|test cases?|coverage|fixtures?|ut|test suite)\b"
)

_TABLE: tuple[tuple[ChangeType, str], ...] = (
    (
        ChangeType.DOCS,
        r"\b(?:typos?|misspell\w*|spelling|docstrings?|readme(?:\.\w+)?|changelog|code comments?|broken links?)\b",
    ),
    (ChangeType.DOCS, r"^(?:document\w*|clarif\w+|docs?:?)\b"),
    (
        ChangeType.DOCS,
        (
            r"^(?:update|improve|fix|adjust|add|extend|correct|rework)[sd]?\b(?:\s+\S+){0,4}?\s+(?:docs?|"
            r"documentation|help texts?)\b"
        ),
    ),
    (ChangeType.BUILD, r"^(?:bump|roll)\b"),
    (
        ChangeType.BUILD,
        (
            r"^(?:update|upgrade|pin|unpin|downgrade)\b.{0,80}?\b(?:v?\d+\.\d[\w.]*|dependenc\w+|deps|"
            r"lock ?files?|submodules?)"
        ),
    ),
    (
        ChangeType.BUILD,
        (
            r"^(?:require|build with|compile with|target)\s+(?:c\+\+|python|node|go|rust|java|jdk|\.net|cuda|"
            r"cmake|gcc|clang)\b"
        ),
    ),
    (
        ChangeType.TEST,
        (
            rf"^(?:add|extend|improve|fix|skip|disable|enable|re-?enable|split|stabili[sz]e|deflake|move|refactor|"
            rf"increase|more|remove)\b(?:\s+(?!and\b|&|in\b|for\b)\S+){{0,4}}?\s+{_TESTED}"
        ),
    ),
    (ChangeType.TEST, r"^(?:test|tests|deflake|testing)\b"),
    (ChangeType.CI, r"\b(?:github actions?|ci (?:job|pipeline|workflow|failure)s?|pre-commit hooks?)\b"),
    (
        ChangeType.STYLE,
        r"^(?:reformat|format|lint|run (?:black|ruff|prettier|gofmt|clang-format)|fix (?:lint|mypy|formatting))\b",
    ),
    (ChangeType.FEAT, r"^(?:add|support|implement|introduce|enable)\b.{3,120}?(?:\band|&|\+|,)\s+fix"),
    (
        ChangeType.FIX,
        (
            r"\b(?:fix(?:e[sd]|ing)?|bug(?:s|fix)?|hot ?fix|regressions?|crash(?:es|ed)?|dead ?locks?|"
            r"race conditions?|segfaults?|memory leaks?)\b"
        ),
    ),
    (ChangeType.PERF, r"^(?:optimi[sz]e|speed ?up|accelerate|make .{1,60} faster)\b"),
    (
        ChangeType.PERF,
        rf"^(?:reduce|avoid|eliminate|skip|cut|lower|decrease|minimi[sz]e|improve|cache|remove)\b.{{0,80}}?\b{_COSTS}",
    ),
    (ChangeType.PERF, r"\b(?:performance|optimi[sz]ations?|speedups?|zero-copy|faster|improve .{0,40}\bperf)\b"),
    (
        ChangeType.FIX,
        (
            r"^(?:prevent|avoid|disable|handle|correct|restore|respect|guard|ensure|don'?t|do not|resolve|repair|"
            r"mitigate|properly|tolerate|preserve|stop|validate|escape|reject|clamp|never|only|work ?around|"
            r"honou?r|account for|catch|retry|sanitize)(?:e?[sd]|ing)?\b"
        ),
    ),
    (
        ChangeType.FEAT,
        (
            r"^(?:add|support|enable|implement|introduce|allow|expose|provide|integrate|extend|create|new|initial|"
            r"let|publish|ship|include|accept|show|display|offer|default to|set default|register|warm up|detect|"
            r"emit|opt|improve|enhance)(?:e?[sd]|ing)?\b"
        ),
    ),
    (
        ChangeType.REFACTOR,
        (
            r"^(?:refactor\w*|clean(?:ing|ed)? ?-?up|cleanup|simplif\w+|mov(?:e|es|ing)|renam\w+|extract\w*|"
            r"remov\w+|delet\w+|drop\w*|consolidat\w+|unif\w+|split\w*|reorgani[sz]\w+|re-?structur\w+|"
            r"de-?duplicat\w+|replac\w+|convert\w*|migrat\w+|switch\w*|use|using|inline|rewrit\w+|decoupl\w+|"
            r"deprecat\w+|re-?us\w+|merg\w+|combin\w+|standardi[sz]\w+|port|delegate|bundle|make|change|isolate|"
            r"hoist|tidy|minor)\b"
        ),
    ),
    (ChangeType.FEAT, r"\bsupports?\b|\bnow (?:supports?|allows?|accepts?)\b|\bconfigurable\b|\bintegration\b"),
    (ChangeType.REFACTOR, r"\brefactor\w*\b|\bclean ?up\b"),
    (ChangeType.BUILD, r"^(?:update|upgrade)\b.{0,60}?\b(?:versions?|toolchain|image|packages?)\b"),
)
_COMPILED = tuple((kind, re.compile(pattern, re.IGNORECASE)) for kind, pattern in _TABLE)


def type_by_words(words: str) -> tuple[ChangeType, str] | None:
    """Return the type that the title's words speak for and the words, or None; the first row of the table that fits."""
    for kind, pattern in _COMPILED:
        if found := pattern.search(words):
            return kind, found[0]
    return None

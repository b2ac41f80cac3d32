"""The change type that the words of a title speak for, when nothing more explicit decides."""

from __future__ import annotations

import re

from services.analyzer.title_verbs import type_by_verb
from shared.domain.taxonomy import ChangeType

_COSTS = (
    r"(?:latency|throughput|overhead|memory (?:usage|footprint|consumption)|allocations?|copies|copy|syncs?|"
    r"d2h|h2d|startup time|compile time|compilation time|build time|(?:cold|warm) start|bundle size|binary size|"
    r"cpu usage|\d+ bytes|recomput\w+|round ?trips?|exponential|quadratic|(?:remote|system|rpc|network) calls|clones|"
    r"cloning)"
)
_TESTED = (
    r"(?:unit |e2e |integration |acceptance |regression |property |flaky |smoke |test )*"
    r"(?:tests?|test cases?|(?:test |code )coverage|fixtures?|ut|test suite)\b"
)
_FAULTS = (
    r"\b(?:bug(?:s|fix)?|regressions?|crash(?:es|ed)?|dead ?locks?|race conditions?|segfaults?|memory leaks?|"
    r"null ?pointer\w*|npe)\b"
)

_BEFORE_VERBS: tuple[tuple[ChangeType, str], ...] = (
    (
        ChangeType.DOCS,
        (
            r"^(?!(?:refactor|parse|extract|move|render|split|convert|rewrite)\w*\b).*?\b(?:typos?|misspell\w*|"
            r"spelling|docstrings?|java ?docs?|readme(?:\.\w+)?|changelog|code comments?|"
            r"broken links?)\b"
        ),
    ),
    (ChangeType.DOCS, r"^(?:document\w*|clarif\w+|docs?:?)\b"),
    (
        ChangeType.DOCS,
        (
            r"^(?:update|improve|fix|adjust|add|extend|correct|rework)[sd]?\b(?:\s+\S+){0,4}?\s+(?:docs?|documentation|"
            r"help texts?)\b"
        ),
    ),
    (ChangeType.BUILD, r"^(?:bump|roll)\b|^v?\d{1,4}\.\d{1,4}(?:\.\d{1,4})?(?:[.-]?(?:alpha|beta|rc)\S{0,8})?$"),
    (
        ChangeType.BUILD,
        (
            r"^(?:update|upgrade|pin|unpin|downgrade)[sd]?\b.{0,80}?\b(?:v?\d+\.\d[\w.]*|dependenc\w+|deps|lock "
            r"?files?|"
            r"submodules?|toolchain|pins)\b"
        ),
    ),
    (
        ChangeType.BUILD,
        (
            r"^(?:require|build with|compile with|target)\s+(?:c\+\+|python|node|go|rust|java|jdk|\.net|cuda|cmake|gcc|"
            r"clang|wheels)\b"
        ),
    ),
    (
        ChangeType.BUILD,
        (
            r"^(?:re-?)?(?:vendor|sync)(?:s|ed|ing)?\b.{0,40}\b(?:vendored|vendor|upstream|latest|typeshed|"
            r"submodules?|third[- ]party)\b|^vendor\b"
        ),
    ),
    (
        ChangeType.TEST,
        (
            r"^(?:add|extend|improve|fix|skip|disable|enable|re-?enable|split|stabili[sz]e|deflake|move|refactor|"
            r"increase|"
            r"update|more|remove|simplify|speed up)\b(?:\s+(?!and\b|&|in\b|for\b|to\b|into\b|of\b|from\b|with\b|by\b)"
            r"\S+){0,4}?"
            rf"\s+{_TESTED}"
        ),
    ),
    (ChangeType.CI, r"\b(?:github actions?|ci (?:job|pipeline|workflow|failure)s?|pre-commit hooks?)\b"),
    (
        ChangeType.STYLE,
        r"^(?:reformat|format|lint|run (?:black|ruff|prettier|gofmt)|fix (?:lint|mypy|formatting))\b(?!\s+-)",
    ),
    (
        ChangeType.STYLE,
        (
            r"^(?:enable|run|apply|re-?run|use)\b.{0,30}\b(?:rustfmt|cargo fmt|clang-format|gofmt|prettier|mypy|"
            r"clippy|eslint|"
            r"golangci\S*)(?!\S*-)\b"
        ),
    ),
    (ChangeType.REFACTOR, r"^[^:]{2,30}\brefactor\w*:"),
    (ChangeType.FEAT, r"^(?:add|support|implement|introduce|enable)\b.{3,120}?(?:\band|&|\+|,)\s+fix"),
    (
        ChangeType.PERF,
        r"^(?:speed(?:s|ing)? ?up|make .{1,60} faster)\b|\b(?:force|always)-inlin\w+",
    ),
    (ChangeType.FIX, r"\b(?:fix(?:e[sd]|ing)?|hot ?fix)\b"),
    (
        ChangeType.PERF,
        (
            r"(?:^|\bto )(?:reduce|shrink|avoid|eliminate|skip|cut|lower|decrease|minimi[sz]e|improve|cache|remove|"
            r"defer)[sd]?\b.{0,80}?"
            rf"\b{_COSTS}\b"
        ),
    ),
    (
        ChangeType.PERF,
        r"\b(?:performance|optimi[sz]ations?|speedups?|zero-copy|faster|fast path|less often|improve .{0,40}\bperf)\b",
    ),
    (
        ChangeType.PERF,
        (
            r"^re-?us(?:e[sd]?|ing)\b.{0,60}\b(?:buffers?|allocations?|connections?|cached?|pools?|scratch|memory|"
            r"workspaces?|threads?)\b"
        ),
    ),
    (ChangeType.FIX, r"^(?:work ?around|don'?t|do not|account for|fall ?back|false (?:positive|negative)s?)\b"),
    (ChangeType.REFACTOR, r"^(?:narrow|restrict|reduce|limit)\b.{0,30}\bvisibilit\w+|^clean(?:ing|ed|s)? ?-?up\b"),
)
_AFTER_VERBS: tuple[tuple[ChangeType, str], ...] = (
    (ChangeType.FEAT, r"^(?:default to|set default|warm up)\b"),
    (ChangeType.FEAT, r"\bsupports?\b|\bnow (?:supports?|allows?|accepts?)\b|\bconfigurable\b|\bintegration\b"),
    (
        ChangeType.FIX,
        (
            r"\b(?:does(?:n'?t| not)|cannot|can'?t|should(?:n'?t| not)?|must(?:n'?t| not)?|fail(?:s|ed|ing)?|"
            r"wrong(?:ly)?|incorrect(?:ly)?|broken|unexpected(?:ly)?|deterministic|backwards?-compatible|gracefully|"
            r"consistent(?:ly)?|false positives?|robust)\b|\bhandling$"
        ),
    ),
    (ChangeType.REFACTOR, r"\brefactor\w*\b|\bclean ?up\b"),
    (ChangeType.BUILD, r"^(?:update|upgrade)\b.{0,60}?\b(?:versions?|toolchain|image|packages?)\b"),
)
_NEW = frozenset({ChangeType.FEAT, ChangeType.TEST, ChangeType.DOCS})


def _compiled(table: tuple[tuple[ChangeType, str], ...]) -> tuple[tuple[ChangeType, re.Pattern[str]], ...]:
    return tuple((kind, re.compile(pattern, re.IGNORECASE)) for kind, pattern in table)


_BEFORE, _AFTER = _compiled(_BEFORE_VERBS), _compiled(_AFTER_VERBS)
_FAULT = re.compile(_FAULTS, re.IGNORECASE)

Said = tuple[ChangeType, str]


def type_by_words(words: str) -> Said | None:
    """Return the type that the title's words speak for and the words, or None.

    Turns of phrase come before the leading verb, loose words after it. A fault that is named (a crash, a race) makes a
    fix, unless the verb says that something is added, reported or tested.
    """
    if said := _first(_BEFORE, words):
        return said
    verb = type_by_verb(words)
    fault = _FAULT.search(words)
    if fault and (verb is None or verb[0] not in _NEW):
        return ChangeType.FIX, fault[0]
    return verb or _first(_AFTER, words)


def _first(table: tuple[tuple[ChangeType, re.Pattern[str]], ...], words: str) -> Said | None:
    for kind, pattern in table:
        if found := pattern.search(words):
            return kind, found[0]
    return None

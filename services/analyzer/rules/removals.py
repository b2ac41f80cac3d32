"""Removals and deprecations of something that somebody may use."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from services.analyzer.reading.paths import FileKind
from services.analyzer.reading.reading import Reading, find_lines
from services.analyzer.rules.context import RuleContext
from services.analyzer.rules.tags import quoted, trait_tag
from shared.domain.analysis import Evidence, Tag
from shared.domain.pull_request import PullRequest
from shared.domain.taxonomy import Trait

name = "removals"
_REMOVES = re.compile(
    (
        r"(?:^|[;:]\s+|\band\s+)(?:remov(?:e[sd]?|ing)|drop(?:s|ped|ping)?|delet(?:e[sd]?|ing)|retire[sd]?|"
        r"sunset|kill|get rid of|end support)\b\s*(?P<what>.{0,120})|\bno longer supports?\b|"
        r"\bend[- ]of[- ]life\b"
    ),
    re.IGNORECASE,
)
_TRIVIAL = re.compile(
    (
        r"\b(?:unused|dead|needless|unnecessary|redundant|duplicate[sd]?|stale|obsolete|debug\w*|logs?|logging|"
        r"imports?|comments?|tests?|workarounds?|prints?|asserts?|"
        r"asserting|hack|typos?|whitespace|hardcoded|hard-coded|extra|unneeded|useless|leftovers?|spurious|"
        r"superfluous|outdated|old|copies|copy|overhead|"
        r"dependenc\w+|flak\w+|warnings?|trailing|params?|todos?|empty|nested|force|unreachable|no-op|noop|"
        r"prefix|packages? installed)\b"
    ),
    re.IGNORECASE,
)
_DEPRECATES = re.compile(
    (
        r"(?<!remove )(?<!drop )(?<!delete )(?<!fix )(?<!of )(?<!replace )(?<!avoid )(?<!with )(?<!removes "
        r")(?<!using )(?<!use )\bdeprecat(?:e[sd]?|ing|ion of)\b(?!\s+(?:warning|usage|call|api usage|syntax))"
    ),
    re.IGNORECASE,
)
_DEPRECATING_LINE = re.compile(
    r"@deprecated\b|\bDeprecationWarning\b|#\[deprecated|\[Obsolete\b|\[\[deprecated|@Deprecated\b|"
    r"\bdeprecated\(|//\s?Deprecated:"
)


def examine(pull_request: PullRequest, context: RuleContext) -> Iterable[Tag]:
    """Yield ``trait:removal`` and ``trait:deprecation``; taking away what nobody uses is neither."""
    reading = context.read(pull_request)
    if reading.only(FileKind.DOCS, FileKind.TEST, FileKind.CI):
        return
    removed = list(_removals(reading))
    if removed:
        yield trait_tag(name, Trait.REMOVAL, removed)
    deprecated = list(_deprecations(reading))
    if deprecated:
        yield trait_tag(name, Trait.DEPRECATION, deprecated)


def _removals(reading: Reading) -> Iterator[Evidence]:
    found = _REMOVES.search(reading.title.words)
    if found is None or _TRIVIAL.search(found["what"] or ""):
        return
    source = reading.source
    takes_away = sum(file.file.deletions for file in source) > sum(file.file.additions for file in source)
    if not reading.files or takes_away or not source:
        yield Evidence(why="words of the title", quote=quoted(found[0]))


def _deprecations(reading: Reading) -> Iterator[Evidence]:
    marked = any("deprecat" in mark.casefold() for mark in reading.title.brackets)
    if found := _DEPRECATES.search(reading.title.words):
        yield Evidence(why="words of the title", quote=quoted(found[0]))
    elif marked:
        yield Evidence(why="bracket of the title", quote=quoted(reading.title.raw))
    gone = {line for _, line in find_lines(reading.source, _DEPRECATING_LINE, removed=True)}
    for file, line in find_lines(reading.source, _DEPRECATING_LINE):
        if line not in gone and not file.path.test:
            yield Evidence(why="a mark of deprecation is added", path=file.name, quote=quoted(line))

"""Removals of something that somebody may use; taking away what only the project itself knew is none."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from services.analyzer.reading.paths import FileKind
from services.analyzer.reading.reading import Reading
from services.analyzer.rules.change_type import decide
from services.analyzer.rules.context import RuleContext
from services.analyzer.rules.from_facts import withdrawn
from services.analyzer.rules.tags import quoted, trait_tag
from shared.domain.analysis import Evidence, Tag
from shared.domain.pull_request import PullRequest
from shared.domain.taxonomy import ChangeType, Trait

name = "removals"
NOTABLE_LINES = 100
"""Lines of source that must go, on balance, before a removal without public words counts as one."""
_REMOVES = re.compile(
    r"(?P<place>^|[;:]\s+|\band\s+)(?:remov(?:e[sd]?|ing)|drop(?:s|ped|ping)?|delet(?:e[sd]?|ing)|retire[sd]?|"
    r"sunset|kill|get rid of|end(?= support))\b\s*(?P<what>.{0,120})|\bno longer supports?\b|\bend[- ]of[- ]life\b",
    re.IGNORECASE,
)
_TRIVIAL = re.compile(
    r"\b(?:unused|dead|needless|unnecessary|redundant|duplicate[sd]?|stale|obsolete|debug\w*|logs?|logging|"
    r"imports?|comments?|tests?|workarounds?|prints?|asserts?|asserting|hack|typos?|whitespace|hardcoded|hard-coded|"
    r"extra|unneeded|useless|leftovers?|spurious|superfluous|outdated|old|copies|copy|overhead|dependenc\w+|flak\w+|"
    r"warnings?|trailing|params?|todos?|empty|nested|force|unreachable|no-op|noop|prefix|packages? installed|"
    r"single-use|one-off|bespoke|ad[- ]hoc|dummy|internals?|private|helpers?|never|artifacts?|intermediate|temporary|"
    r"boilerplate|machinery|plumbing|indirection|infrastructure|scaffolding|vestigial|uses? of|usages?|"
    r"references? to|calls? to|code (?:relating|related)|what|when|sleeps?|assumptions?|overrides?|ci|benchmarks?)\b|"
    r"\bno longer (?:used|needed|necessary|required|called|reachable)\b|\bfrom (?:the )?(?:docs?|readme|ci|tests?)\b",
    re.IGNORECASE,
)
_PUBLIC = re.compile(
    r"\b(?:support|deprecated|(?:cli |command[- ]line |per-\w+ )?(?:options?|flags?|settings?|arguments?|limits)|"
    r"config(?:uration)?s?|env(?:ironment)? var(?:iable)?s?|apis?|endpoints?|routes?|(?:sub)?commands?|platforms?|"
    r"back-?ends?|(?:file |wire |data )?formats?|features?|modes?|plugins?|integrations?|protocols?|models?|drivers?|"
    r"dialects?|connectors?|providers?|rules?|lints?|pages?|dashboards?|syntax|grammar|targets?|python 2|"
    r"compat(?:ibility)?|legacy|public)\b|(?<![\w-])--[a-z]",
    re.IGNORECASE,
)
_INNER = re.compile(
    r"`|::|\(\)|#\w|\w\.\w+\w|\b[a-z]+[A-Z]\w*|\b[A-Z][a-z0-9]+[A-Z]\w*|\b\w+_\w+|"
    r"\b(?:class(?:es)?|methods?|functions?|fns?|structs?|traits?|enums?|iterators?|wrappers?|conversions?|predicates?|"
    r"fields?|variables?|constants?|macros?|casts?|locks?|waits?|waiting|threads?|checks?|branch(?:es)?|"
    r"allocations?|attributes?|modules?|interfaces?|types?|generics?|lifetimes?|exceptions?|parameters?|callbacks?)\b"
)
"""Names in code and words for parts of code: nobody outside knows them, unless pages or interface files change too."""
_OTHER_THING = re.compile(r"[.;]\s|\bin favou?r of\b|,?\s+(?:and )?us(?:e|ing)\b", re.IGNORECASE)
"""Where a title goes on to what takes the place of what is removed."""
_NO_REMOVAL = frozenset({ChangeType.PERF, ChangeType.TEST, ChangeType.CI, ChangeType.DOCS, ChangeType.STYLE})


def examine(pull_request: PullRequest, context: RuleContext) -> Iterable[Tag]:
    """Yield ``trait:removal`` with the words of the title, and with what the diff takes away from users."""
    reading = context.read(pull_request)
    if reading.only(FileKind.DOCS, FileKind.TEST, FileKind.CI):
        return
    removed = [*_removals(reading), *withdrawn(context.facts_of(pull_request))]
    if removed:
        yield trait_tag(name, Trait.REMOVAL, removed)


def _removals(reading: Reading) -> Iterator[Evidence]:
    found = _REMOVES.search(reading.title.words)
    if found is None:
        return
    what = _OTHER_THING.split(found["what"] or "", maxsplit=1)[0]
    if _TRIVIAL.search(what) and not reading.title.bang:
        return
    if decide(reading)[0] in _NO_REMOVAL or not _takes_away(reading):
        return
    if not found["what"] or _is_felt(reading, what, leading=found["place"] == ""):
        yield Evidence(why="words of the title", quote=quoted(found[0]))


def _takes_away(reading: Reading) -> bool:
    """Whether source goes on balance; without any source in the list the title is believed."""
    source = reading.source
    taken = sum(file.file.deletions for file in source) > sum(file.file.additions for file in source)
    return not reading.files or taken or (not source and bool(reading.kinds & _OUTSIDE_SOURCE))


_OUTSIDE_SOURCE = frozenset({FileKind.CONFIGURATION, FileKind.BUILD, FileKind.DATA, FileKind.OTHER})


def _is_felt(reading: Reading, what: str, *, leading: bool) -> bool:
    """Whether people outside the project can miss it: public words, a page or an interface that changes, or its"""
    """size."""
    if reading.title.bang or _PUBLIC.search(what):
        return True
    if not leading or decide(reading)[0] is ChangeType.FIX:
        return False
    shown = any(
        not file.path.test and file.lines and (file.path.public or file.kind is FileKind.DOCS) for file in reading.files
    )
    if shown:
        return True
    net = sum(file.file.deletions - file.file.additions for file in reading.source)
    gone = any(file.file.status == "removed" for file in reading.source)
    return not _INNER.search(what) and (net >= NOTABLE_LINES or gone or not reading.files)

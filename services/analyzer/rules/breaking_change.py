"""Breaking changes that are announced: by prefix, footer, bracket, label or ticked box, or in plain words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from services.analyzer.reading.announcements import announced_steps
from services.analyzer.reading.paths import FileKind
from services.analyzer.reading.reading import Reading
from services.analyzer.rules.context import RuleContext
from services.analyzer.rules.tags import quoted, risk_tag
from shared.domain.analysis import Evidence, Tag
from shared.domain.pull_request import PullRequest
from shared.domain.taxonomy import Risk

name = "breaking-change"

_NEGATED = r"(?<!non-)(?<!non )(?<!not )(?<!not a )(?<!no )(?<!without )(?<!any )"
_FOOTER = re.compile(r"^\W{0,4}BREAKING[ -]CHANGES?\W{0,4}:\s*(?P<what>\S.*)", re.MULTILINE)
_WORDS = re.compile(
    rf"{_NEGATED}\b(?:backwards?[- ]incompatible|breaking (?:api )?changes?|breaks? (?:the )?(?:api|abi|"
    rf"backwards? compat\w+))\b",
    re.IGNORECASE,
)
_TICKED = re.compile(rf"^\W{{0,6}}{_NEGATED}breaking(?: change)?", re.IGNORECASE)
_LABEL = re.compile(
    r"(?:\S{1,20}[:/-]\s?)?(?:breaking|breaking[ -]changes?|semver[-: ]major|api[- ]break\w*|"
    r"backwards?[- ]incompatib\w+|incompatible)"
)
_NO = re.compile(r"^\W{0,4}(?:none|no\b|n/?a|nothing|not applicable|-+$)", re.IGNORECASE)
_TITLE = re.compile(
    r"\b(?:(?:remove|drop|end|delete)s?\s+(?:\S+\s+){0,4}?(?:support|compat(?:ibility)?)\b(?!\s+for testing)|"
    r"(?:remove|drop|delete)s?\s+(?:all\s+|the\s+|some\s+)?(?:long[- ])?deprecated\b|no longer supports?\b|"
    r"(?:remove|drop|delete)s?\s+(?:\S+\s+){0,5}?(?:api|apis|endpoint|endpoints|cli (?:flag|option|"
    r"argument)s?|environment variables?|env vars?|flags?|configurations?|"
    r"(?:config(?:uration)? )?(?:settings?|options?|keys)|sub-?commands?|public \w+)$|"
    r"require[sd]?\s+(?:c\+\+|python|node(?:\.js)?|java|jdk|go|rust|ruby|php|cuda|gcc|clang|cmake|"
    r"\.net)\s?v?>?=?\s?\d[\w.+]*|"
    r"(?:rais|bump|increas)\w+\s+(?:the\s+)?(?:minimum|min\.?|msrv)\b|make\s+\S+\s+(?:required|mandatory)\b|"
    r"rename[sd]?\s+(?:public\s+\S+|(?:\S+\s+){0,3}?(?:option|flag|api|endpoint|env var|"
    r"environment variable|command|setting|field)s?\b))",
    re.IGNORECASE,
)
_HARMLESS = re.compile(
    r"\b(?:unused|dead|internal|private|tests?|ci|comment|typo|redundant|obsolete|outdated|duplicated?|unneeded|"
    r"unnecessary|stale|dev|development|lint\w*|build|compiler|workflow|benchmarks?)\b",
    re.IGNORECASE,
)


def examine(pull_request: PullRequest, context: RuleContext) -> Iterable[Tag]:
    """Yield ``risk:breaking-change`` with every announcement, the most explicit first."""
    evidence = list(_announced(context.read(pull_request)))
    if evidence:
        yield risk_tag(name, Risk.BREAKING_CHANGE, evidence)


def _announced(reading: Reading) -> Iterator[Evidence]:
    yield from _by_mark(reading)
    yield from _by_footer(reading)
    for claim in reading.prose.ticked:
        if _TICKED.match(claim):
            yield Evidence(why="ticked box of the description", quote=quoted(claim))
    yield from _in_words(reading)


def _by_mark(reading: Reading) -> Iterator[Evidence]:
    title = reading.title
    if title.bang:
        yield Evidence(why="'!' before the colon of the title", quote=quoted(title.raw))
    for mark in title.brackets:
        if mark.strip().casefold().startswith("breaking"):
            yield Evidence(why="bracket of the title", quote=quoted(f"[{mark}]"))
    for folded, label in reading.labels:
        if _LABEL.fullmatch(folded):
            yield Evidence(why=f"label '{label}'", quote=label)


def _by_footer(reading: Reading) -> Iterator[Evidence]:
    for text, where in ((reading.prose.text, "description"), (reading.commit_messages, "commit message")):
        for found in _FOOTER.finditer(text):
            if not _NO.match(found["what"]):
                yield Evidence(why=f"footer of the {where}", quote=quoted(found[0]))
                break


def _in_words(reading: Reading) -> Iterator[Evidence]:
    title = reading.title
    if found := _WORDS.search(title.raw):
        yield Evidence(why="words of the title", quote=quoted(found[0]))
    elif (found := _TITLE.search(title.words)) and not _HARMLESS.search(title.words) and _touches_product(reading):
        yield Evidence(why="the title says that something is taken away or demanded", quote=quoted(title.text))
    for line in reading.prose.text.split("\n"):
        found = _WORDS.search(line)
        if (
            found
            and not line.lstrip().startswith("#")
            and not re.search(r"\?|\bno\b|\bnot\b|\bnone\b|without", line, re.IGNORECASE)
        ):
            yield Evidence(why="words of the description", quote=quoted(line))
            break
    if not reading.only(FileKind.DOCS, FileKind.TEST, FileKind.CI):
        for sentence in announced_steps(reading):
            yield Evidence(why="the description asks for a step", quote=quoted(sentence))


def _touches_product(reading: Reading) -> bool:
    """A test or a page about something that goes away takes nothing away."""
    return (
        not reading.files
        or bool(reading.source)
        or any(file.path.manifest or file.path.toolchain for file in reading.files)
        or not (reading.kinds & {"docs", "test", "ci"})
    )

"""Deprecations that are announced: in the title, by a mark in the code that is shipped, in a changelog.

The word alone says nothing: linters, tests and fixtures are full of it. A mark counts on an added line of product code,
in the form in which its own language writes it, and only when it was not there before.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from services.analyzer.reading.paths import FileKind
from services.analyzer.reading.reading import FileReading, Reading
from services.analyzer.rules.change_type import decide
from services.analyzer.rules.context import RuleContext
from services.analyzer.rules.tags import quoted, trait_tag
from shared.domain.analysis import Evidence, Tag
from shared.domain.pull_request import PullRequest
from shared.domain.taxonomy import ChangeType, Trait

name = "deprecations"
_GATHERING = frozenset({ChangeType.BUILD, ChangeType.CHORE, ChangeType.CI})
_TITLE = re.compile(
    r"(?:^|\band\s+|[;,:]\s+)(?:soft[- ])?deprecat(?:es?|ing|ion of)\b(?!\s+(?:warnings?|usage|calls?|syntax|command))|"
    r"\bmark(?:s|ed|ing)?\b.{1,80}?\bdeprecated\b|\b(?:is|are) (?:now )?deprecated\b",
    re.IGNORECASE,
)
_BODY = re.compile(
    r"\bthis (?:pr|pull request|change|commit) deprecates\b|\b(?:is|are) (?:now|hereby) deprecated\b", re.IGNORECASE
)
_CHANGELOG = re.compile(
    r"(?:^|/)(?:change(?:log|s)?|news|history|release[-_]?notes?|upgrad\w*|migrat\w*|breaking[-_]changes)[^/]*$|"
    r"(?:^|/)(?:\.changeset|newsfragments|changelog\.d|changelogs?|releasenotes)/"
)
_CHANGELOG_LINE = re.compile(
    r"^\W{0,6}deprecat(?:e[sd]?|ing|ion)\b(?!-|\W{0,4}$)|^\.\. deprecated::|"
    r"^(?:(?!that\b|which\b|no\b|not\b|when\b|if\b|longer\b|reports?\b)\S{1,60}\s){1,14}"
    r"(?:is|are|has been|have been) (?:now )?deprecated\b",
    re.IGNORECASE,
)


def examine(pull_request: PullRequest, context: RuleContext) -> Iterable[Tag]:
    """Yield ``trait:deprecation`` with every announcement, the title first."""
    reading = context.read(pull_request)
    if reading.only(FileKind.TEST, FileKind.CI):
        return
    evidence = [*_said(reading), *_marks(reading, context), *_in_changelogs(reading)]
    if evidence:
        yield trait_tag(name, Trait.DEPRECATION, evidence)


def _said(reading: Reading) -> Iterator[Evidence]:
    if reading.only(FileKind.DOCS):
        return
    if found := _TITLE.search(reading.title.words):
        yield Evidence(why="words of the title", quote=quoted(found[0]))
    elif any("deprecat" in mark.casefold() for mark in reading.title.brackets):
        yield Evidence(why="bracket of the title", quote=quoted(reading.title.raw))
    for line in reading.prose.text.split("\n"):
        if _BODY.search(line):
            yield Evidence(why="words of the description", quote=quoted(line))
            return


def _marks(reading: Reading, context: RuleContext) -> Iterator[Evidence]:
    """Marks that are there now and were not before; moved, renamed and reformatted code brings none."""
    files = [file for file in reading.source if not file.path.test]
    gone = [line for file in files for line in _marked(file, file.patch.removed, context)]
    known = {_bare(line) for line in gone}
    new = [
        (file, line) for file in files for line in _marked(file, file.patch.added, context) if _bare(line) not in known
    ]
    for file, line in new[: max(0, len(new) - len(gone) + len(known & {_bare(line) for _, line in new}))]:
        yield Evidence(why="a mark of deprecation is added", path=file.name, quote=quoted(line))


def _marked(file: FileReading, lines: tuple[str, ...], context: RuleContext) -> list[str]:
    signs = context.signs.deprecation.get(file.language.name) if file.language else None
    return [line for line, _, _ in signs.find(lines)] if signs is not None else []


def _bare(line: str) -> str:
    return re.sub(r"\W+", "", line)[:40]


def _in_changelogs(reading: Reading) -> Iterator[Evidence]:
    """What a changelog newly says; the one of a release only gathers what other merges said before."""
    if decide(reading)[0] in _GATHERING:
        return
    for file in reading.files:
        if file.kind is not FileKind.DOCS or file.path.test or not _CHANGELOG.search(file.path.folded):
            continue
        gone = {_bare(line) for line in file.patch.removed}
        for line in file.patch.added:
            if _CHANGELOG_LINE.search(line.strip()) and _bare(line) not in gone:
                yield Evidence(why="a changelog says so", path=file.name, quote=quoted(line))

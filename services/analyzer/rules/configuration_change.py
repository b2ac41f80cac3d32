"""Configuration, environment variables, options, defaults and database migrations that change."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from services.analyzer.reading.announcements import announced_variable
from services.analyzer.reading.paths import FileKind
from services.analyzer.reading.reading import FileReading, Reading
from services.analyzer.rules.change_type import decide
from services.analyzer.rules.context import RuleContext
from services.analyzer.rules.from_facts import changed_variables
from services.analyzer.rules.tags import quoted, risk_tag
from shared.domain.analysis import Evidence, Tag
from shared.domain.pull_request import PullRequest
from shared.domain.taxonomy import ChangeType, Risk

name = "configuration-change"
_TITLE = re.compile(
    r"\b[Bb]y default\b|\b[Dd]efaults? to\b|"
    r"\b(?:[Cc]hang|[Ss]et|[Ss]witch|[Uu]pdat|[Nn]ew)\w*\s+(?:the\s+)?(?:\S+\s+){0,2}?defaults?\b(?!\s+--)|"
    r"\benv(?:ironment)? var(?:iable)?s?\b"
)
_TITLE_OF_MORE = re.compile(
    r"\b(?:[Aa]dd|[Rr]emov|[Rr]enam|[Rr]eplac|[Ii]ntroduc|[Ss]upport|[Dd]eprecat|[Dd]rop|[Nn]ew|[Ee]xpos)\w*\b"
    r"(?:(?!\b(?:to|for|of|in|with)\b).){0,60}?(?<![\w-])--[a-z][a-z0-9-]{2,}|"
    r"\b(?:[Cc][Ll][Ii]|command[- ]line|config(?:uration)?)\s+(?:flag|option|arg(?:ument)?|setting|parameter|key)s?\b|"
    r"\b[A-Z][A-Z0-9]+(?:_[A-Z0-9]+)+=\S|\b[Cc]onfigurable\b|\b[Ff]eature flags?\b"
)
"""Options that come or go; a fix that names one only tells where something went wrong."""
_NOT_OF_PRODUCT = frozenset({ChangeType.DOCS, ChangeType.TEST, ChangeType.CI, ChangeType.STYLE})
_SETTINGS_NAME = re.compile(
    r"(?:envs?|environment|settings?|defaults|options|flags|feature_?flags|env_vars|envvars|configuration|"
    r"config)\.[a-z]{1,4}"
)
_SETTINGS_FOLDERS = frozenset({"config", "configs", "configuration", "settings"})


def examine(pull_request: PullRequest, context: RuleContext) -> Iterable[Tag]:
    """Yield ``risk:configuration-change`` with what the patches show first, then the title, then file names."""
    reading = context.read(pull_request)
    shown = changed_variables(context.facts_of(pull_request))
    evidence = [*shown, *_in_description(reading), *_in_title(reading), *_in_files(reading)]
    if evidence:
        yield risk_tag(name, Risk.CONFIGURATION_CHANGE, evidence)


def _in_description(reading: Reading) -> Iterator[Evidence]:
    if sentence := announced_variable(reading):
        yield Evidence(why="words of the description", quote=quoted(sentence))


def _in_title(reading: Reading) -> Iterator[Evidence]:
    product = (
        not reading.files
        or bool(reading.source)
        or FileKind.CONFIGURATION in reading.kinds
        or FileKind.BUILD in reading.kinds
    )
    change_type = decide(reading)[0]
    if not product or change_type in _NOT_OF_PRODUCT:
        return
    found = _TITLE.search(reading.title.text)
    if found is None and change_type is not ChangeType.FIX:
        found = _TITLE_OF_MORE.search(reading.title.text)
    if found:
        yield Evidence(why="words of the title", quote=quoted(found[0]))


def _in_files(reading: Reading) -> Iterator[Evidence]:
    for file in reading.files:
        if file.lines and not file.path.test and (why := _why(file)):
            yield Evidence(why=why, path=file.name)


def _why(file: FileReading) -> str | None:
    if file.path.migration and file.kind in {FileKind.SOURCE, FileKind.DATA} and file.file.status == "added":
        return "database migration"
    if file.kind is FileKind.CONFIGURATION:
        return "configuration file"
    if file.kind is FileKind.SOURCE and not file.patch.size:
        *folders, base = file.path.folded.split("/")
        if _SETTINGS_NAME.fullmatch(base) or not _SETTINGS_FOLDERS.isdisjoint(folders):
            return "source file of settings; its patch was not seen"
    return None

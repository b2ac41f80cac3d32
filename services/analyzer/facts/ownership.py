"""Licences, and who owns which part of the code."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from services.analyzer.facts.building_files import aside, shipped
from services.analyzer.facts.change import Change, FileChange
from services.analyzer.facts.declared import Declared, compared
from services.analyzer.facts.items import place_of
from services.analyzer.facts.manifest_places import placed
from services.analyzer.facts.sides import Line, Side
from services.analyzer.reading.paths import FileKind
from shared.domain.facts import Fact, FactKind, Reach, Subject

name = "ownership"

_LICENCE_FILE = re.compile(r"(?:[\w.-]{1,60}/){0,3}(?:licen[cs]e|copying|unlicense)(?:[-.][\w.-]{1,30})?$")
_OWNERS_FILE = re.compile(r"(?:(?:\.github|\.gitlab|docs)/)?codeowners$")
_KNOWN: tuple[tuple[str, str], ...] = (
    ("GNU AFFERO GENERAL PUBLIC LICENSE", "AGPL"),
    ("GNU LESSER GENERAL PUBLIC LICENSE", "LGPL"),
    ("GNU GENERAL PUBLIC LICENSE", "GPL"),
    ("APACHE LICENSE", "Apache"),
    ("MOZILLA PUBLIC LICENSE", "MPL"),
    ("BUSINESS SOURCE LICENSE", "BUSL"),
    ("SERVER SIDE PUBLIC LICENSE", "SSPL"),
    ("ELASTIC LICENSE", "Elastic"),
    ("FUNCTIONAL SOURCE LICENSE", "FSL"),
    ("BOOST SOFTWARE LICENSE", "BSL"),
    ("ECLIPSE PUBLIC LICENSE", "EPL"),
    ("BSD 3-CLAUSE", "BSD-3-Clause"),
    ("BSD 2-CLAUSE", "BSD-2-Clause"),
    ("ISC LICENSE", "ISC"),
    ("MIT LICENSE", "MIT"),
    ("PERMISSION IS HEREBY GRANTED, FREE OF CHARGE", "MIT"),
    ("NEITHER THE NAME OF", "BSD-3-Clause"),
    ("THIS IS FREE AND UNENCUMBERED SOFTWARE", "Unlicense"),
    ("REDISTRIBUTION AND USE IN SOURCE AND BINARY FORMS", "BSD-2-Clause"),
)
"""Words that only one licence has, in upper case, the more particular first."""
_LICENCE_VERSION = re.compile(r"version (\d(?:\.\d)?)", re.IGNORECASE)
_FIELD = re.compile(
    r"[\"']?license[\"']?\s{0,3}[=:]\s{0,3}(?:\{\s{0,2}(?:text|type)[\"']?\s{0,2}[=:]\s{0,2})?"
    r"[\"'](?P<value>[\w .+()/-]{2,80})[\"']"
)
_CLASSIFIER = re.compile(r"[\"']?License :: (?P<value>[\w :.()/+-]{3,90}?)[\"']?,?$")
_FIELD_FILES = re.compile(
    r"(?:^|/)(?:pyproject\.toml|setup\.py|setup\.cfg|package\.json|composer\.json|cargo\.toml|[^/]*\.gemspec)$"
)
_RULE = re.compile(
    r"(?P<pattern>[^\s@#\[]\S{0,200})(?P<owners>(?:\s{1,20}(?:@[\w./-]{1,80}|[\w.+-]{1,60}@[\w.-]{1,60})){0,30})\s*$"
)


def read(change: Change) -> Iterable[Fact]:
    """Yield the facts."""
    for file in change.files:
        path = file.reading.path
        if (
            _LICENCE_FILE.match(path.folded)
            and not aside(file)
            and file.kind not in (FileKind.VENDORED, FileKind.GENERATED)
            and not path.test
        ):
            yield from _licence_file(file)
    yield from compared((file for file in change.files if shipped(file)), _fields)
    owners = (file for file in change.files if _OWNERS_FILE.match(file.reading.path.folded))
    yield from compared(owners, _owners)


def _licence_file(file: FileChange) -> Iterator[Fact]:
    old, new = _licence_of(file.before), _licence_of(file.after)
    if old is None and new is None:
        return
    if old and new and old[0] == new[0]:
        return
    if not (file.new or file.gone) and (old is None or new is None):
        return
    kind = FactKind.CHANGED if old and new else FactKind.ADDED if new else FactKind.REMOVED
    yield Fact(
        kind=kind,
        subject=Subject.LICENCE,
        name=file.path,
        old=old[0] if old else None,
        new=new[0] if new else None,
        before=place_of(file.path_before, old[1]) if old else None,
        after=place_of(file.path, new[1]) if new else None,
        reach=Reach.PUBLIC,
        reach_why="whoever uses it is bound by it",
    )


def _licence_of(side: Side) -> tuple[str, Line] | None:
    """The licence whose words stand in the changed lines, and the line that has them."""
    changed = side.changed[:400]
    text = "\n".join(line.text for line in changed).upper()
    for words, known in _KNOWN:
        if words not in text:
            continue
        line = next((line for line in changed if words in line.text.upper()), changed[0])
        version = _LICENCE_VERSION.search("\n".join(other.text for other in changed[:40]))
        return (f"{known}-{version[1]}" if version and known[-1].isalpha() and known != "MIT" else known), line
    return None


def _fields(file: FileChange, side: Side) -> Iterator[Declared]:
    path = file.reading.path.folded
    if not _FIELD_FILES.search(path):
        return
    ending = path.rsplit(".", 1)[-1]
    for place in placed(side, ending if ending in {"json", "toml"} else ""):
        if found := _CLASSIFIER.match(place.text):
            value = found["value"].rsplit(" :: ", 1)[-1]
            yield _licence("classifier", "licence classifier", value, place.line)
        elif found := _FIELD.match(place.text):
            yield _licence("licence", "license", found["value"], place.line)


def _licence(key: str, named: str, value: str, line: Line) -> Declared:
    return Declared(
        Subject.LICENCE, key, named, value, line, Reach.PUBLIC, "whoever uses it is bound by it", revalued_only=True
    )


def _owners(_: FileChange, side: Side) -> Iterator[Declared]:
    for line in side.lines:
        if found := _RULE.match(line.code.strip()):
            value = " ".join(found["owners"].split()) or None
            yield Declared(
                Subject.CODE_OWNERS,
                found["pattern"].strip("/"),
                found["pattern"],
                value,
                line,
                Reach.INTERNAL,
                "who reviews what",
            )

"""Schemas and formats: steps that change a database, messages and services, numbers that formats are told apart by."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from services.analyzer.facts.building_files import shipped
from services.analyzer.facts.change import Change, FileChange
from services.analyzer.facts.declared import Declared, compared
from services.analyzer.facts.interface_files import interface_items, is_interface
from services.analyzer.facts.migrations import migration_facts
from services.analyzer.facts.sides import Side
from shared.domain.facts import Fact, FactKind, Reach, Subject

name = "schemas"

_CONSTANT = re.compile(
    r"(?:(?:export|pub(?:\([a-z]{1,8}\))?|public|private|protected|internal|static|final|const|constexpr|inline|readonly|"
    r"let|var|val|#\s{0,3}define|unsigned)\s{1,4}){0,6}"
    r"(?:(?:std::)?(?:u?int(?:\d{1,2}(?:_t)?)?|long|size_t|byte|u\d{1,2}|auto|str|String|string)\s{1,4})?"
    r"(?P<name>[A-Za-z_]\w{2,80})(?:\[\w{0,10}\])?(?:\s{0,3}:\s{0,3}[&\w\[\]. ';]{1,40}?)?\s{0,4}(?::?=|\s)\s{0,4}"
    r"(?P<value>0x[\da-fA-F_]{1,20}|\d{1,8}|b?[\"'][^\"']{1,40}[\"'])(?:UL?|L|u\d{1,2}|i\d{1,2})?\s{0,3}[;,]?$"
)
_VERSION = re.compile(
    r"(?P<what>.{1,60}?)_VERSION(?:_NUMBER|_CODE)?$|(?P<camel>[A-Za-z]\w{1,50}?)Version$|(?P<low>\w{1,50}?)_version$"
)
_WORDS = re.compile(
    r"FORMAT|PROTOCOL|SCHEMA|WIRE|CHECKPOINT|SERIALI[SZ]|STORAGE|CACHE|METADATA|DATABASE|DB|SNAPSHOT|INDEX|HANDSHAKE|"
    r"MANIFEST|STATE|ENCODING|LAYOUT|RPC|MESSAGE|CONNECTOR|ABI|JOURNAL|TRACE|CONFIG",
    re.IGNORECASE,
)
_SPOKEN = re.compile(r"PROTOCOL|WIRE|HANDSHAKE|RPC|MESSAGE|CONNECTOR", re.IGNORECASE)
_MAGIC = re.compile(r"(?:.{0,40}_)?MAGIC(?:_(?:NUMBER|BYTES|HEADER))?$|[a-z]\w{0,30}Magic(?:Number|Bytes)?$")
_NO_FORMAT = re.compile(
    r"(?:.{0,40}_)?(?:MIN|MAX|MAJOR|MINOR|PATCH|PYTHON|CUDA|ROCM|GCC|CXX|APP|TEST|SUPPORTED|DEP)_", re.IGNORECASE
)
_NUMBER = re.compile(r"= (\d{1,9})$")


def read(change: Change) -> Iterable[Fact]:
    """Yield the facts."""
    files = [file for file in change.files if shipped(file)]
    for file in files:
        yield from migration_facts(file)
    yield from _interfaces([file for file in files if is_interface(file.reading.path.folded)])
    sources = (file for file in files if file.language is not None and not file.reading.path.migration)
    yield from compared(sources, _formats)


def _interfaces(files: list[FileChange]) -> Iterator[Fact]:
    """What left with its message is told with the message; a new field or value harms nobody and is not told."""
    facts = list(compared(files, interface_items, most=400))
    gone = {fact.name for fact in facts if fact.kind is FactKind.REMOVED}
    come = {fact.name for fact in facts if fact.kind is FactKind.ADDED}
    numbers = _numbers_now(files)
    for fact in facts:
        owner = fact.name.rpartition(".")[0]
        if fact.kind is FactKind.ADDED and not ((fact.new or "").startswith("(") and owner not in come):
            continue
        if fact.kind is not FactKind.REMOVED or owner not in gone:
            yield _with_number(fact, numbers)


def _numbers_now(files: list[FileChange]) -> dict[tuple[str, str], str]:
    """What has which number in which message after the merge."""
    return {
        (one.name.rpartition(".")[0], number[1]): one.name.rpartition(".")[2]
        for file in files
        for one in interface_items(file, file.after)
        if (number := _NUMBER.search(one.value or ""))
    }


def _with_number(fact: Fact, numbers: dict[tuple[str, str], str]) -> Fact:
    """Say that the number of a field that is gone belongs to another one now, or that a new name keeps it."""
    if fact.kind is FactKind.RENAMED and "." in fact.name:
        return fact.model_copy(update={"note": "type and number stay"})
    number = _NUMBER.search(fact.old or "")
    other = numbers.get((fact.name.rpartition(".")[0], number[1])) if number else None
    if fact.kind is not FactKind.REMOVED or number is None or other is None:
        return fact
    return fact.model_copy(update={"note": f"its number {number[1]} is {other} now"})


def _formats(file: FileChange, side: Side) -> Iterator[Declared]:
    private = file.path.rsplit("/", 1)[-1].startswith("_")
    for line in side.changed:
        if not re.search(r"ersion|VERSION|agic|MAGIC", line.code):
            continue
        found = _CONSTANT.match(line.code.strip())
        if found and (subject := _format_of(found["name"], found["value"])):
            internal = private or found["name"].startswith("_")
            yield Declared(
                subject,
                found["name"],
                found["name"],
                found["value"],
                line,
                Reach.INTERNAL if internal else Reach.PUBLIC,
                "a private name" if internal else "what one version stores or sends, another reads",
                revalued_only=True,
            )


def _format_of(named: str, value: str) -> Subject | None:
    if _MAGIC.match(named):
        return Subject.FORMAT
    versioned = _VERSION.match(named)
    if versioned is None or _NO_FORMAT.match(named):
        return None
    what = versioned["what"] or versioned["camel"] or versioned["low"]
    if not _WORDS.search(what) or not re.fullmatch(
        r"0x\w{1,20}|\d{1,8}|b?[\"']v?\d{1,4}(?:\.\d{1,4}){0,2}[\"']", value
    ):
        return None
    return Subject.PROTOCOL if _SPOKEN.search(what) else Subject.FORMAT

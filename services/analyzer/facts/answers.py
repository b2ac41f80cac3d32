"""Functions of Python that may answer nothing now and always answered something: seen in whole sources only."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable

from services.analyzer.facts.change import Change, FileChange
from services.analyzer.facts.heads import What
from services.analyzer.facts.importable import Known, known, reach_of
from services.analyzer.facts.items import MOST_FACTS, place_of
from services.analyzer.facts.outline import body_of
from services.analyzer.facts.sides import Line
from shared.domain.facts import Fact, FactKind, Reach, ReadFrom, Subject

name = "answers"

_LONGEST = 2_000
"""Lines of one function."""
_NOTHING = re.compile(r"return(?: None)?$")
_SOMETHING = re.compile(r"return (?!None$)")
_NO_ANSWER = re.compile(r"\) ?-> ?None ?:")


def read(change: Change) -> Iterable[Fact]:
    """Yield the facts; what only the whole file can tell is marked so."""
    facts: list[Fact] = []
    for file in change.product:
        if file.language == "python" and file.whole and not file.new and not file.gone:
            added = [line for line in file.after.changed if _NOTHING.match(line.bare.strip())]
            facts += _of(change, file, added) if added else []
    yield from facts[:MOST_FACTS]


def _of(change: Change, file: FileChange, added: list[Line]) -> Iterable[Fact]:
    functions = [
        Known(one, file, file.after, file.path) for one in file.declared[1] if one.what is What.FUNCTION and one.usable
    ]
    starts = [one.declared.statement.number for one in functions]
    before = {one.declared.name: one for one in known(change, after=False) if one.file is file}
    told: set[str] = set()
    for line in added:
        place = bisect_right(starts, line.number) - 1
        if place < 0:
            continue
        new = functions[place]
        old = before.get(new.declared.name)
        if old is None or new.declared.name in told or not _within(new, line) or not _always_answered(old):
            continue
        reach, why = reach_of(change, new)
        if reach is not Reach.INTERNAL:
            told.add(new.declared.name)
            yield Fact(
                kind=FactKind.CHANGED,
                subject=Subject.FUNCTION,
                name=new.declared.name,
                new=line.code.strip(),
                after=place_of(file.path, line),
                reach=reach,
                reach_why=why,
                note="may answer None now, which it never did before",
                read_from=ReadFrom.SOURCES,
            )


def _within(one: Known, line: Line) -> bool:
    """Whether the line belongs to the function itself, and to no function inside of it."""
    lines = one.side.fragments[0].lines
    outer = one.declared.statement.indent
    for other in reversed(lines[one.declared.statement.lines[-1].number : line.number - 1]):
        code = other.bare.strip()
        if code and _indent(other) <= outer:
            return False
        if code.startswith(("def ", "async def ", "class ", "lambda")) and _indent(other) < _indent(line):
            return False
    return True


def _always_answered(one: Known) -> bool:
    """Whether every ``return`` of it gave something."""
    body = body_of(one.side, one.declared, _LONGEST)
    if _NO_ANSWER.search(one.declared.statement.bare) or any("yield" in line for line in body):
        return False
    return any(_SOMETHING.match(line) for line in body) and not any(_NOTHING.match(line) for line in body)


def _indent(line: Line) -> int:
    return len(line.code) - len(line.code.lstrip())

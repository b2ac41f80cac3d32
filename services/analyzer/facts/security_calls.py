"""Calls that deserve a look by somebody who knows about security: come, gone, made safe, made unsafe."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from services.analyzer.facts.change import Change, FileChange
from services.analyzer.facts.items import MOST_FACTS, place_of
from services.analyzer.facts.security_signs import SIGNS, SecuritySign
from services.analyzer.facts.sides import Line, Side
from services.analyzer.facts.texts import cut
from services.analyzer.reading.paths import FileKind
from shared.domain.facts import Fact, FactKind, Reach, Subject

name = "security-calls"
_TOOLS = frozenset(
    {
        "scripts",
        "script",
        "tools",
        "tool",
        "hack",
        "build",
        "release",
        "ci",
        ".ci",
        ".github",
        "dev",
        "xtask",
        ".buildkite",
    }
)
_NEAR = 40
"""Lines within which a safe call takes the place of a dangerous one."""


@dataclass(frozen=True)
class _Seen:
    """A sign on one line of one side; ``unsafe``: whether it is the dangerous form."""

    sign: SecuritySign
    what: str
    unsafe: bool
    path: str
    line: Line


def read(change: Change) -> Iterable[Fact]:
    """Yield the facts; a call that moved, or of which there are as many as before, is none."""
    made: list[Fact] = []
    moved = Counter(_squeezed(line) for file in change.product for line in file.before.changed)
    moved_back = Counter(_squeezed(line) for file in change.product for line in file.after.changed)
    for file in change.product:
        before = [seen for seen in _seen(file, file.before, file.path_before) if not moved_back[_squeezed(seen.line)]]
        after = [seen for seen in _seen(file, file.after, file.path) if not moved[_squeezed(seen.line)]]
        made += _compared(file, before, after)
    yield from made[:MOST_FACTS]


def _squeezed(line: Line) -> str:
    return "".join(line.code.split())


def _seen(file: FileChange, side: Side, path: str) -> Iterator[_Seen]:
    language = file.language or ""
    lines = side.changed
    if not lines:
        return
    code, bare = "\n".join(line.code for line in lines), "\n".join(line.bare for line in lines)
    for sign in SIGNS:
        if (sign.languages and language not in sign.languages) or not sign.anywhere(code if sign.in_strings else bare):
            continue
        for line in lines:
            text = line.code if sign.in_strings else line.bare
            if found := sign.unsafe.search(text):
                yield _Seen(sign, _name(found, line), True, path, line)
            elif sign.safe is not None and (found := sign.safe.search(text)):
                yield _Seen(sign, _name(found, line), False, path, line)


def _name(found: re.Match[str], line: Line) -> str:
    return cut(found.groupdict().get("name") or line.code[found.start() : found.end()].strip().rstrip("("), 80)


def _compared(file: FileChange, before: list[_Seen], after: list[_Seen]) -> Iterator[Fact]:
    """Within one file: the same matter in another form is a change; what is left over came or went."""
    gone, come = list(before), list(after)
    for new in list(come):
        old = next(
            (one for one in gone if one.sign is new.sign and one.unsafe != new.unsafe and _close(one, new)), None
        )
        if old is not None:
            gone.remove(old)
            come.remove(new)
            yield _fact(FactKind.CHANGED, file, old, new, "made safe" if old.unsafe else "made unsafe")
    for new in list(come):
        old = next((one for one in gone if one.sign is new.sign and one.unsafe == new.unsafe), None)
        if old is not None:
            gone.remove(old)
            come.remove(new)
    told: set[tuple[str, bool]] = set()
    for seen, new_side in [*((one, True) for one in come), *((one, False) for one in gone)]:
        if not (seen.unsafe or seen.sign.tells_safe) or (seen.sign.slug, new_side) in told:
            continue
        told.add((seen.sign.slug, new_side))
        if new_side:
            yield _fact(FactKind.ADDED, file, None, seen, "")
        elif not file.gone:
            yield _fact(FactKind.REMOVED, file, seen, None, "")


def _close(old: _Seen, new: _Seen) -> bool:
    return abs(old.line.number - new.line.number) <= _NEAR


def _fact(kind: FactKind, file: FileChange, old: _Seen | None, new: _Seen | None, note: str) -> Fact:
    known = new or old
    assert known is not None
    reach, why = _reach(file, known)
    return Fact(
        kind=kind,
        subject=Subject.SECURITY,
        name=known.what if old is None or not old.unsafe else old.what,
        old=cut(old.line.text) if old else None,
        new=cut(new.line.text) if new else None,
        before=place_of(old.path, old.line) if old else None,
        after=place_of(new.path, new.line) if new else None,
        reach=reach,
        reach_why=why,
        note="; ".join(piece for piece in (note, known.sign.why) if piece),
    )


def _reach(file: FileChange, seen: _Seen) -> tuple[Reach, str]:
    folders = seen.path.casefold().split("/")[:-1]
    if file.kind in (FileKind.CI, FileKind.BUILD) or not _TOOLS.isdisjoint(folders):
        return Reach.BUILDERS, "a script or a file of the build"
    return seen.sign.reach, seen.sign.slug

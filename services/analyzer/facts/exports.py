"""What a package hands on to whoever imports it: names that came to, or left, its front file."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from services.analyzer.facts.change import Change, FileChange
from services.analyzer.facts.importable import module_of, reach_of_path
from services.analyzer.facts.imports import imports_of
from services.analyzer.facts.items import MOST_FACTS, place_of
from services.analyzer.facts.sides import Line, Side
from shared.domain.facts import Fact, FactKind, Reach, Subject

name = "exports"

_FRONTS = frozenset({"__init__.py", "index.ts", "index.tsx", "index.js", "lib.rs", "mod.ts"})
_LISTED = re.compile(r"\s{1,40}[\"'](?P<name>[A-Za-z]\w{0,120})[\"'],?\s{0,40}$")
_LAZY = re.compile(
    r"\s{1,40}[\"'](?P<name>[A-Za-z]\w{0,120})[\"'] ?: ?[\"'](?:\.|\w{1,80}[.:])[\w.:]{1,200}[\"'],?\s{0,40}$"
)
_ALL = re.compile(r"__all__(?: ?: ?[\w\[\], ]{1,60})? ?\+?= ?[\[(](?P<names>.{0,480})")
_QUOTED = re.compile(r"[\"'](\w{1,120})[\"']")
_DEEP = 2
"""Packages this deep or deeper are for those who know the insides."""


def read(change: Change) -> Iterable[Fact]:
    """Yield a fact for each name; a package that is itself new or gone is told as a module."""
    facts: list[Fact] = []
    for file in change.product:
        if file.path.rpartition("/")[2] in _FRONTS and not file.new and not file.gone:
            facts += _of(file)
    nearest: dict[tuple[FactKind, str], Fact] = {}
    for fact in sorted(facts, key=lambda one: len(one.name)):
        nearest.setdefault((fact.kind, _own(fact.name)), fact)
    yield from [fact for fact in facts if fact in nearest.values()][:MOST_FACTS]


def _of(file: FileChange) -> Iterable[Fact]:
    reach, why = reach_of_path(file, file.path)
    package = module_of(file.path, file.language)
    if reach is Reach.INTERNAL or package is None:
        return
    if len(re.findall(r"::|[./]", package)) >= _DEEP:
        reach, why = Reach.EXTENSION, "exported by a package of its insides"
    else:
        reach, why = Reach.PUBLIC, "exported by the package"
    before, after = _handed(file, file.before, package), _handed(file, file.after, package)
    for kind, names, side in ((FactKind.REMOVED, before, file.after), (FactKind.ADDED, after, file.before)):
        for own, line in names.items() if kind is FactKind.REMOVED or reach is Reach.PUBLIC else ():
            if re.search(rf"\b{re.escape(own)}\b", side.code) is None:
                place = place_of(file.path, line)
                yield Fact(
                    kind=kind,
                    subject=_subject(own),
                    name=f"{package}{'::' if file.language == 'rust' else '.'}{own}",
                    before=place if kind is FactKind.REMOVED else None,
                    after=place if kind is FactKind.ADDED else None,
                    reach=reach,
                    reach_why=why,
                )


def _handed(file: FileChange, side: Side, package: str) -> dict[str, Line]:
    """The names on changed lines that the package hands on."""
    top = package.partition(".")[0]
    found: dict[str, Line] = {}
    for one in imports_of(side, file.language):
        inner = file.language != "python" or one.module.startswith((".", f"{top}.")) or one.module == top
        if one.line.changed and inner and not one.name.startswith("_"):
            found[one.name] = one.line
    if file.language == "python":
        for own, line in _listed(side):
            found.setdefault(own, line)
    return {own: line for own, line in found.items() if not own.startswith("_")}


def _listed(side: Side) -> Iterator[tuple[str, Line]]:
    """The names on changed lines within ``__all__`` and within tables of names that are loaded late."""
    for fragment in side.fragments:
        inside = fragment.section.startswith("__all__")
        for line in fragment.lines:
            if line.bare[:1] not in ("", " ", "\t", ")", "]"):
                inside = line.bare.startswith("__all__")
            if not line.changed:
                continue
            if listing := _ALL.match(line.code):
                yield from ((own, line) for own in _QUOTED.findall(listing["names"]))
            elif listed := (_LISTED.match(line.code) if inside else None) or _LAZY.match(line.code):
                yield listed["name"], line


def _own(path: str) -> str:
    return path[max(path.rfind("."), path.rfind(":"), path.rfind("/")) + 1 :]


def _subject(own: str) -> Subject:
    if own.isupper():
        return Subject.CONSTANT
    return Subject.CLASS if own[:1].isupper() else Subject.FUNCTION

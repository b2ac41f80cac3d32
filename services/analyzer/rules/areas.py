"""The areas that a merge touches: from the settings, else the repository's conventions, else folders and brackets."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from services.analyzer.area_names import TOP_LEVEL, label_area, same_area, subject_of, tree_area
from services.analyzer.reading.paths import FileKind
from services.analyzer.reading.reading import FileReading, Reading
from services.analyzer.rules.context import RuleContext
from services.analyzer.rules.tags import quoted
from shared.domain.analysis import Evidence, Tag
from shared.domain.pull_request import PullRequest
from shared.domain.taxonomy import Namespace
from shared.domain.text import fold

name = "areas"
MOST_AREAS = 4
MOST_NAMED = 2
"""Areas that brackets and scopes may add."""

_SUPPORT = {
    FileKind.TEST: "tests",
    FileKind.DOCS: "docs",
    FileKind.CI: "ci",
    FileKind.BUILD: "build",
    FileKind.SAMPLE: "examples",
    FileKind.VENDORED: "vendored",
    FileKind.SUBMODULE: "vendored",
    FileKind.GENERATED: "generated",
}
_WEAK_KINDS = frozenset({FileKind.GENERATED, FileKind.VENDORED, FileKind.SUBMODULE, FileKind.DATA, FileKind.OTHER})
_TEST_FOLDERS = frozenset({"test", "tests", "testing", "__tests__", "spec", "specs", "unit", "integration", "e2e"})


@dataclass
class _Weight:
    """How much of the merge lies in one area."""

    lines: int = 0
    files: int = 0
    largest: int = -1
    path: str = ""
    why: str = ""
    names: set[str] = field(default_factory=set)

    def add(self, file: FileReading, why: str) -> None:
        self.lines += file.lines
        self.files += 1
        if file.lines > self.largest:
            self.largest, self.path, self.why = file.lines, file.name, why


def examine(pull_request: PullRequest, context: RuleContext) -> Iterable[Tag]:
    """Yield at most four areas, the one with most changed hand-made lines first."""
    reading = context.read(pull_request)
    by_path = list(_areas_by_path(reading, context))
    named = [
        found for found in _named_areas(reading) if not any(same_area(fold(found[0]), fold(a)) for a, _ in by_path)
    ]
    lead = 0 if named and by_path and by_path[0][0] == TOP_LEVEL else 1
    chosen: dict[str, tuple[str, Evidence]] = {}
    for area, evidence in (*by_path[:lead], *named[:MOST_NAMED], *by_path[lead:]):
        chosen.setdefault(fold(area), (area, evidence))
    for area, evidence in list(chosen.values())[:MOST_AREAS]:
        yield Tag(namespace=Namespace.AREA, value=area, rule=name, evidence=(evidence,))


def _areas_by_path(reading: Reading, context: RuleContext) -> Iterator[tuple[str, Evidence]]:
    """Areas of the files, heaviest first; tests, docs, CI and build count only where there is nothing else."""
    source: dict[str, _Weight] = defaultdict(_Weight)
    support: dict[str, _Weight] = defaultdict(_Weight)
    own = frozenset(area for file in reading.source for area, _ in _areas_of_file(file, context))
    for file in reading.files:
        for area, why in _areas_of_file(file, context):
            is_support = area in _SUPPORT.values() and why == "by what the file is"
            if is_support and file.path.test and (mirrored := _mirrored(file, context, own)):
                source[mirrored].add(file, "tests of this area")
            else:
                weak = is_support or file.kind in _WEAK_KINDS
                (support if weak else source)[area].add(file, why)
    weights = _rolled_up(source) or support
    for area, weight in sorted(weights.items(), key=lambda item: (-item[1].lines, -item[1].files, item[0])):
        noun = "file" if weight.files == 1 else "files"
        why = f"{weight.lines} changed lines in {weight.files} {noun}, {weight.why}"
        yield area, Evidence(why=why, path=weight.path)


def _areas_of_file(file: FileReading, context: RuleContext) -> list[tuple[str, str]]:
    """Every area of the settings that holds the file, else every one of the labeler, else owner, else folder."""
    path = file.path.folded
    for areas in (context.areas, context.labeler):
        found = [(area.name, area.origin) for area in areas if area.name and area.globs.match(path)]
        if found:
            return found
    owner = next((area for area in context.codeowners if area.globs.match(path)), None)
    if owner is not None and owner.name:
        return [(owner.name, owner.origin)]
    kind = _SUPPORT[FileKind.BUILD] if file.path.lock else _SUPPORT.get(file.kind)
    return [(kind, "by what the file is")] if kind else [(tree_area(path, context.repository), "by folder")]


def _mirrored(file: FileReading, context: RuleContext, own: frozenset[str]) -> str | None:
    """The area of the source that a test file mirrors, when that source changed too."""
    folders = [part for part in file.path.folded.split("/") if part not in _TEST_FOLDERS]
    area = tree_area("/".join(folders), context.repository)
    if area in own:
        return area
    return next((each for each in sorted(own) if each.split("/")[0] == area.split("/")[0] != TOP_LEVEL), None)


def _rolled_up(weights: dict[str, _Weight]) -> dict[str, _Weight]:
    """Three or more areas below one folder are told as that folder; the top level yields to any other area."""
    children: dict[str, list[str]] = defaultdict(list)
    for area in weights:
        children[area.split("/")[0]].append(area)
    rolled: dict[str, _Weight] = {}
    for parent, areas in children.items():
        target = parent if len(areas) >= 3 or parent in areas else None
        for area in areas:
            into = rolled.setdefault(target or area, _Weight())
            weight = weights[area]
            into.lines, into.files = into.lines + weight.lines, into.files + weight.files
            if weight.largest > into.largest:
                into.largest, into.path, into.why = weight.largest, weight.path, weight.why
    top = rolled.get(TOP_LEVEL)
    if top is not None and len(rolled) > 1 and top.lines * 2 < sum(weight.lines for weight in rolled.values()):
        del rolled[TOP_LEVEL]
    return rolled


def _named_areas(reading: Reading) -> Iterator[tuple[str, Evidence]]:
    """Areas that labels with an area prefix, brackets and scopes name."""
    for _, label in reading.labels:
        if area := label_area(label):
            yield area, Evidence(why=f"label '{label}'", quote=label)
    for mark in reading.title.brackets:
        if area := subject_of(mark):
            yield area, Evidence(why="bracket of the title", quote=quoted(f"[{mark}]"))
    scope = reading.title.scope or ""
    plain = reading.title.prefix is not None or scope == scope.lower()
    for mark in scope.replace(",", " ").split() if plain else ():
        if area := subject_of(mark):
            yield area, Evidence(why="scope of the title", quote=quoted(f"{reading.title.scope}:"))

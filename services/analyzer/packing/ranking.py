"""Which changed files a reader would open first: what facts and rules point to, then what people rely on, then size."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cache

from services.analyzer.languages import load_languages
from services.analyzer.reading.paths import FileKind, PathReader, compile_reader
from shared.domain.analysis import Analysis
from shared.domain.facts import Fact, Reach
from shared.domain.pull_request import ChangedFile, PullRequest
from shared.domain.taxonomy import Namespace, Risk

_BY_KIND = {
    FileKind.SOURCE: 30,
    FileKind.CONFIGURATION: 26,
    FileKind.BUILD: 20,
    FileKind.OTHER: 12,
    FileKind.CI: 10,
    FileKind.DOCS: 8,
    FileKind.SAMPLE: 6,
}
_NEVER = frozenset({FileKind.GENERATED, FileKind.VENDORED, FileKind.DATA, FileKind.SUBMODULE})
"""Nobody reads these line by line: they are counted."""
_WHEN_ALONE = frozenset({FileKind.DOCS, FileKind.SAMPLE})
"""Shown only where the merge changes nothing else but tests."""
_PUBLIC_FACT, _FACT, _CORE, _TAGGED, _DISCUSSED, _PUBLIC, _MIGRATION = 80, 40, 40, 15, 12, 15, 20
_MOST_FOR_SIZE = 20


@dataclass(frozen=True)
class RankedFile:
    """A changed file, what it is, how much it matters, and the facts that were read from it."""

    file: ChangedFile
    kind: FileKind
    rank: int
    facts: tuple[Fact, ...] = ()

    @property
    def lines(self) -> int:
        """Lines added and removed."""
        return self.file.additions + self.file.deletions


@dataclass(frozen=True)
class RankedFiles:
    """The files whose diff is worth showing, the most important first, and those that are only counted."""

    shown: tuple[RankedFile, ...]
    counted: tuple[RankedFile, ...]

    @property
    def kinds(self) -> dict[str, int]:
        """How many files of each kind there are, the most frequent first."""
        counts = Counter(str(one.kind) for one in (*self.shown, *self.counted))
        return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))


def ranked(pull_request: PullRequest, analysis: Analysis) -> RankedFiles:
    """Return the changed files by importance; those of the same one stay in the host's order.

    Tests are shown only where nothing else was changed, documentation and samples only where no code was.
    """
    points = _points(pull_request, analysis)
    facts = _facts_by_path(analysis)
    read = _reader()
    files = [_ranked(file, read, points, facts) for file in pull_request.files or ()]
    readable = [one for one in files if one.kind not in _NEVER and one.file.patch]
    code = [one for one in readable if one.kind is not FileKind.TEST and one.kind not in _WHEN_ALONE]
    pages = [one for one in readable if one.kind in _WHEN_ALONE]
    shown = code or pages or readable
    shown = [*shown, *(one for one in pages if code and one.facts)]
    shown.sort(key=lambda one: -one.rank)
    chosen = {id(one) for one in shown}
    return RankedFiles(tuple(shown), tuple(one for one in files if id(one) not in chosen))


@cache
def _reader() -> PathReader:
    """The languages are data of the package, the same for every repository."""
    return compile_reader(load_languages())


def _ranked(
    file: ChangedFile, read: PathReader, points: Counter[str], facts: dict[str, tuple[Fact, ...]]
) -> RankedFile:
    path = read(file.filename)
    kind = FileKind.SUBMODULE if file.submodule is not None else path.kind
    if path.test and kind not in _NEVER:
        kind = FileKind.TEST
    rank = _BY_KIND.get(kind, 0) + points[file.filename] + _PUBLIC * path.public + _MIGRATION * path.migration
    size = min(_MOST_FOR_SIZE, 2 * (file.additions + file.deletions).bit_length())
    return RankedFile(file, kind, rank + size, facts.get(file.filename, ()))


def _facts_by_path(analysis: Analysis) -> dict[str, tuple[Fact, ...]]:
    found: dict[str, list[Fact]] = {}
    for fact in analysis.facts:
        for path in dict.fromkeys(place.path for place in (fact.before, fact.after) if place is not None):
            found.setdefault(path, []).append(fact)
    return {path: tuple(facts) for path, facts in found.items()}


def _points(pull_request: PullRequest, analysis: Analysis) -> Counter[str]:
    """What speaks for a path: the strongest fact read from it, a core path, evidence of a risk, words of the review."""
    points: Counter[str] = Counter()
    for path, facts in _facts_by_path(analysis).items():
        points[path] += _PUBLIC_FACT if any(fact.reach is Reach.PUBLIC for fact in facts) else _FACT
    for tag in analysis.tags:
        if tag.namespace is Namespace.RISK:
            for path in {evidence.path for evidence in tag.evidence if evidence.path}:
                points[path] += _CORE if tag.value == Risk.CORE_PATH else _TAGGED
    for path in {thread.path for thread in pull_request.review_threads or () if thread.path}:
        points[path] += _DISCUSSED
    return points

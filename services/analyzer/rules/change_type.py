"""The change type, in the words of Conventional Commits.

Precedence, the first that decides: (1) a revert; (2) a Conventional Commits prefix; (3) brackets; (4) files that are
all documentation, tests, CI or build; (5) labels; (6) the words of the title; (7) the shape of the change. A
bracket or label that names a place (CI, tests, docs, build) yields to one that names a deed when source code changed,
and a prefix that only says how small a matter is (``minor:``) yields to the words behind it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from services.analyzer.reading.paths import FileKind
from services.analyzer.reading.reading import FileReading, Reading
from services.analyzer.reading.undoing import UndoKind, read_undoing
from services.analyzer.rules.context import RuleContext
from services.analyzer.rules.tags import quoted
from services.analyzer.title_verbs import is_ambiguous
from services.analyzer.title_words import type_by_words
from services.analyzer.vocabulary import TYPE_WORDS, close_word
from shared.domain.analysis import Evidence, Tag
from shared.domain.pull_request import PullRequest
from shared.domain.taxonomy import ChangeType, Namespace

name = "change-type"

_DEEDS = frozenset({ChangeType.FEAT, ChangeType.FIX, ChangeType.PERF, ChangeType.REFACTOR, ChangeType.REVERT})
_MEASURES = re.compile(r"(?:^|[/_.-])bench(?:es|marks?|marking)?(?:[/_.-]|$)")
_BUILD_KINDS = frozenset({FileKind.BUILD, FileKind.SUBMODULE, FileKind.VENDORED})
_WEAK = {
    "model": ChangeType.FEAT,
    "models": ChangeType.FEAT,
    "deprecate": ChangeType.REFACTOR,
    "deprecation": ChangeType.REFACTOR,
}
_LABEL_PREFIX = re.compile(r"(?:type|kind|category|cat|pr|changelog|semver|t|c)\s?[:/-]\s?")
_LABEL_TYPES = {
    "enhancement": ChangeType.FEAT,
    "api-change": ChangeType.FEAT,
    "flake": ChangeType.TEST,
    "failing-test": ChangeType.TEST,
    "regression": ChangeType.FIX,
    "security": ChangeType.FIX,
}
_NO_LABEL_TYPE = frozenset(
    {"new", "add", "minor", "internal", "release", "meta", "speed", "clean", "format", "trivial"}
)
_PLACES: tuple[tuple[tuple[FileKind, ...], ChangeType, str], ...] = (
    ((FileKind.DOCS,), ChangeType.DOCS, "only documentation changed"),
    ((FileKind.TEST,), ChangeType.TEST, "only tests changed"),
    ((FileKind.CI,), ChangeType.CI, "only CI files changed"),
    ((FileKind.BUILD, FileKind.SUBMODULE), ChangeType.BUILD, "only build files and manifests changed"),
    ((FileKind.CI, FileKind.TEST), ChangeType.TEST, "only tests and CI files changed"),
)

LARGE_FOR_A_BUMP = 200
"""Source lines from which on an update is more than an update."""
_TAKEN_IN = re.compile(
    r"^(?:re-?)?(?:vendor|sync)|^v?\d+\.\d+|\b(?:toolchain|dependenc\w+|deps|pins|submodules?)\b", re.IGNORECASE
)
"""An update that brings in what is made elsewhere stays one, however many lines follow it."""
SMALL_WITH_TESTS = 80
"""Source lines below which a change that brings tests corrects rather than extends."""
LARGE_ADDITION = 30

REMEMBERED = 16
"""Readings whose type is remembered: one for each thread that examines."""

Decision = tuple[ChangeType, Evidence]


def examine(pull_request: PullRequest, context: RuleContext) -> Iterable[Tag]:
    """Yield the one tag of the ``type`` namespace, with what decided."""
    reading = context.read(pull_request)
    kind, evidence = decide(reading)
    yield Tag(namespace=Namespace.TYPE, value=kind, rule=name, evidence=(evidence,))


@lru_cache(maxsize=REMEMBERED)
def decide(reading: Reading) -> Decision:
    """Return the change type and what decided it; several rules ask."""
    for step in (_by_undoing, _by_prefix, _by_brackets, _by_place, _by_labels, _by_words):
        decision = step(reading)
        if decision is not None:
            return decision
    return _by_shape(reading)


def _by_undoing(reading: Reading) -> Decision | None:
    undoing = read_undoing(reading)
    if undoing is None or undoing.kind is not UndoKind.REVERT:
        return None
    return ChangeType.REVERT, Evidence(why="the title or the description says that it reverts", quote=undoing.quote)


def _by_prefix(reading: Reading) -> Decision | None:
    word = reading.title.prefix
    if word is None:
        return None
    if TYPE_WORDS[word] is ChangeType.CHORE and word != ChangeType.CHORE:
        said = _by_place(reading) or _by_words(reading)
        if said is not None:
            return said
    return TYPE_WORDS[word], Evidence(why=f"prefix '{word}:' of the title", quote=quoted(reading.title.raw))


def _by_brackets(reading: Reading) -> Decision | None:
    strong = [(kind, mark) for mark in reading.title.brackets for kind in _types_in(mark)]
    deed = next((found for found in strong if found[0] in _DEEDS), None)
    place = next((found for found in strong if found[0] not in _DEEDS), None)
    by_place = _by_place(reading)
    if place is not None and (deed is None or not _mostly_source(reading)):
        chosen = next((found for found in strong if by_place and found[0] is by_place[0]), place)
        said = _by_words(reading)
        a_deed = said is not None and said[0] in _DEEDS and place[0] is not ChangeType.STYLE
        refined = place[0] is ChangeType.CHORE or (a_deed and _mostly_source(reading))
        return said if said and refined else _bracket(chosen)
    if deed is not None:
        return _bracket(deed)
    weak = next(((_WEAK[w], m) for m in reading.title.brackets for w in m.casefold().split() if w in _WEAK), None)
    if weak is None:
        return None
    told = by_place or _by_words(reading)
    return told or (_by_shape(reading) if is_ambiguous(reading.title.words) and reading.files else _bracket(weak))


def _bracket(found: tuple[ChangeType, str]) -> Decision:
    return found[0], Evidence(why="bracket of the title", quote=quoted(f"[{found[1]}]"))


def _mostly_source(reading: Reading) -> bool:
    """Whether source code is more than half of what people wrote by hand."""
    return reading.source_lines * 2 > sum(file.lines for file in reading.hand_made)


def _by_place(reading: Reading) -> Decision | None:
    for kinds, change_type, why in _PLACES:
        if reading.only(*kinds):
            return change_type, Evidence(why=why, path=reading.hand_made[0].name)
    if reading.only(FileKind.CI, FileKind.BUILD):
        largest = max(reading.hand_made, key=lambda file: file.lines)
        kind = ChangeType.CI if largest.kind is FileKind.CI else ChangeType.BUILD
        return kind, Evidence(why="only CI and build files changed", path=largest.name)
    if reading.only(FileKind.SAMPLE):
        measured = all(_MEASURES.search(file.path.folded) for file in reading.hand_made)
        kind, why = (ChangeType.TEST, "benchmarks") if measured else (ChangeType.DOCS, "examples")
        return kind, Evidence(why=f"only {why} changed", path=reading.hand_made[0].name)
    if reading.files and reading.kinds <= {FileKind.GENERATED} and any(file.path.lock for file in reading.files):
        return ChangeType.BUILD, Evidence(why="only lock files changed", path=reading.files[0].name)
    return None


def _by_labels(reading: Reading) -> Decision | None:
    for folded, label in reading.labels:
        word = _LABEL_PREFIX.sub("", folded, count=1).replace(" ", "-")
        kind = _LABEL_TYPES.get(word) or (TYPE_WORDS.get(word) if word not in _NO_LABEL_TYPE else None)
        if kind is not None and (kind in _DEEDS or kind is ChangeType.CHORE or not reading.source):
            return kind, Evidence(why=f"label '{label}'", quote=label)
    return None


def _by_words(reading: Reading) -> Decision | None:
    said = type_by_words(reading.title.words)
    if said is None:
        return None
    if said[0] is ChangeType.BUILD and not _TAKEN_IN.search(said[1]):
        bumped = said[1].casefold().startswith(("bump", "roll", "update", "require", "build"))
        built = bumped or not reading.files or any(_is_build(file) for file in reading.files)
        if reading.source_lines >= LARGE_FOR_A_BUMP or not built:
            return None
    return said[0], Evidence(why="words of the title", quote=quoted(said[1]))


def _is_build(file: FileReading) -> bool:
    return file.path.manifest or file.path.lock or file.path.toolchain or file.kind in _BUILD_KINDS


def _by_shape(reading: Reading) -> Decision:
    """What the files say: moved, mostly new, mostly gone, or a small correction that came with its tests."""
    moved = [file for file in reading.files if file.file.status == "renamed"]
    if moved and len(moved) * 2 > len(reading.files):
        return ChangeType.REFACTOR, Evidence(why="most files were moved", path=moved[0].name)
    shape = _shape_of_source(reading) if reading.source else None
    if shape is None:
        return ChangeType.CHORE, Evidence(why="nothing in title, labels or files says more")
    return shape[0], Evidence(why=shape[1], path=max(reading.source, key=lambda file: file.lines).name)


def _shape_of_source(reading: Reading) -> tuple[ChangeType, str] | None:
    source, lines = reading.source, reading.source_lines
    added, removed = sum(file.file.additions for file in source), sum(file.file.deletions for file in source)
    tested = any(file.path.test and file.file.status != "removed" for file in reading.files)
    ambiguous = is_ambiguous(reading.title.words)
    new = sum(file.file.status == "added" for file in source) * 2 > len(source)
    grows = lines >= LARGE_ADDITION and added > 3 * removed and not ambiguous
    shapes = (
        (removed > 3 * added, ChangeType.REFACTOR, "mostly removes source code"),
        (
            tested and lines < SMALL_WITH_TESTS,
            ChangeType.FIX,
            "a small change of source code together with its tests",
        ),
        (grows, ChangeType.FEAT, "mostly adds source code"),
        (new, ChangeType.FEAT, "most changed source files are new"),
        (ambiguous or lines >= LARGE_ADDITION, ChangeType.REFACTOR, "source code changes without growing much"),
    )
    return next(((kind, why) for holds, kind, why in shapes if holds), None)


def _types_in(mark: str) -> Iterator[ChangeType]:
    """The types that a bracket names: as a whole (``Bug fix``) or by one of its words (``MoE Refactor``)."""
    whole = re.sub(r"[\s_-]+", "", mark).casefold()
    if whole in TYPE_WORDS:
        yield TYPE_WORDS[whole]
        return
    words = [word.casefold() for word in re.split(r"[\s/,&+|]+", mark.strip()) if word]
    for word in words:
        kind = TYPE_WORDS.get(word) if word != "new" else None
        if kind is not None:
            yield kind
    if len(words) == 1 and words[0] not in TYPE_WORDS and (typo := close_word(words[0])):
        yield TYPE_WORDS[typo]

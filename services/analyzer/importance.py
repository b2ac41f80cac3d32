"""How much a reader should care: a sum of factors, each with its points and its evidence."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence

from services.analyzer.effects import HIDDEN_FAILURES, named_effects, weight
from services.analyzer.key_reasons import key_reason, says_new_default
from services.analyzer.marks import reformed_data, rewritten_tests
from services.analyzer.reading.paths import FileKind
from services.analyzer.reading.reading import Reading
from services.analyzer.reading.reviews import times_spoken
from services.analyzer.rules.tags import quoted
from shared.domain.analysis import Factor, Importance, Tag
from shared.domain.taxonomy import ChangeType, KeyReason, Namespace, Risk, Trait

KIND_POINTS: Mapping[ChangeType, int] = {
    ChangeType.FEAT: 10,
    ChangeType.PERF: 9,
    ChangeType.REFACTOR: 8,
    ChangeType.REVERT: 8,
    ChangeType.FIX: 6,
    ChangeType.CHORE: 4,
    ChangeType.BUILD: 3,
    ChangeType.STYLE: 0,
    ChangeType.DOCS: 0,
    ChangeType.TEST: 0,
    ChangeType.CI: 0,
}
TAG_POINTS: Mapping[str, int] = {
    Risk.BREAKING_CHANGE: 18,
    Risk.CORE_PATH: 4,
    Risk.CONFIGURATION_CHANGE: 2,
    Risk.DEPENDENCY_CHANGE: 2,
    Risk.SECURITY_SENSITIVE: 3,
    Risk.CHANGES_REQUESTED: 2,
    Risk.UNAPPROVED: 1,
    Risk.UNRESOLVED_THREADS: 1,
    Risk.MERGED_IN_MINUTES: 1,
    Risk.FAILING_CHECKS: 1,
    Trait.SECURITY_FIX: 16,
    Trait.DEPRECATION: 9,
    Trait.REMOVAL: 7,
    Trait.NEW_DEFAULT: 5,
    Trait.BOT: -20,
    Trait.VERSION_BUMP: -10,
    Trait.DOCS_ONLY: -15,
    Trait.TESTS_ONLY: -8,
    Trait.GENERATED_ONLY: -12,
    Trait.MOVE_ONLY: -6,
    Trait.BACKPORT: -8,
    Trait.RELAND: 2,
    Trait.SERIES: -3,
    Trait.LONG_CONTESTED: 4,
}
REASON_POINTS: Mapping[KeyReason, int] = {
    KeyReason.SECURITY: 6,
    KeyReason.ASSUMPTION: 5,
    KeyReason.MUST_ACT: 4,
    KeyReason.PERFORMANCE: 2,
}
"""What a reader must not miss however small the change is; the other reasons show in size and structure already."""
MOST_SIZE_POINTS = 16
SMALL_FIX_LINES = 40
NEW_FILE_LINES = 100
WIDE_FILES = (5, 12, 30)


def importance_of(reading: Reading, change_type: ChangeType, tags: Sequence[Tag]) -> Importance:
    """Return the score with every factor in it, and the reason for which this could be a key pull request."""
    factors = [factor for factor in _factors(reading, change_type, tags) if factor.points]
    reason, why = key_reason(reading, change_type, tags, sum(factor.points for factor in factors))
    if reason is not None and (points := REASON_POINTS.get(reason, 0)):
        factors.append(Factor(name=f"reason-{reason}", points=points, why=why))
    return Importance(
        score=sum(factor.points for factor in factors), reason=reason, reason_why=why, factors=tuple(factors)
    )


def _factors(reading: Reading, change_type: ChangeType, tags: Sequence[Tag]) -> Iterator[Factor]:
    yield Factor(name=f"type-{change_type}", points=KIND_POINTS[change_type], why=f"the change type is {change_type}")
    yield from _size(reading)
    hidden = HIDDEN_FAILURES.search(reading.title.words) is not None
    yield from _tags(tags, hidden=hidden)
    found = named_effects(reading, change_type)
    for effect, words in found.items():
        yield Factor(name=effect.name, points=effect.points, why=f"{effect.why}: “{quoted(words)}”")
    severe = any(effect.name in {"assumption-broken", "failure-fixed"} for effect in found)
    yield from _routine(reading, change_type, severe=severe)
    yield from _discussion(reading)


def _size(reading: Reading) -> Iterator[Factor]:
    lines = weight(reading)
    points = min(MOST_SIZE_POINTS, round(7 * math.log10(1 + lines / 10)))
    yield Factor(name="size", points=points, why=f"{lines} changed lines of source")
    edited = [file for file in reading.source if file.lines]
    width = sum(len(edited) >= limit for limit in WIDE_FILES)
    yield Factor(name="breadth", points=2 * width, why=f"{len(edited)} source files")
    new = [file for file in reading.source if file.file.status == "added" and file.lines >= NEW_FILE_LINES]
    if new:
        yield Factor(name="new-module", points=4, why=f"{len(new)} new source files, such as {new[0].name}")
    gone = [file for file in reading.source if file.file.status in {"removed", "renamed"}]
    if gone:
        yield Factor(
            name="module-gone", points=3, why=f"{len(gone)} source files moved or removed, such as {gone[0].name}"
        )
    yield from _marks_of_a_contract(reading)
    public = [file for file in reading.files if file.path.public and not file.path.test and file.lines]
    if public:
        yield Factor(name="public-interface", points=4, why=f"an interface file changed: {public[0].name}")


def _marks_of_a_contract(reading: Reading) -> Iterator[Factor]:
    """Tests that had to be rewritten, and data of the product in a new form, show that something known changed."""
    rewritten = rewritten_tests(reading)
    if reading.source and rewritten:
        points = 5 if len(rewritten) >= 3 else 3
        yield Factor(
            name="tests-rewritten",
            points=points,
            why=f"{len(rewritten)} existing test files had to change, such as {rewritten[0].name}",
        )
    data = reformed_data(reading)
    if reading.source and data:
        yield Factor(
            name="data-reformed",
            points=4,
            why=f"{len(data)} data files of the product were rewritten, such as {data[0].name}",
        )


def _tags(tags: Sequence[Tag], *, hidden: bool) -> Iterator[Factor]:
    for tag in tags:
        if hidden and tag.value == Trait.TESTS_ONLY:
            continue
        points = TAG_POINTS.get(tag.value, 0) if tag.namespace in {Namespace.RISK, Namespace.TRAIT} else 0
        if not points:
            continue
        first = tag.evidence[0] if tag.evidence else None
        if tag.value == Trait.NEW_DEFAULT and says_new_default(tag):
            points += 8
        yield Factor(name=tag.value, points=points, why=first.why if first else f"tagged {tag.name}")


def _routine(reading: Reading, change_type: ChangeType, *, severe: bool) -> Iterator[Factor]:
    if change_type is ChangeType.FIX and not severe and weight(reading) < SMALL_FIX_LINES:
        yield Factor(
            name="routine-fix", points=-4, why=f"a fix of {weight(reading)} lines of source that names no grave fault"
        )
    if (
        reading.files
        and not reading.source
        and not severe
        and change_type is not ChangeType.BUILD
        and not reading.only(FileKind.DOCS)
    ):
        yield Factor(name="no-source", points=-6, why="no source file changed")


def _discussion(reading: Reading) -> Iterator[Factor]:
    """Much said in review is a sign of weight; it is counted only where the source gives the review."""
    pull_request = reading.pull_request
    said = times_spoken(pull_request)
    points = min(5, round(2 * math.log10(1 + said / 3)))
    yield Factor(name="discussion", points=points, why=f"{said} comments")
    if any(review.state == "CHANGES_REQUESTED" for review in pull_request.reviews):
        yield Factor(name="asked-for-changes", points=2, why="a review asked for changes")

"""Repairs: which earlier merge a fix puts right, by what it says and by whose lines it changes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from services.analyzer.reading.causes import (
    NamedCause,
    is_cosmetic,
    is_revert,
    named_causes,
    says_follow_up,
    says_repair,
    says_restore,
)
from services.analyzer.reading.paths import FileKind
from services.analyzer.reading.reading import Reading
from services.analyzer.reading.title_tokens import shared_words
from services.analyzer.reading.undoing import read_undoing
from services.analyzer.rules import change_type
from services.analyzer.rules.context import RuleContext
from services.analyzer.rules.tags import quoted
from shared.domain.analysis import Relation
from shared.domain.code_history import LineOrigin
from shared.domain.pull_request import PullRequest
from shared.domain.taxonomy import FACT, ChangeType, RelationKind

name = "repairs"

NAMED_CAUSE = 0.92
"""The words call the merge the cause."""
NAMED = 0.85
"""The words name a number that is fixed; whether it is a merge and no issue, only who knows the merges can say."""
MOST_CERTAIN = 0.97
MOST_TOLD = 4
"""Relations of one merge by content."""

_SHARES = ((0.75, 0.75), (0.5, 0.65), (0.25, 0.5), (0.0, 0.3))
"""Share of the changed lines that came with the merge → confidence to begin with."""
_NEAR_SHARES = ((0.9, 0.7), (0.6, 0.5), (0.0, 0.3))
"""The same where nothing was removed: share of the lines beside what was added."""
_NEAR_AT_LEAST = 4
_AGES = ((3.5, 0.1), (7.0, 0.05), (14.0, 0.0), (99.0, -0.05))
"""Days since that merge → what it adds to the confidence."""
_LEAST = 0.35
_SIDE_BY_SIDE = 0.1
_UNSAID = 0.2
_DOUBTED = FACT - 0.2
"""At most this for what is of another type or repairs form, and for lines that a revert only brought back."""
_FRESH_DAYS = 14.0
_FOLLOWED_LINES = 5
_BEHAVIOUR = frozenset({FileKind.SOURCE, FileKind.CONFIGURATION, FileKind.BUILD})


@dataclass
class _Suspect:
    """An earlier merge with what this one changed of it."""

    origin: LineOrigin
    age: float
    lines: int = 0
    near: int = 0
    created: str | None = None
    """A file that it brought and that this merge changes again."""


@dataclass(frozen=True)
class _Scene:
    """The changed source lines of one merge, by origin."""

    suspects: tuple[_Suspect, ...]
    lines: int
    near: int


def examine(pull_request: PullRequest, context: RuleContext) -> Iterable[Relation]:
    """Yield a relation to each merge that this one seems to repair or to follow up, with its confidence."""
    reading = context.read(pull_request)
    if read_undoing(reading) is not None or pull_request.user.is_bot:
        return
    kind = change_type.decide(reading)[0]
    said = _by_words(reading, kind)
    found: dict[int | str | None, Relation] = {relation.target: relation for relation in said}
    for relation in _by_content(reading, kind):
        key = relation.target or relation.target_commit
        found[key] = _both(found[key], relation) if key in found else relation
    yield from found.values()


def _by_words(reading: Reading, kind: ChangeType) -> list[Relation]:
    """Only of merges that put something right: others tell of repairs that happened elsewhere."""
    told: dict[int, NamedCause] = {}
    if kind is ChangeType.FIX or says_repair(reading.title.raw):
        for cause in named_causes(reading):
            known = told.get(cause.number)
            if known is None or (cause.sure and not known.sure):
                told[cause.number] = cause
    planned = says_follow_up(reading)
    return [
        Relation(
            kind=RelationKind.FOLLOWS_UP if planned and not cause.sure else RelationKind.REPAIRS,
            source=reading.pull_request.number,
            target=number,
            confidence=NAMED_CAUSE if cause.sure else NAMED,
            evidence=f"names it as {'the cause' if cause.sure else 'fixed'}: “{quoted(cause.quote)}”",
        )
        for number, cause in told.items()
        if _repairs_behaviour(reading)
    ]


def _by_content(reading: Reading, kind: ChangeType) -> Iterator[Relation]:
    scene = _scene(reading)
    if scene is None or not _repairs_behaviour(reading):
        return
    repairs = (kind is ChangeType.FIX or says_repair(reading.title.raw)) and not says_follow_up(reading)
    make = _repair if repairs else _follow_up
    made = [make(reading, scene, one) for one in scene.suspects]
    told = [relation for relation in made if relation is not None and relation.confidence >= _LEAST]
    told.sort(key=lambda relation: (-relation.confidence, -(relation.target or 0)))
    yield from told[:MOST_TOLD]


def _repair(reading: Reading, scene: _Scene, one: _Suspect) -> Relation | None:
    confidence = _confidence_of_lines(scene, one)
    if confidence is None:
        return None
    title = reading.title.raw
    confidence += _added(one.age, _AGES)
    shared = shared_words(title, one.origin.subject)
    confidence += _SIDE_BY_SIDE if shared else 0.0
    confidence += _SIDE_BY_SIDE if one.created else 0.0
    confidence += _SIDE_BY_SIDE if says_restore(title) else 0.0
    if not says_repair(title):
        confidence -= _UNSAID
    other_kind = change_type.decide(reading)[0] is not ChangeType.FIX
    if other_kind or is_cosmetic(title) or is_revert(one.origin.subject):
        confidence = min(confidence, _DOUBTED)
    return _relation(RelationKind.REPAIRS, reading, scene, one, min(confidence, MOST_CERTAIN), min(shared, default=""))


def _follow_up(reading: Reading, scene: _Scene, one: _Suspect) -> Relation | None:
    """Most of what changes is fresh, and the titles are about the same."""
    shared = shared_words(reading.title.raw, one.origin.subject)
    most = one.lines >= _FOLLOWED_LINES and 2 * one.lines >= scene.lines
    if not most or one.age > _FRESH_DAYS or not shared or is_revert(one.origin.subject):
        return None
    confidence = 0.6 + (_SIDE_BY_SIDE if one.created else 0.0) + _added(one.age, _AGES)
    return _relation(RelationKind.FOLLOWS_UP, reading, scene, one, confidence, min(shared))


def _relation(
    kind: RelationKind, reading: Reading, scene: _Scene, one: _Suspect, confidence: float, shared: str
) -> Relation:
    if scene.lines:
        what = f"{one.lines} of {scene.lines} changed lines came with it, merged {one.age:.1f} days before"
    else:
        what = f"{one.near} of {scene.near} lines beside the change came with it, merged {one.age:.1f} days before"
    parts = [what]
    if one.created:
        parts.append(f"it brought the file {quoted(one.created)}")
    if shared:
        parts.append(f"both titles say “{shared}”")
    return Relation(
        kind=kind,
        source=reading.pull_request.number,
        target=one.origin.number,
        target_commit=one.origin.commit,
        confidence=round(confidence, 2),
        evidence="; ".join(parts),
    )


def _confidence_of_lines(scene: _Scene, one: _Suspect) -> float | None:
    if scene.lines:
        if one.lines:
            return _of_share(one.lines / scene.lines, _SHARES)
        return _LEAST if one.near >= _NEAR_AT_LEAST and 2 * one.near > scene.near else None
    if one.near < _NEAR_AT_LEAST:
        return None
    return _of_share(one.near / scene.near, _NEAR_SHARES)


def _scene(reading: Reading) -> _Scene | None:
    """The origins of the changed lines of source proper; None when no clone told them."""
    history = reading.pull_request.history
    if history is None:
        return None
    source = {file.file.previous_filename or file.name for file in reading.source} | {f.name for f in reading.source}
    created = {file.created_by: file.path for file in history.files if file.created_by and file.path in source}
    suspects: dict[str, _Suspect] = {}
    for origin in history.origins:
        if origin.path in source and origin.number != reading.pull_request.number:
            age = (reading.pull_request.merged_at - origin.committed_at).total_seconds() / 86_400
            one = suspects.setdefault(origin.commit, _Suspect(origin, age))
            one.lines += origin.lines
            one.near += origin.near
            one.created = created.get(origin.number) if origin.number is not None else None
    older = sum(file.older for file in history.files if file.path in source)
    return _Scene(
        suspects=tuple(suspects.values()),
        lines=older + sum(one.lines for one in suspects.values()),
        near=sum(one.near for one in suspects.values()),
    )


def _repairs_behaviour(reading: Reading) -> bool:
    """Documentation, CI, tests, manifests and lock files on their own repair nothing of the product."""
    if not reading.files_known:
        return True
    nothing = reading.only(FileKind.DOCS, FileKind.CI, FileKind.TEST, FileKind.BUILD, FileKind.SUBMODULE)
    return not nothing and any(file.kind in _BEHAVIOUR for file in reading.files)


def _both(said: Relation, seen: Relation) -> Relation:
    """Words and lines together are surer than either."""
    return said.model_copy(
        update={
            "target_commit": seen.target_commit,
            "confidence": min(MOST_CERTAIN, max(said.confidence, seen.confidence) + 0.05),
            "evidence": f"{said.evidence}; {seen.evidence}",
        }
    )


def _of_share(share: float, steps: tuple[tuple[float, float], ...]) -> float:
    return next(confidence for least, confidence in steps if share >= least)


def _added(age: float, steps: tuple[tuple[float, float], ...]) -> float:
    return next((added for most, added in steps if age <= most), steps[-1][1])

"""Merges, frames and whole invented weeks for the tests of the digest."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from services.digest.aggregate import Frame
from services.digest.merges import Merge
from shared.domain.analysis import Analysis, Evidence, Importance, Tag
from shared.domain.period import parse_week
from shared.domain.pull_request import Person
from shared.domain.taxonomy import ChangeType, KeyReason, Namespace, Risk, Trait
from tests.builders import REPOSITORY, make_analysis, make_file, make_pull_request

WEEK = parse_week("2026-W19")
NOW = datetime(2026, 5, 11, 6, tzinfo=UTC)


def make_frame(**overrides: Any) -> Frame:
    """The frame of 2026-W19 of the test repository."""
    values: dict[str, Any] = {"repository": REPOSITORY, "branch": "main", "period": WEEK, "generated_at": NOW}
    return Frame(**(values | overrides))


def make_merge(number: int = 101, title: str = "Keep the queue in order", **overrides: Any) -> Merge:
    """An analysed merge of 2026-W19; ``paths``, ``author``, ``tags``, ``kind``, ``score``, ``reason``, ``relations``,
    ``areas`` and ``facts`` shape it, everything else overrides the pull request."""
    analysis = make_analysis(
        number,
        change_type=overrides.pop("kind", ChangeType.FEAT),
        tags=tuple(overrides.pop("tags", ())),
        relations=tuple(overrides.pop("relations", ())),
        areas=tuple(overrides.pop("areas", ("core",))),
        facts=tuple(overrides.pop("facts", ())),
        importance=Importance(
            score=overrides.pop("score", 10), reason=overrides.pop("reason", None), reason_why="the title says so"
        ),
    )
    if "author" in overrides:
        overrides["user"] = Person(login=overrides.pop("author"))
    if "paths" in overrides:
        overrides["files"] = tuple(make_file(path) for path in overrides.pop("paths"))
    return Merge(make_pull_request(number, title=title, **overrides), analysis)


def make_failure(number: int, **overrides: Any) -> Merge:
    """A merge that could not be analysed."""
    return Merge(make_pull_request(number, **overrides), None, "the worker was lost")


def make_tag(value: Risk | Trait, *why: str, path: str | None = None, quote: str | None = None) -> Tag:
    """A tag of a risk or trait with the given evidence."""
    return Tag(
        namespace=Namespace.RISK if isinstance(value, Risk) else Namespace.TRAIT,
        value=value,
        rule="test",
        evidence=tuple(Evidence(why=one, path=path, quote=quote) for one in why or ("seen",)),
    )


def make_key(number: int, score: int = 50, reason: KeyReason = KeyReason.CONTRACT, **overrides: Any) -> Merge:
    """A merge with a reason to be key."""
    return make_merge(number, score=score, reason=reason, **overrides)


def last_week(merges: Sequence[Merge]) -> list[Merge]:
    """The same merges, seven days earlier."""
    return [
        Merge(
            merge.pull_request.model_copy(update={"merged_at": merge.merged_at - timedelta(days=7)}),
            merge.analysis,
            merge.failure,
        )
        for merge in merges
    ]


def analysis_of(merge: Merge) -> Analysis:
    """The analysis, which must be there."""
    assert merge.analysis is not None
    return merge.analysis

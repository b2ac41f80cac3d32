"""Reviews, threads and merges with a known review, for the tests of what rules read of it."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from shared.domain.analysis import Analysis, Evidence
from shared.domain.pull_request import Comment, Person, Review, ReviewThread
from shared.domain.taxonomy import Risk, Trait
from tests.builders import MERGED_AT
from tests.unit.services.analyzer.examined import analysed

PAGE = "https://github.com/lumen/lumen/pull/101#pullrequestreview-7"


def person(login: str) -> Person:
    """An account; a login that ends with ``[bot]`` is one of a bot."""
    return Person(login=login, type="Bot" if login.endswith("[bot]") else "User")


def review(login: str, state: str = "APPROVED", body: str | None = None, *, hours: float = 5, **more: Any) -> Review:
    """A review that was submitted so many hours before the merge (negative: after it)."""
    told = {"submitted_at": MERGED_AT - timedelta(hours=hours), "html_url": PAGE} | more
    return Review(user=person(login), state=state, body=body, **told)


def comment(login: str, body: str = "Why?", *, hours: float = 5, **more: Any) -> Comment:
    """A comment that was written so many hours before the merge."""
    return Comment(user=person(login), body=body, created_at=MERGED_AT - timedelta(hours=hours), **more)


def thread(*comments: tuple[str, str], resolved: bool | None = False, **more: Any) -> ReviewThread:
    """A thread of these (login, body) about a line of the engine."""
    place = {"path": "lumen/core/engine.py", "line": 12} | more
    said = tuple(comment(login, body, html_url=PAGE) for login, body in comments)
    return ReviewThread(resolved=resolved, comments=said, **place)


def merged(*reviews: Review, **overrides: Any) -> Analysis:
    """The analysis of a merge by ada of which the whole review is known."""
    values: dict[str, Any] = {"reviews": reviews, "reviews_known": True} | overrides
    return analysed("lumen/core/engine.py", **values)


def evidence_of(analysis: Analysis, value: Risk | Trait) -> tuple[Evidence, ...]:
    """The evidence of the tag, which must be there."""
    return next(tag.evidence for tag in analysis.tags if tag.value == value)

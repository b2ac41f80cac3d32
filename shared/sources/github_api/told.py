"""What the host told of one merge beside its files."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from shared.domain.pull_request import (
    CheckResult,
    Comment,
    Commit,
    Cut,
    LinkedIssue,
    Person,
    PullRequest,
    Review,
    ReviewThread,
)


@dataclass(frozen=True)
class Totals:
    """How much the pull request changed, by its own object."""

    additions: int = 0
    deletions: int = 0
    changed_files: int = 0


@dataclass(frozen=True)
class Told:
    """The review, the commits and what hangs on them; ``totals`` is None where its object was not read."""

    reviews: tuple[Review, ...] = ()
    reviews_known: bool = True
    review_comments: tuple[Comment, ...] = ()
    comments: tuple[Comment, ...] = ()
    review_threads: tuple[ReviewThread, ...] | None = None
    checks: tuple[CheckResult, ...] | None = None
    linked_issues: tuple[LinkedIssue, ...] = ()
    commits: tuple[Commit, ...] = ()
    co_authors: tuple[Person, ...] = ()
    cut: dict[str, Cut] = field(default_factory=dict)
    totals: Totals | None = None

    def review(self) -> dict[str, Any]:
        """The fields of a ``PullRequest`` that only the host knows."""
        return {
            "reviews": self.reviews,
            "reviews_known": self.reviews_known,
            "review_comments": self.review_comments,
            "comments": self.comments,
            "review_threads": self.review_threads,
            "checks": self.checks,
            "linked_issues": self.linked_issues,
        }


def totals_of(facts: PullRequest) -> Totals:
    """Return the totals that an event told; all zero when it told none."""
    return Totals(facts.additions, facts.deletions, facts.changed_files)

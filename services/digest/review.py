"""What the review of a merge tells a reader: the requests worth telling, else what is known of the rest of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from services.digest.merges import Merge
from shared.domain.analysis import ReviewPoint
from shared.domain.pull_request import Comment, Cut, Person, PullRequest
from shared.domain.taxonomy import ReviewOutcome

MOST_POINTS = 2
_DISCUSSED = 3
"""Remarks from which on a thread, or a file, counts as discussed."""
_TELLING = {
    ReviewOutcome.REJECTED: 0,
    ReviewOutcome.DEFERRED: 0,
    ReviewOutcome.ASKED: 1,
    ReviewOutcome.SETTLED: 2,
}
"""What was declined or put off first: it is what the diff does not show."""


def points_of(merge: Merge) -> tuple[ReviewPoint, ...]:
    """Return at most two requests of the review that are worth telling, the most telling first."""
    points = merge.analysis.review if merge.analysis else ()
    worth = [point for point in points if _is_worth_telling(point)]
    worth.sort(key=lambda point: (_TELLING[point.outcome], not point.changes_requested))
    return tuple(worth[:MOST_POINTS])


def _is_worth_telling(point: ReviewPoint) -> bool:
    """A thread that was taken up, or that nobody answered, is daily business of a review."""
    told = point.outcome in (ReviewOutcome.REJECTED, ReviewOutcome.DEFERRED)
    left_open = point.outcome is ReviewOutcome.ASKED and point.resolved is False and not point.outdated
    return point.path is None or told or left_open or point.comments >= _DISCUSSED


def review_of(merge: Merge) -> str:
    """Return an English sentence about a review without such requests; empty where the review is not known.

    That nothing was asked for is said only where no other person left words on the diff or in a review: whether those
    ask for something is not known for certain.
    """
    pull_request = merge.pull_request
    if not pull_request.reviews_known or "reviews" in pull_request.cut:
        return ""
    people = [review for review in pull_request.reviews if not review.user.is_bot]
    places = Counter(
        comment.path
        for comment in pull_request.review_comments
        if comment.path and not comment.user.is_bot and comment.body.strip()
    )
    if places:
        place, count = min(places.items(), key=lambda pair: (-pair[1], pair[0]))
        if count >= _DISCUSSED:
            return f"Most of the discussion was about {place}."
    asked = any(review.state == "CHANGES_REQUESTED" for review in people)
    asked = asked or bool(merge.analysis and merge.analysis.review) or _others_may_have_remarked(pull_request)
    return "The stored review asks for no change." if people and not asked else ""


def _others_may_have_remarked(pull_request: PullRequest) -> bool:
    """Whether they did, or not all of it was seen; without threads the same comments are in the flat list."""
    if "review_comments" in pull_request.cut or pull_request.cut.get("review_threads") is Cut.NOT_ALLOWED:
        return True
    said = [(comment.user, comment.body) for comment in _on_the_diff(pull_request)]
    said += [(review.user, review.body or "") for review in pull_request.reviews]
    return any(body.strip() and _is_other_person(user, pull_request.user) for user, body in said)


def _on_the_diff(pull_request: PullRequest) -> Iterator[Comment]:
    yield from pull_request.review_comments
    for thread in pull_request.review_threads or ():
        yield from thread.comments


def _is_other_person(person: Person, author: Person) -> bool:
    if person.id is not None and author.id is not None:
        return not person.is_bot and person.id != author.id
    return not person.is_bot and person.shown.casefold() != author.shown.casefold()

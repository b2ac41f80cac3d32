"""What was asked for in review, in the reviewers' words, and how it ended: evidence for the digest and for a model."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from services.analyzer.reading.remarks import outcome_told
from services.analyzer.reading.reviews import (
    APPROVED,
    CHANGES_REQUESTED,
    COMMENTED,
    DECISIVE,
    cut,
    is_other_person,
    name_of,
    page_on_host,
    person_key,
    plain,
    reviews_in_order,
    same_person,
    threads_of,
)
from shared.domain.analysis import ReviewPoint, Tag
from shared.domain.pull_request import Comment, Person, PullRequest, Review, ReviewThread
from shared.domain.taxonomy import ReviewOutcome, Risk

MOST_POINTS = 8
LONGEST_QUOTE = 240
FEWEST_WORDS = 3
"""An opening of fewer words (``nit``, ``same here``) tells nobody what was asked for."""
FEWEST_WORDS_OF_A_REMARK = 8
"""The covering words of a review without a decision are mostly courtesy; longer ones tell what was on its mind."""


def review_points(pull_request: PullRequest, tags: Sequence[Tag] = ()) -> tuple[ReviewPoint, ...]:
    """Return at most eight requests of other people, the weightiest first; the same review always gives the same.

    Reviews that ask for changes come first, then threads by how much was said in them, those in files that ``tags``
    call core before others, then remarks of reviews without a decision. Bots are left out, and requests of which no
    word is left as plain text.
    """
    core = {evidence.path for tag in tags if tag.value == Risk.CORE_PATH for evidence in tag.evidence}
    threads = list(threads_of(pull_request))
    spoken = {person_key(thread.comments[0].user) for thread in threads}
    found = list(_of_reviews(pull_request, spoken))
    found += [point for thread in threads if _tells(point := _of_thread(thread, pull_request))]
    found.sort(key=lambda point: (not point.changes_requested, -point.comments, point.path not in core))
    return tuple(found[:MOST_POINTS])


def _tells(point: ReviewPoint) -> bool:
    return len(point.quote.split()) >= FEWEST_WORDS


def _of_reviews(pull_request: PullRequest, spoken: Collection[str]) -> Iterator[ReviewPoint]:
    """What people asked for as a whole; without words only where no thread of that person holds them."""
    reviews = reviews_in_order(pull_request)
    decided = {person_key(one.user): place for place, one in enumerate(reviews) if one.state in DECISIVE}
    asked = {person_key(one.user) for one in reviews if one.state == CHANGES_REQUESTED}
    for place, review in enumerate(reviews):
        if not is_other_person(review.user, pull_request):
            continue
        key, words = person_key(review.user), plain(review.body)
        last = max(place, decided.get(key, place))
        if review.state == CHANGES_REQUESTED:
            if words or (key not in spoken and last == place):
                yield _of_review(review, words, reviews[last], pull_request)
        elif key not in asked and _put_off(review, words):
            yield _of_review(review, words, review, pull_request)
        elif review.state == COMMENTED and len(words.split()) >= FEWEST_WORDS_OF_A_REMARK:
            yield _of_review(review, words, reviews[last], pull_request)


def _put_off(review: Review, words: str) -> bool:
    """Whether an approval itself says that something is to be done later."""
    told = outcome_told(words, by_author=False) if review.state == APPROVED else None
    return told is not None and told[0] is ReviewOutcome.DEFERRED


def _of_review(review: Review, words: str, last: Review, pull_request: PullRequest) -> ReviewPoint:
    """``last``, the person's last decision from then on, settles it by approving, unless its words put it off."""
    outcome, answer = ReviewOutcome.ASKED, ""
    if last.state == APPROVED:
        answer = plain(last.body)
        told = outcome_told(answer, by_author=False)
        outcome = told[0] if told else ReviewOutcome.SETTLED
    same = last is review or len(answer.split()) < FEWEST_WORDS
    return ReviewPoint(
        person=name_of(review.user),
        outcome=outcome,
        changes_requested=review.state == CHANGES_REQUESTED,
        quote=cut(words, LONGEST_QUOTE),
        asked_at=review.submitted_at,
        url=page_on_host(review.html_url, pull_request),
        answer="" if same else cut(answer, LONGEST_QUOTE),
        answered_by=name_of(last.user) if outcome is not ReviewOutcome.ASKED else None,
    )


def _of_thread(thread: ReviewThread, pull_request: PullRequest) -> ReviewPoint:
    opening = thread.comments[0]
    outcome, answer, answered_by = _end_of(thread, pull_request)
    return ReviewPoint(
        person=name_of(opening.user),
        outcome=outcome,
        quote=cut(plain(opening.body), LONGEST_QUOTE),
        asked_at=opening.created_at,
        url=page_on_host(opening.html_url, pull_request),
        path=thread.path,
        line=thread.line,
        comments=len(thread.comments),
        resolved=thread.resolved,
        resolved_by=name_of(thread.resolved_by) if thread.resolved and thread.resolved_by else None,
        outdated=thread.outdated,
        answer=cut(answer, LONGEST_QUOTE),
        answered_by=name_of(answered_by) if answered_by else None,
    )


def _end_of(thread: ReviewThread, pull_request: PullRequest) -> tuple[ReviewOutcome, str, Person | None]:
    """The last answer that says something counts; without one, being resolved settles a thread.

    What the person who asked goes on to say after *done* may be that it is not: then only the mark settles it.
    """
    opening, asks_on = thread.comments[0], False
    for comment in reversed(thread.comments[1:]):
        told = _told(comment, opening, pull_request)
        if told is not None and not (asks_on and told[0] is ReviewOutcome.SETTLED):
            return (*told, comment.user)
        if told is not None:
            break
        asks_on = asks_on or (same_person(comment.user, opening.user) and thread.resolved is not True)
    return (ReviewOutcome.SETTLED if thread.resolved else ReviewOutcome.ASKED), "", None


def _told(comment: Comment, opening: Comment, pull_request: PullRequest) -> tuple[ReviewOutcome, str] | None:
    by_author = same_person(comment.user, pull_request.user)
    if not by_author and not same_person(comment.user, opening.user):
        return None
    return outcome_told(plain(comment.body), by_author=by_author)

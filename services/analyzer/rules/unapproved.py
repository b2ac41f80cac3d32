"""Merges that nobody else approves, told only where the whole review is known.

An approval counts when it is the last word of a person other than the author and was given before the merge; one that
was dismissed is none, and the approval of a bot is none. GitHub does not say here which commit was approved: where a
project has stale approvals dismissed, they come as dismissed. Approval by label or by a command in a comment, as some
projects have it, is believed. A version bump by a bot is not told at all: what stands in for its review are the
checks, and a mark on each would hide the others.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from services.analyzer.reading.reviews import (
    APPROVED,
    DISMISSED,
    after_the_merge,
    day_of,
    is_other_person,
    last_words,
    name_of,
    page_on_host,
    person_key,
    same_person,
)
from services.analyzer.rules.bots import version_bump
from services.analyzer.rules.context import RuleContext
from services.analyzer.rules.tags import risk_tag
from shared.domain.analysis import Evidence, Tag
from shared.domain.pull_request import PullRequest, Review
from shared.domain.taxonomy import Risk

name = "unapproved"
_APPROVING_LABELS = frozenset({"approved", "lgtm"})
_APPROVING_COMMAND = re.compile(
    r"^\s{0,3}(?:/(?:lgtm|approve)\b|(?:@[\w-]{1,40}:?\s{1,3})?r(?:\+|=[\w-]))", re.MULTILINE
)


def examine(pull_request: PullRequest, context: RuleContext) -> Iterable[Tag]:
    """Yield ``risk:unapproved`` with what was said instead, and who merged."""
    if not pull_request.reviews_known or "reviews" in pull_request.cut:
        return
    reading = context.read(pull_request)
    if pull_request.user.is_bot and version_bump(reading):
        return
    words = last_words(pull_request, late=False)
    approved = any(one.state == APPROVED and not one.user.is_bot for one in words)
    if approved or not _APPROVING_LABELS.isdisjoint(label for label, _ in reading.labels):
        return
    if any(_approves(comment.body) for comment in pull_request.comments if is_other_person(comment.user, pull_request)):
        return
    yield risk_tag(
        name, Risk.UNAPPROVED, [_instead(pull_request), *_beside(pull_request, words), *_merged(pull_request)]
    )


def _approves(comment: str) -> bool:
    return _APPROVING_COMMAND.search(comment[:2_000]) is not None


def _instead(pull_request: PullRequest) -> Evidence:
    """How far the review went."""
    before = [one for one in pull_request.reviews if not after_the_merge(one, pull_request)]
    people = {person_key(one.user): one.user for one in before if is_other_person(one.user, pull_request)}
    if not people:
        return Evidence(why="no other person reviewed it before the merge")
    if len(people) == 1:
        return Evidence(why=f"{name_of(next(iter(people.values())))} reviewed it and does not approve it")
    return Evidence(why=f"{len(people)} other people reviewed it and none of them approves it")


def _beside(pull_request: PullRequest, words: Iterable[Review]) -> Iterator[Evidence]:
    """What might be taken for an approval and is none."""
    for review in words:
        if review.state == DISMISSED:
            yield Evidence(
                why=f"the review of {name_of(review.user)} was dismissed",
                url=page_on_host(review.html_url, pull_request),
            )
        elif review.state == APPROVED:
            yield Evidence(
                why=f"{name_of(review.user)}, which approves it, is a bot",
                url=page_on_host(review.html_url, pull_request),
            )
    for review in pull_request.reviews:
        late = review.state == APPROVED and after_the_merge(review, pull_request)
        if late and is_other_person(review.user, pull_request):
            why = f"{name_of(review.user)} approved it on {day_of(review)}, after the merge"
            yield Evidence(why=why, url=page_on_host(review.html_url, pull_request))


def _merged(pull_request: PullRequest) -> Iterator[Evidence]:
    by = pull_request.merged_by
    if by is not None and same_person(by, pull_request.user):
        yield Evidence(why="merged by its author")
    elif by is not None:
        yield Evidence(why=f"merged by {name_of(by)}")

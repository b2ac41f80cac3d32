"""Merges that were long fought for: several rounds of review, or weeks of it with much said by several people.

A round begins when another person asks for changes, and ends when the author does something newer (a review or a
comment) or the same person decides anew. Requests that are open at the same time are one round; one that nothing
follows is none yet. Commits carry no time here, so a round that the author ended by a push alone ends with the
reviewer's next decision.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from services.analyzer.reading.reviews import (
    CHANGES_REQUESTED,
    DECISIVE,
    after_the_merge,
    diff_comments,
    is_other_person,
    person_key,
    same_person,
)
from services.analyzer.rules.context import RuleContext
from services.analyzer.rules.tags import trait_tag
from shared.domain.analysis import Evidence, Tag
from shared.domain.pull_request import PullRequest
from shared.domain.taxonomy import Trait

name = "long-contested"
FEWEST_ROUNDS = 3
FEWEST_DAYS = 21
FEWEST_COMMENTS = 25
FEWEST_PEOPLE = 2
_SECONDS_A_DAY = 86_400

_Event = tuple[float, bool, str, str]
"""When, whether of the author, by whom, and the state of a review or an empty text for a comment."""


def examine(pull_request: PullRequest, context: RuleContext) -> Iterable[Tag]:  # noqa: ARG001 - the shape of every rule
    """Yield ``trait:long-contested`` with rounds, days, comments and people."""
    rounds = rounds_of(pull_request)
    days = _days_open(pull_request)
    said = [one.user for one in diff_comments(pull_request) if is_other_person(one.user, pull_request)]
    said += [one.user for one in pull_request.reviews if one.body and is_other_person(one.user, pull_request)]
    people = {person_key(user) for user in said}
    if rounds >= FEWEST_ROUNDS:
        why = f"{rounds} rounds of changes asked for and looked at again"
        yield trait_tag(name, Trait.LONG_CONTESTED, [Evidence(why=why), *_open_for(days)])
    elif days >= FEWEST_DAYS and len(said) >= FEWEST_COMMENTS and len(people) >= FEWEST_PEOPLE:
        why = f"open for {days} days, with {len(said)} remarks of {len(people)} reviewers"
        yield trait_tag(name, Trait.LONG_CONTESTED, [Evidence(why=why)])


def rounds_of(pull_request: PullRequest) -> int:
    """Return how many rounds of review ended before the merge."""
    rounds = 0
    asking: set[str] = set()
    for _, by_author, who, state in sorted(_events(pull_request)):
        if asking and (by_author or (who in asking and state in DECISIVE)):
            rounds += 1
            asking = set()
        if not by_author and state == CHANGES_REQUESTED:
            asking.add(who)
    return rounds


def _events(pull_request: PullRequest) -> Iterator[_Event]:
    for review in pull_request.reviews:
        if review.submitted_at and not review.user.is_bot and not after_the_merge(review, pull_request):
            author = same_person(review.user, pull_request.user)
            yield review.submitted_at.timestamp(), author, person_key(review.user), review.state
    for comment in (*pull_request.comments, *diff_comments(pull_request)):
        if comment.created_at and same_person(comment.user, pull_request.user):
            yield comment.created_at.timestamp(), True, person_key(comment.user), ""


def _days_open(pull_request: PullRequest) -> int:
    if pull_request.created_at is None:
        return 0
    return int((pull_request.merged_at - pull_request.created_at).total_seconds()) // _SECONDS_A_DAY


def _open_for(days: int) -> Iterator[Evidence]:
    if days > 0:
        yield Evidence(why=f"open for {_days(days)}")


def _days(count: int) -> str:
    return "1 day" if count == 1 else f"{count} days"

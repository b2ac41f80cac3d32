"""Merges that nobody else approves, told only where the whole review is known.

An approval counts when it is the last word of a person other than the author and was given before the merge; one that
was dismissed is none, and the approval of a bot is none. GitHub does not say here which commit was approved: where a
project has stale approvals dismissed, they come as dismissed. Approval by label or by a command in a comment, as some
projects have it, is believed, unless a later command took it back; where the conversation was cut there may be one. A
version bump by a bot is not told at all: what stands in for its review are the checks, and a mark on each would hide
the others.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from services.analyzer.reading.prose import read_prose
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
from shared.domain.pull_request import Comment, PullRequest, Review
from shared.domain.taxonomy import Risk

name = "unapproved"
_APPROVING_LABELS = frozenset({"approved", "lgtm"})
_NAMES = r"[\w-]{1,40}(?:,[\w-]{1,40}){0,9}"
_COMMAND = re.compile(
    r"^[ \t]{0,3}(?:"
    r"/(?P<remove>remove-)?(?P<slash>lgtm|approve)(?![\w/-])(?P<cancel>[ \t]{1,3}cancel\b)?|"
    r"(?:@[\w-]{1,40}:?[ \t]{1,3})?r(?P<sign>[+-])(?!\S)|"
    rf"(?:@[\w-]{{1,40}}:?[ \t]{{1,3}}r={_NAMES}(?!\S)|r={_NAMES}[ \t]{{0,3}}$)"
    r")",
    re.MULTILINE | re.IGNORECASE,
)
"""The commands of Prow (``/lgtm``, ``/approve``) and of the bors family (``r+``, ``r=NAME``, ``r-``), at the beginning
of a line."""
_LONGEST_COMMAND_COMMENT = 2_000


def examine(pull_request: PullRequest, context: RuleContext) -> Iterable[Tag]:
    """Yield ``risk:unapproved`` with what was said instead, and who merged."""
    if not pull_request.reviews_known or not {"reviews", "comments"}.isdisjoint(pull_request.cut):
        return
    reading = context.read(pull_request)
    if pull_request.user.is_bot and version_bump(reading):
        return
    words = last_words(pull_request, late=False)
    approved = any(one.state == APPROVED and not one.user.is_bot for one in words)
    if approved or not _APPROVING_LABELS.isdisjoint(label for label, _ in reading.labels):
        return
    if _approved_by_command(pull_request):
        return
    yield risk_tag(
        name, Risk.UNAPPROVED, [_instead(pull_request), *_beside(pull_request, words), *_merged(pull_request)]
    )


def _approved_by_command(pull_request: PullRequest) -> bool:
    """Whether the last command of a kind before the merge approves; anybody but a bot can take back, also the author.

    With ``/approve`` each approves alone, and takes back only what is their own.
    """
    standing: dict[str, bool] = {}
    for comment in _in_order(pull_request):
        others = is_other_person(comment.user, pull_request)
        for found in _COMMAND.finditer(read_prose(comment.body[:_LONGEST_COMMAND_COMMENT]).text):
            kind = (found["slash"] or "r").casefold()
            key = f"{kind} {person_key(comment.user)}" if kind == "approve" else kind
            if found["remove"] or found["cancel"] or found["sign"] == "-":
                standing[key] = False
            elif others:
                standing[key] = True
    return any(standing.values())


def _in_order(pull_request: PullRequest) -> list[Comment]:
    """The comments of people before the merge, the oldest first; those without a time before the others."""
    said = [(comment.created_at, comment) for comment in pull_request.comments if not comment.user.is_bot]
    early = [(at.timestamp() if at else 0.0, one) for at, one in said if at is None or at <= pull_request.merged_at]
    return [comment for _, comment in sorted(early, key=lambda timed: timed[0])]


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

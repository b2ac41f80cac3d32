"""Merges over a request for changes that the reviewer has not taken back.

The last decisive review of each other person counts (approved, changes requested, dismissed); a later comment does not
withdraw a request. Silent where the review is unknown or not read to its end.
"""

from __future__ import annotations

from collections.abc import Iterable

from services.analyzer.reading.reviews import (
    CHANGES_REQUESTED,
    after_the_merge,
    day_of,
    last_words,
    name_of,
    page_on_host,
    plain,
)
from services.analyzer.rules.context import RuleContext
from services.analyzer.rules.tags import quoted, risk_tag
from shared.domain.analysis import Evidence, Tag
from shared.domain.pull_request import PullRequest, Review
from shared.domain.taxonomy import Risk

name = "changes-requested"


def examine(pull_request: PullRequest, context: RuleContext) -> Iterable[Tag]:  # noqa: ARG001 - the shape of every rule
    """Yield ``risk:changes-requested`` with each person who still asks for changes, the words and the review."""
    if not pull_request.reviews_known or "reviews" in pull_request.cut:
        return
    standing = [one for one in last_words(pull_request) if one.state == CHANGES_REQUESTED and not one.user.is_bot]
    if standing:
        yield risk_tag(name, Risk.CHANGES_REQUESTED, [_evidence(review, pull_request) for review in standing])


def _evidence(review: Review, pull_request: PullRequest) -> Evidence:
    who, day, words = name_of(review.user), day_of(review), plain(review.body)
    quote, url = quoted(words) or None, page_on_host(review.html_url, pull_request)
    if day is None:
        return Evidence(why=f"{who} asked for changes and has not taken that back", quote=quote, url=url)
    if after_the_merge(review, pull_request):
        return Evidence(why=f"{who} asked for changes on {day}, after the merge", quote=quote, url=url)
    return Evidence(why=f"{who} asked for changes on {day} and has not taken that back", quote=quote, url=url)

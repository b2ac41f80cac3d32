"""Review threads of other people that were left open: neither resolved, nor outdated, nor ended in agreement by words.

Silent where no source told of threads, and for a thread of which it is not known whether it was resolved.
"""

from __future__ import annotations

from collections.abc import Iterable

from services.analyzer.reading.remarks import is_content
from services.analyzer.reading.reviews import name_of, page_on_host, plain, same_person, threads_of
from services.analyzer.rules.context import RuleContext
from services.analyzer.rules.tags import quoted, risk_tag
from shared.domain.analysis import Evidence, Tag
from shared.domain.pull_request import PullRequest, ReviewThread
from shared.domain.taxonomy import Risk

name = "unresolved-threads"


def examine(pull_request: PullRequest, context: RuleContext) -> Iterable[Tag]:  # noqa: ARG001 - the shape of every rule
    """Yield ``risk:unresolved-threads`` with how many there are, and place, first words and page of the longest."""
    if pull_request.review_threads is None:
        return
    left = [thread for thread in threads_of(pull_request) if _is_left_open(thread)]
    left.sort(key=lambda thread: -len(thread.comments))
    if left:
        more = len(left) if len(left) > 1 else None
        evidence = [_evidence(left[0], pull_request, more), *(_evidence(one, pull_request) for one in left[1:])]
        yield risk_tag(name, Risk.UNRESOLVED_THREADS, evidence)


def _is_left_open(thread: ReviewThread) -> bool:
    """A thread whose beginner had the last word and was content needs no mark, though nobody pressed the button."""
    if thread.resolved is not False or thread.outdated:
        return False
    first, last = thread.comments[0], thread.comments[-1]
    answered = len(thread.comments) > 1 and same_person(first.user, last.user)
    return not (answered and is_content(plain(last.body)))


def _evidence(thread: ReviewThread, pull_request: PullRequest, together: int | None = None) -> Evidence:
    opening = thread.comments[0]
    who, quote = name_of(opening.user), quoted(plain(opening.body)) or None
    place = f"{thread.path}:{thread.line}" if thread.path and thread.line else thread.path
    url = page_on_host(opening.html_url, pull_request)
    if together is None:
        why = f"a thread of {who} is neither resolved nor outdated"
        return Evidence(why=why, path=place, quote=quote, url=url)
    why = f"{together} threads are neither resolved nor outdated, the longest by {who}"
    return Evidence(why=why, path=place, quote=quote, url=url)

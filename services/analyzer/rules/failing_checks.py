"""Checks that failed on the head commit, as they were last read: a later run may have passed since.

Cancelled, skipped, neutral and stale checks are no failures; those that had not ended are told beside the failed ones.
Which checks a merge needs is not known here: one that failed may be one that nobody waits for.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from services.analyzer.reading.reviews import cut, page_on_host
from services.analyzer.rules.context import RuleContext
from services.analyzer.rules.tags import risk_tag
from shared.domain.analysis import Evidence, Tag
from shared.domain.pull_request import CheckResult, PullRequest
from shared.domain.taxonomy import Risk

name = "failing-checks"
FAILURES = frozenset({"failure", "timed_out", "startup_failure", "action_required"})
PENDING = "pending"
_LONGEST_NAME = 60
_LONGEST_LIST = 160


def examine(pull_request: PullRequest, context: RuleContext) -> Iterable[Tag]:  # noqa: ARG001 - the shape of every rule
    """Yield ``risk:failing-checks`` with how many of how many failed, their names, and the page of the first."""
    checks = pull_request.checks or ()
    failed = [check for check in checks if check.conclusion in FAILURES]
    if failed:
        open_still = [check for check in checks if check.conclusion == PENDING]
        yield risk_tag(name, Risk.FAILING_CHECKS, _evidence(pull_request, failed, open_still, len(checks)))


def _evidence(
    pull_request: PullRequest, failed: Sequence[CheckResult], open_still: Sequence[CheckResult], all_of_them: int
) -> Iterator[Evidence]:
    pages = (page_on_host(check.url, pull_request) for check in failed)
    url = next((page for page in pages if page), None)
    yield Evidence(why=f"{len(failed)} of {all_of_them} checks had failed: “{_names(failed)}”", url=url)
    if open_still:
        yield Evidence(why=f"{len(open_still)} of {all_of_them} checks had not ended: “{_names(open_still)}”")


def _names(checks: Sequence[CheckResult]) -> str:
    """The names are set in the files of the pull request itself: they are words of strangers."""
    words = (" ".join(check.name.replace("“", '"').replace("”", '"').split()) for check in checks)
    return cut(", ".join(dict.fromkeys(cut(word, _LONGEST_NAME) for word in words if word)), _LONGEST_LIST)

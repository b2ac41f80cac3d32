"""New recommendations: each tied to merges of the window, with an addressee or an action that can be tested."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from itertools import islice

from services.digest.findings import Findings
from services.digest.gate import by_rules
from services.digest.merges import Merge, by_importance
from services.digest.paths import is_of_own_use, is_source, main_files
from services.digest.series import find_series
from shared.domain.digest import FollowUp
from shared.domain.taxonomy import ChangeType, Risk, Trait

FOLLOW_UP_KINDS = (
    "settle-revert",
    "add-tests",
    "check-upgrade",
    "watch-file",
    "finish-series",
    "review-security",
    "analyse-again",
)
"""Every kind: the part of ``FollowUp.key`` before the colon; after it stand numbers, a path or a series."""

_WEIGHTY = (Risk.CORE_PATH, Risk.LARGE_CHANGE, Risk.BREAKING_CHANGE, Risk.SECURITY_SENSITIVE)
_UPGRADE = (Risk.BREAKING_CHANGE, Trait.NEW_DEFAULT, Trait.REMOVAL)
_TESTABLE = (ChangeType.FEAT, ChangeType.FIX)
"""A test can fail without these; without a clean-up or a speed-up it passes as well."""
_FIXES = 2
_NAMED = 5


def advise(findings: Findings) -> Iterator[FollowUp]:
    """Yield recommendations, the most pressing first and some twice; the caller takes as many as it shows.

    The key pull requests come first; the other featured ones follow, so that a quiet week has some as well. All is by
    rules: what a model judged neither makes a recommendation nor moves one, for nobody would see whose it is.
    """
    key = [merge for merge in _ruled(findings.key, findings) if merge.analysis and merge.analysis.importance.reason]
    featured = _ruled(findings.featured, findings)
    yield from islice(_analyse_again(findings), 1)
    yield from islice(_settle_reverts(findings), 2)
    yield from islice(_add_tests(merge for merge in featured if merge.has(*_WEIGHTY)), 2)
    acting = findings.acting
    yield from islice(_check_upgrades(key, acting), 1)
    yield from islice(_watch_files(findings), 1)
    yield from islice(_finish_series(findings), 1)
    yield from islice(_review_security(featured), 1)
    yield from islice(_check_upgrades(featured, acting), 2)
    yield from islice(_add_tests(featured), 3)


def _ruled(merges: Iterable[Merge], findings: Findings) -> tuple[Merge, ...]:
    """What still stands of ``merges``, as rules see it and in their order."""
    return by_importance(by_rules(merge) for merge in merges if merge.number not in findings.cancelled)


def _analyse_again(findings: Findings) -> Iterator[FollowUp]:
    failed = sorted(merge.number for merge in findings.members.window if merge.analysis is None)[:_NAMED]
    if failed:
        names = ", ".join(f"#{number}" for number in failed)
        yield _made("analyse-again", ",".join(map(str, failed)), f"Operator: have {names} analysed again.", failed)


def _settle_reverts(findings: Findings) -> Iterator[FollowUp]:
    for revert, reverted in sorted(findings.reverts.items(), reverse=True):
        if revert in findings.reverts.values() or reverted in findings.reverts or reverted in findings.relanded:
            continue
        author = findings.merge(reverted) or findings.merge(revert)
        named = [revert] + ([reverted] if any(m.number == reverted for m in findings.members.window) else [])
        if author is not None:
            yield _made(
                "settle-revert",
                str(reverted),
                f"{_name(author)}: say whether #{reverted} comes back after its revert #{revert}, and with which test.",
                named,
            )


def _add_tests(merges: Iterable[Merge]) -> Iterator[FollowUp]:
    """For features and fixes of what is shipped: workflows and scripts have no tests."""
    for merge in merges:
        shipped = not (files := main_files(merge)) or any(is_source(path) and not is_of_own_use(path) for path in files)
        if merge.has(Risk.MISSING_TESTS) and merge.change_type in _TESTABLE and shipped:
            text = f"{_name(merge)}: add a test that fails without #{merge.number}, or name the one that covers it."
            yield _made("add-tests", str(merge.number), text, [merge.number])


def _check_upgrades(merges: Iterable[Merge], acting: Collection[int]) -> Iterator[FollowUp]:
    for merge in merges:
        if merge.number in acting and merge.has(*_UPGRADE):
            text = f"Everybody who upgrades: try your own setup with #{merge.number}, once as before and once adapted."
            yield _made("check-upgrade", str(merge.number), text, [merge.number])


def _watch_files(findings: Findings) -> Iterator[FollowUp]:
    hot = findings.hot_files()
    fixes = {path: findings.fixes_of(path) for path in hot}
    for path in sorted(hot, key=lambda path: (-len(fixes[path]), -len(hot[path]), path)):
        if len(fixes[path]) >= _FIXES:
            text = f"Authors of these merges: agree on a regression test for {path}, which keeps being fixed."
            yield _made("watch-file", path, text, hot[path])


def _finish_series(findings: Findings) -> Iterator[FollowUp]:
    window = {merge.number: merge for merge in findings.members.window}
    for series in find_series((*findings.members.background, *findings.members.window)):
        own = [number for number in series.numbers if number in window]
        if own and series.open_parts:
            parts = ", ".join(str(part) for part in series.open_parts[:_NAMED])
            text = f"{_name(window[own[-1]])}: land or drop the open parts ({parts}) of “{series.title}”."
            yield _made("finish-series", series.key, text, own)


def _review_security(merges: Iterable[Merge]) -> Iterator[FollowUp]:
    for merge in merges:
        if merge.has(Risk.SECURITY_SENSITIVE):
            text = f"Maintainers: have #{merge.number} read by somebody else with an attacker's eyes."
            yield _made("review-security", str(merge.number), text, [merge.number])


def _made(kind: str, about: str, text: str, numbers: Iterable[int]) -> FollowUp:
    return FollowUp(key=f"{kind}:{about}", text=text, pull_requests=tuple(sorted(numbers)))


def _name(merge: Merge) -> str:
    """The author as plain text: an at sign would notify somebody."""
    return merge.pull_request.user.shown.replace("@", "")

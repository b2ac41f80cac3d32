"""What became of an earlier recommendation, as far as two weeks of merges show it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from services.digest.findings import Findings, changed_paths, tested_by
from services.digest.paths import is_test
from services.digest.series import find_series
from shared.domain.digest import FollowUp
from shared.domain.taxonomy import ChangeType, RelationKind

_SHOWN = 3
"""Merges that are named as the ones that did it."""

Outcome = Literal["open", "done", "obsolete"]


def outcome_of(earlier: FollowUp, findings: Findings) -> tuple[Outcome, tuple[int, ...]] | None:
    """Return the state now and the merges of the window that show it; None when nothing can show it any more.

    Whatever was about one merge is obsolete once that merge is taken back.
    """
    kind, _, about = earlier.key.partition(":")
    taken_back = {reverted: revert for revert, reverted in findings.reverts.items()}
    if kind in ("add-tests", "check-upgrade", "review-security") and _number(about) in taken_back:
        return "obsolete", (taken_back[_number(about)],)
    judge = _JUDGES.get(kind)
    return judge(earlier, about, findings) if judge else None


def _settle_revert(_: FollowUp, about: str, findings: Findings) -> tuple[Outcome, tuple[int, ...]]:
    if _number(about) not in findings.relanded:
        return "open", ()
    known = [one for one in findings.relations if one.kind not in (RelationKind.REPAIRS, RelationKind.FOLLOWS_UP)]
    back = [one.source for one in known if one.to == _number(about) or one.to in findings.reverts]
    return "done", tuple(sorted(back))


def _add_tests(_: FollowUp, about: str, findings: Findings) -> tuple[Outcome, tuple[int, ...]]:
    source = findings.merge(_number(about))
    added = [merge.number for merge in findings.members.window if source and tested_by(source, merge)]
    return ("done", tuple(added[:_SHOWN])) if added else ("open", ())


def _watch_file(_: FollowUp, about: str, findings: Findings) -> tuple[Outcome, tuple[int, ...]]:
    """Done by a merge that brings a test for the file, obsolete when nobody had to fix it again."""
    touching = [merge for merge in findings.members.window if about in changed_paths(merge)]
    tested = tuple(merge.number for merge in touching if any(is_test(path) for path in changed_paths(merge)))
    fixed = tuple(merge.number for merge in touching if merge.change_type is ChangeType.FIX)
    if set(fixed) - set(tested):
        return "open", fixed
    return ("done", tuple(n for n in tested if n in fixed)) if fixed else ("obsolete", ())


def _finish_series(_: FollowUp, about: str, findings: Findings) -> tuple[Outcome, tuple[int, ...]]:
    window = {merge.number for merge in findings.members.window}
    for series in find_series((*findings.members.background, *findings.members.window)):
        if series.key == about:
            own = tuple(number for number in series.numbers if number in window)
            return ("open", own) if series.open_parts else ("done", own)
    return "open", ()


def _once(earlier: FollowUp, _: str, __: Findings) -> tuple[Outcome, tuple[int, ...]] | None:
    """No merge can show that somebody did this: it is repeated once, then left to its readers."""
    return ("open", ()) if earlier.state == "new" else None


def _analyse_again(_: FollowUp, about: str, findings: Findings) -> tuple[Outcome, tuple[int, ...]]:
    merges = [findings.merge(_number(number)) for number in about.split(",")]
    return ("open" if any(merge is None or merge.analysis is None for merge in merges) else "done"), ()


def _number(text: str) -> int:
    return int(text) if text.isdecimal() else 0


_Judge = Callable[[FollowUp, str, Findings], tuple[Outcome, tuple[int, ...]] | None]
_JUDGES: dict[str, _Judge] = {
    "settle-revert": _settle_revert,
    "add-tests": _add_tests,
    "watch-file": _watch_file,
    "finish-series": _finish_series,
    "check-upgrade": _once,
    "review-security": _once,
    "analyse-again": _analyse_again,
}

"""How many files of which kind a merge changed, and the names of those whose diff is not shown."""

from __future__ import annotations

from typing import Any

from services.analyzer.packing.ranking import RankedFiles
from services.analyzer.packing.room import cost, fitted
from services.analyzer.packing.wording import Wording
from services.analyzer.reading.paths import FileKind
from shared.domain.pull_request import PullRequest

MOST_NAMES = 30
_LONGEST_NAME = 200
_ONLY_COUNTED = frozenset({FileKind.GENERATED, FileKind.VENDORED, FileKind.DATA})


def counts(pull_request: PullRequest, files: RankedFiles) -> dict[str, Any]:
    """Return the totals of the host, and how many files there are of each kind; totals alone if none is known."""
    totals = {
        "changed_files": pull_request.changed_files,
        "additions": pull_request.additions,
        "deletions": pull_request.deletions,
    }
    return {**totals, "kinds": files.kinds} if files.kinds else totals


def names(files: RankedFiles, shown: frozenset[str], wording: Wording, room: int) -> list[str]:
    """Return name and size of files whose diff is not shown, within ``room``; what tools made is only counted."""
    kept: list[str] = []
    others = [one for one in files.shown if one.file.filename not in shown]
    others += [one for one in files.counted if one.kind not in _ONLY_COUNTED]
    for one in others[:MOST_NAMES]:
        name = fitted(wording.line(one.file.filename[-4 * _LONGEST_NAME :]), _LONGEST_NAME)
        moved = "" if one.file.status == "modified" else f" {one.file.status}"
        line = f"{name}{moved} +{one.file.additions} -{one.file.deletions}"
        if cost(line) > room:
            break
        kept.append(line)
        room -= cost(line)
    return kept

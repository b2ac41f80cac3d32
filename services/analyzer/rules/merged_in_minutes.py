"""Merges within ten minutes of being opened: too soon for anybody else to have read them, or for most test runs.

Not told of what is quick by nature: bots, reverts, backports, version bumps, documentation. Silent where the time of
opening or the files are not known.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator

from services.analyzer.reading.paths import FileKind
from services.analyzer.reading.reading import Reading
from services.analyzer.reading.reviews import same_person
from services.analyzer.reading.undoing import UndoKind, read_undoing
from services.analyzer.rules import backports
from services.analyzer.rules.bots import version_bump
from services.analyzer.rules.change_type import decide
from services.analyzer.rules.context import RuleContext
from services.analyzer.rules.tags import risk_tag
from shared.domain.analysis import Evidence, Tag
from shared.domain.pull_request import PullRequest
from shared.domain.taxonomy import ChangeType, Risk

name = "merged-in-minutes"
MOST_MINUTES = 10


def examine(pull_request: PullRequest, context: RuleContext) -> Iterable[Tag]:
    """Yield ``risk:merged-in-minutes`` with the minutes, begun ones counted as whole."""
    if pull_request.created_at is None or pull_request.user.is_bot:
        return
    seconds = (pull_request.merged_at - pull_request.created_at).total_seconds()
    reading = context.read(pull_request)
    if not 0 <= seconds <= MOST_MINUTES * 60 or _is_quick_by_nature(reading, context):
        return
    yield risk_tag(name, Risk.MERGED_IN_MINUTES, _evidence(pull_request, math.ceil(seconds / 60)))


def _is_quick_by_nature(reading: Reading, context: RuleContext) -> bool:
    if not reading.files or reading.only(FileKind.DOCS) or decide(reading)[0] is ChangeType.DOCS:
        return True
    undoing = read_undoing(reading)
    return (
        (undoing is not None and undoing.kind is UndoKind.REVERT)
        or version_bump(reading) is not None
        or any(True for _ in backports.examine(reading.pull_request, context))
    )


def _evidence(pull_request: PullRequest, minutes: int) -> Iterator[Evidence]:
    if minutes > 1:
        yield Evidence(why=f"merged within {minutes} minutes of being opened")
    else:
        yield Evidence(why="merged within a minute of being opened")
    by = pull_request.merged_by
    if by is not None and same_person(by, pull_request.user):
        yield Evidence(why="merged by its author")

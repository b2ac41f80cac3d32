"""Merges that change nothing."""

from __future__ import annotations

from collections.abc import Iterable

from services.analyzer.rules.context import RuleContext
from services.analyzer.rules.tags import risk_tag
from shared.domain.analysis import Evidence, Tag
from shared.domain.pull_request import PullRequest
from shared.domain.taxonomy import Risk

name = "empty-change"


def examine(pull_request: PullRequest, context: RuleContext) -> Iterable[Tag]:
    """Yield ``risk:empty-change`` when the file list is known and empty; a payload alone cannot tell."""
    reading = context.read(pull_request)
    if reading.files_known and not reading.files and pull_request.changed_files == 0:
        yield risk_tag(name, Risk.EMPTY_CHANGE, [Evidence(why="the merge has no changed file")])

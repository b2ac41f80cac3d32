"""Changes too large to be reviewed in one sitting; generated, vendored, test and data files do not count (C-45)."""

from __future__ import annotations

from collections.abc import Iterable

from services.analyzer.rules.context import RuleContext
from services.analyzer.rules.tags import risk_tag
from shared.domain.analysis import Evidence, Tag
from shared.domain.pull_request import PullRequest
from shared.domain.taxonomy import Risk

name = "large-change"
LINES = 500
"""Changed lines of source; studies of review find few faults in more than some 400 lines at once."""
FILES = 30


def examine(pull_request: PullRequest, context: RuleContext) -> Iterable[Tag]:
    """Yield ``risk:large-change`` from 500 changed lines or 30 changed files of source on."""
    reading = context.read(pull_request)
    edited = [file for file in reading.source if file.lines]
    if reading.source_lines >= LINES or len(edited) >= FILES:
        largest = max(edited, key=lambda file: file.lines)
        why = f"{reading.source_lines} changed lines in {len(edited)} source files"
        yield risk_tag(name, Risk.LARGE_CHANGE, [Evidence(why=why, path=largest.name)])

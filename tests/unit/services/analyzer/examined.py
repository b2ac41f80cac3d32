"""Patches and examinations in one line, for the tests of rules."""

from __future__ import annotations

from typing import Any

from services.analyzer.examine import examine
from services.analyzer.rules import RuleContext, build_context
from shared.domain.analysis import Analysis
from shared.domain.pull_request import ChangedFile
from shared.settings import RepositorySettings
from tests.builders import make_file, make_pull_request

CONTEXT = build_context(RepositorySettings(full_name="lumen/lumen"))


def added(*lines: str, gone: tuple[str, ...] = ()) -> str:
    """A patch with one hunk that takes ``gone`` away and adds ``lines``."""
    return "@@ -1,9 +1,9 @@\n" + "\n".join([*(f"-{line}" for line in gone), *(f"+{line}" for line in lines)])


def analysed(*files: str | ChangedFile, context: RuleContext = CONTEXT, **overrides: Any) -> Analysis:
    """The analysis of a merge of these files; a bare name is a file with forty added lines."""
    made = tuple(make_file(file, additions=40) if isinstance(file, str) else file for file in files)
    return examine(make_pull_request(**({"title": "Add a queue", "files": made} | overrides)), context)


CODE = added(*(f"value_{number} = {number}" for number in range(20)))

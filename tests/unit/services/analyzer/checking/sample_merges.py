"""The merges of the bundled sample, by number, with what the rules say of them."""

from __future__ import annotations

from functools import cache
from typing import Any

from services.analyzer.checking import checked
from services.analyzer.examine import examine
from services.analyzer.prompts.answer import MergeAnswer
from services.analyzer.rules import build_context
from services.cli import sample
from shared.domain.analysis import Analysis
from shared.domain.pull_request import PullRequest
from shared.domain.reading import CallUsage, Reading, Seen
from shared.settings import RepositorySettings
from shared.sources.record_lines import parse_line
from tests.builders import make_analysis

CONTEXT = build_context(RepositorySettings(full_name=sample.REPOSITORY))


@cache
def merges() -> dict[int, PullRequest]:
    """All merges of the sample."""
    lines = enumerate(sample.RECORDS.read_bytes().splitlines(), start=1)
    parsed = (parse_line(line, number, sample.RECORDS) for number, line in lines)
    return {pull_request.number: pull_request for pull_request in parsed}


@cache
def analysis_of(number: int) -> Analysis:
    """What the rules say of one of them."""
    return examine(merges()[number], CONTEXT)


def read(answer: MergeAnswer, pull_request: PullRequest, analysis: Analysis | None = None, **told: Any) -> Reading:
    """The reading of an answer, with ordinary values for what the caller of a model knows."""
    values: dict[str, Any] = {
        "model": "some-model",
        "seen": Seen(),
        "usage": CallUsage(),
        "mode": "json_schema",
        "repaired": False,
        "language": "English",
    }
    return checked(answer, pull_request, analysis or make_analysis(pull_request.number), **(values | told))

"""Analyses a second on one core, beside decoding the same merges from JSON."""

from __future__ import annotations

import json
import time
from pathlib import Path

from services.analyzer.examine import examine
from services.analyzer.rules.context import build_context
from shared.domain.period import parse_week
from shared.settings import RepositorySettings
from shared.sources.git_history import GitHistory
from shared.sources.merge_records import dump
from tests.bench.clone import REPOSITORY
from tests.bench.measure import Measurement

ROUNDS = 3


def measure(clone: Path, week: str) -> list[Measurement]:
    """Examine every merge of the week, patches included."""
    period = parse_week(week)
    source = GitHistory(clone, repository=REPOSITORY)
    merges = list(source.merged_between(period.start, period.end))
    context = build_context(RepositorySettings(full_name=REPOSITORY), source.conventions())
    lines = [dump(merge) for merge in merges]
    started = time.perf_counter()
    for _ in range(ROUNDS):
        for merge in merges:
            examine(merge, context)
    ours = ROUNDS * len(merges) / (time.perf_counter() - started)
    started = time.perf_counter()
    for _ in range(ROUNDS):
        for line in lines:
            json.loads(line)
    baseline = ROUNDS * len(lines) / (time.perf_counter() - started)
    return [Measurement("analyses by rules, one core", ours, baseline, "json.loads of the same merges", "/s")]

"""The history behind the merges of a week (origins of lines, churn), beside ``git log -p`` of that week."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

from shared.domain.period import Period, parse_week
from shared.sources.git_history import GitHistory
from tests.bench.clone import REPOSITORY
from tests.bench.measure import Measurement, seconds_of

ROUNDS = 3


def measure(clone: Path, week: str) -> list[Measurement]:
    """Time the reading of the week with an empty cache of traces and with a full one; the difference is the history."""
    period = parse_week(week)
    tip = GitHistory(clone, repository=REPOSITORY).branch
    log = [
        *("git", "-C", str(clone), "log", "-p", "--first-parent", "-m"),
        *(f"--since-as-filter={period.start.isoformat()}", f"--until={period.end.isoformat()}", tip),
    ]
    baseline = min(seconds_of(log) for _ in range(ROUNDS))
    colds, warms = [], []
    for _ in range(ROUNDS):
        with tempfile.TemporaryDirectory() as folder:
            colds.append(_seconds_of_reading(clone, period, Path(folder)))
            warms.append(_seconds_of_reading(clone, period, Path(folder)))
    beside = "git log -p of the week"
    return [
        Measurement("history of a week, cold", max(min(colds) - min(warms), 0.0), baseline, beside, aim="≤ 10x"),
        Measurement("reading a week, history from cache", min(warms), baseline, beside),
    ]


def _seconds_of_reading(clone: Path, period: Period, traces: Path) -> float:
    started = time.perf_counter()
    for _ in GitHistory(clone, REPOSITORY, traces=traces).merged_between(period.start, period.end):
        pass
    return time.perf_counter() - started

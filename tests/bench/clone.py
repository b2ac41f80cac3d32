"""The digest of a week from a clone, beside ``git log -p`` of the same two weeks."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from shared.domain.period import parse_week
from shared.sources.git_history import GitHistory
from tests.bench.measure import Measurement, seconds_of

REPOSITORY = "measured/repository"


def measure(clone: Path, week: str) -> list[Measurement]:
    """Time the command as a person runs it, twice; it reads the week and the week before it, and so does the baseline."""
    period = parse_week(week)
    tip = GitHistory(clone, repository=REPOSITORY).branch
    baseline = seconds_of(
        [
            *("git", "-C", str(clone), "log", "-p", "--first-parent", "-m", "--numstat"),
            *(f"--since-as-filter={period.previous().start.isoformat()}", f"--until={period.end.isoformat()}", tip),
        ]
    )
    ours = [
        *(sys.executable, "-m", "services.cli.main", "digest", str(clone), "--repository", REPOSITORY),
        *("--week", week, "--output", f"out/bench/{week}"),
    ]
    with tempfile.TemporaryDirectory() as data:
        cold, warm = (seconds_of(ours, MERGECAST_DATA_FOLDER=data) for _ in range(2))
    beside = "git log -p of the same weeks"
    return [
        Measurement("digest of a week from a clone, first run", cold, baseline, beside, aim="≤ 60x"),
        Measurement("digest of a week from a clone, from cache", warm, baseline, beside, aim="≤ 10x"),
    ]

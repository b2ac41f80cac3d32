"""The digest of a week from a clone, beside ``git log -p`` of the same two weeks."""

from __future__ import annotations

import sys
from pathlib import Path

from shared.domain.period import parse_week
from shared.sources.git_history import GitHistory
from tests.bench.measure import Measurement, seconds_of

REPOSITORY = "measured/repository"


def measure(clone: Path, week: str) -> list[Measurement]:
    """Time the command as a person runs it; it reads the week and the week before it, and so does the baseline."""
    period = parse_week(week)
    tip = GitHistory(clone, repository=REPOSITORY).branch
    baseline = seconds_of(
        [
            *("git", "-C", str(clone), "log", "-p", "--first-parent", "-m", "--numstat"),
            *(f"--since-as-filter={period.previous().start.isoformat()}", f"--until={period.end.isoformat()}", tip),
        ]
    )
    ours = seconds_of(
        [
            *(sys.executable, "-m", "services.cli.main", "digest", str(clone), "--repository", REPOSITORY),
            *("--week", week, "--output", f"out/bench/{week}"),
        ]
    )
    return [Measurement("digest of a week from a clone", ours, baseline, "git log -p of the same weeks", aim="≤ 8x")]

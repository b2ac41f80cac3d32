"""``make chaos``: the large drill, one with a language model, the series of restarts; exit code 1 unless all is whole."""

from __future__ import annotations

import argparse
import secrets
import sys
import tempfile
from collections import Counter
from pathlib import Path

from tests.faults import restarts
from tests.faults.drill import Drill, run
from tests.faults.schedule import Fault

SEED = 20260512
FAULTS = Counter(
    {
        Fault.KILL_GROUP: 20,
        Fault.KILL_CHILD: 20,
        Fault.STOP_WORKER: 12,
        Fault.KILL_BEAT: 2,
        Fault.KILL_RECEIVER: 2,
        Fault.VALKEY_RESTART: 3,
        Fault.VALKEY_WIPE: 1,
        Fault.VALKEY_FREEZE: 1,
        Fault.POSTGRESQL_RESTART: 3,
        Fault.POSTGRESQL_FREEZE: 1,
    }
)
MODEL_FAULTS = Counter(
    {
        Fault.KILL_READER_GROUP: 5,
        Fault.KILL_READER_CHILD: 10,
        Fault.KILL_GROUP: 2,
        Fault.VALKEY_RESTART: 2,
        Fault.VALKEY_WIPE: 1,
        Fault.POSTGRESQL_RESTART: 2,
    }
)
MOST_READ = 1_000
"""Merges of the drill with a model."""


def main() -> int:
    """Run all three, or one; the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.faults.chaos", description=__doc__)
    parser.add_argument("--merges", type=int, default=10_000)
    parser.add_argument("--rate", type=float, default=40.0, help="postings a second")
    parser.add_argument("--seed", type=int, default=SEED, help="0 for a new one, which is printed")
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--skip-restarts", action="store_true", help="the two drills alone")
    which.add_argument("--only-restarts", action="store_true", help="the series of restarts alone")
    which.add_argument("--only-model", action="store_true", help="the drill with a model alone")
    chosen = parser.parse_args()
    seed = chosen.seed or secrets.randbelow(10**9)
    drill = Drill(chosen.merges, chosen.rate, FAULTS, seed, drained_within=600)
    merges = min(chosen.merges, MOST_READ)
    read = Drill(merges, chosen.rate / 4, MODEL_FAULTS, seed, readers=2, drained_within=600)
    whole = [
        chosen.only_restarts or chosen.only_model or _drilled(drill),
        chosen.only_restarts or _drilled(read),
        chosen.skip_restarts or chosen.only_model or _resumed(seed),
    ]
    return 0 if all(whole) else 1


def _drilled(drill: Drill) -> bool:
    """Run the drill, print its ledgers, and return whether they agree."""
    with tempfile.TemporaryDirectory(prefix="mccx-", ignore_cleanup_errors=True) as folder:
        report = run(drill, Path(folder), say)
    for line in report.lines():
        say(line)
    whole = report.ledgers.agree and not report.ledgers.unpublished and report.struck == drill.faults
    whole = whole and (report.readings is None or report.readings.agree)
    say("0 lost, 0 doubled" if whole else "The ledgers do not agree.")
    return whole


def _resumed(seed: int) -> bool:
    """Run the series, print what it took, and return whether work went on in time after every break."""
    with tempfile.TemporaryDirectory(prefix="mccx-", ignore_cleanup_errors=True) as folder:
        report = restarts.run(seed, Path(folder), say)
    for line in report.lines():
        say(line)
    told = f"Work went on within {restarts.RESUMED_WITHIN:.0f} s each time."
    say(told if report.whole else "Work did not go on as it should.")
    return report.whole


def say(line: str) -> None:
    """Print at once: the run takes minutes."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())

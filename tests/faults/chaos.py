"""The large drill: ``make chaos``. Prints its seed and its ledgers; exit code 1 unless nothing was lost or doubled."""

from __future__ import annotations

import argparse
import secrets
import sys
import tempfile
from collections import Counter
from pathlib import Path

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


def main() -> int:
    """Run it; the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.faults.chaos", description=__doc__)
    parser.add_argument("--merges", type=int, default=10_000)
    parser.add_argument("--rate", type=float, default=40.0, help="postings a second")
    parser.add_argument("--seed", type=int, default=SEED, help="0 for a new one, which is printed")
    chosen = parser.parse_args()
    seed = chosen.seed or secrets.randbelow(10**9)
    drill = Drill(chosen.merges, chosen.rate, FAULTS, seed, drained_within=600)
    with tempfile.TemporaryDirectory(prefix="mccx-", ignore_cleanup_errors=True) as folder:
        report = run(drill, Path(folder), say)
    for line in report.lines():
        say(line)
    whole = report.ledgers.agree and not report.ledgers.unpublished and report.struck == FAULTS
    say("0 lost, 0 doubled" if whole else "The ledgers do not agree.")
    return 0 if whole else 1


def say(line: str) -> None:
    """Print at once: the run takes minutes."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())

"""``make bench``: a digest, the analyser, memory, what a model costs, requests and a burst, each beside its baseline."""

from __future__ import annotations

import argparse
import logging
import sys
import tempfile
from pathlib import Path

import structlog
from rich.console import Console
from rich.table import Table

from tests.bench import analysis, checking, clone, history, memory, packing, readings, redaction, requests_per_merge
from tests.bench.burst import compare
from tests.bench.invented_clone import make_clone
from tests.bench.measure import Measurement


def main() -> int:
    """Measure and print; the figures are read by people, but 1 when a merge costs too many requests or calls."""
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING))
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--clone", type=Path, help="a real clone; without it one of 300 merges is made up")
    parser.add_argument("--week", default="2026-W19")
    parser.add_argument("--records", type=Path, help="a folder of merge records whose tokens are counted")
    arguments = parser.parse_args()
    asked, read = requests_per_merge.measure(), readings.measure()
    with tempfile.TemporaryDirectory() as folder:
        path = arguments.clone or make_clone(Path(folder) / "invented", merges=300, week=arguments.week)
        measurements = [
            *clone.measure(path, arguments.week),
            *history.measure(path, arguments.week),
            *analysis.measure(path, arguments.week),
            *memory.measure(path, arguments.week),
            *packing.measure(arguments.records),
            *checking.measure(),
            *redaction.measure(),
            *read,
            *asked,
            *compare.measure(),
        ]
    show(measurements)
    return 1 if requests_per_merge.too_many(asked) or readings.too_many(read) else 0


def show(measurements: list[Measurement]) -> None:
    """Print one row for each measurement."""
    table = Table("what", "ours", "baseline", "baseline is", "ratio", "aim")
    for row in measurements:
        table.add_row(row.what, row.shown(row.ours), row.shown(row.baseline), row.beside, f"{row.ratio:.2f}x", row.aim)
    Console(width=140).print(table)


if __name__ == "__main__":
    sys.exit(main())

"""Peak memory of a digest, beside a process that only imports what it needs."""

from __future__ import annotations

from pathlib import Path

from tests.bench.clone import REPOSITORY
from tests.bench.measure import Measurement, peak_megabytes

IMPORTS = "import services.cli.one_week, shared.rendering.html, shared.rendering.markdown, time; time.sleep(0.2)"
DIGEST = """
import sys
from services.cli.main import run
sys.argv = ["mergecast", "digest", sys.argv[1], "--repository", sys.argv[2], "--week", sys.argv[3], "--output", "out/bench"]
run()
"""


def measure(clone: Path, week: str) -> list[Measurement]:
    """Measure the whole process tree, git's included."""
    ours = peak_megabytes(DIGEST, str(clone), REPOSITORY, week)
    return [Measurement("peak memory of a digest", ours, peak_megabytes(IMPORTS), "the imports alone", "MB")]

"""What packing a merge for a language model takes: time and memory of a huge one, tokens of ordinary ones."""

from __future__ import annotations

import json
import time
import tracemalloc
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from services.analyzer.examine import examine
from services.analyzer.packing import pack
from services.analyzer.rules.context import build_context
from services.cli.sample import RECORDS
from shared.domain.pull_request import ChangedFile, PullRequest
from shared.llm.tokens import estimated_tokens
from shared.settings import RepositorySettings
from shared.settings.language_model import ModelSettings
from shared.sources.merge_records import MergeRecords
from tests.bench.measure import Measurement
from tests.builders import make_analysis, make_pull_request

ROUNDS = 5
HUGE = 9_000_000
"""Characters of the patches of a merge that no budget holds (R-62)."""
FILES = 300
BUDGET = ModelSettings().input_tokens


def measure(records: Path | None = None) -> list[Measurement]:
    """Pack a merge of 9 MB, then every merge of the ``records`` folder (without one: of the bundled sample)."""
    files = sorted(records.glob("*.jsonl")) if records else [RECORDS]
    return [*_huge(), *_tokens(files)]


def _huge() -> list[Measurement]:
    merge, analysis = huge_merge(), make_analysis()
    patches = [file.patch for file in merge.files or ()]
    beside = "json.dumps of the same patches"
    seconds, megabytes = taken(lambda: pack(merge, analysis, BUDGET))
    baseline_seconds, baseline_megabytes = taken(lambda: json.dumps(patches))
    return [
        Measurement("packing a 9 MB diff", seconds * 1000, baseline_seconds * 1000, beside, "ms", "< 100 ms"),
        Measurement("memory of packing it", megabytes, baseline_megabytes, beside, "MB", "< 100 MB"),
    ]


def huge_merge() -> PullRequest:
    """A merge whose patches have 9 MB."""
    files = []
    for at in range(FILES):
        lines = "".join(
            f"+    total = part_{at:03}.compute({number}, limit=size)\n" for number in range(HUGE // FILES // 47)
        )
        patch = f"@@ -1,3 +1,900 @@ def run():\n{lines}"
        files.append(ChangedFile(filename=f"src/engine/part_{at}.py", patch=patch, additions=patch.count("\n")))
    return make_pull_request(files=tuple(files))


def taken(work: Callable[[], Any]) -> tuple[float, float]:
    """The shortest time of ``work`` in seconds and, of one more run, the peak of its memory in MB."""
    times = []
    for _ in range(ROUNDS):
        started = time.perf_counter()
        work()
        times.append(time.perf_counter() - started)
    tracemalloc.start()
    work()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return min(times), peak / 1024**2


def _tokens(files: list[Path]) -> list[Measurement]:
    context = build_context(RepositorySettings(full_name="measured/repository"))
    packed, whole = [], []
    for path in files:
        for merge in MergeRecords(path).merged_between(
            datetime(2000, 1, 1, tzinfo=UTC), datetime(3000, 1, 1, tzinfo=UTC)
        ):
            packed.append(pack(merge, examine(merge, context), BUDGET).tokens)
            whole.append(estimated_tokens(merge.model_dump_json(exclude_defaults=True)))
    packed.sort()
    whole.sort()
    beside = f"the whole of {len(packed)} merges"
    places = {"p50": len(packed) // 2, "p95": len(packed) * 95 // 100, "largest": len(packed) - 1}
    return [
        Measurement(
            "tokens of a packed merge, average",
            sum(packed) / len(packed),
            sum(whole) / len(whole),
            beside,
            "",
            "≤ 3,500",
        ),
        *(
            Measurement(f"tokens of a packed merge, {name}", packed[at], whole[at], beside, "", f"≤ {BUDGET:,}")
            for name, at in places.items()
        ),
    ]

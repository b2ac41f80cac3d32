"""What checking an answer about a huge merge takes, beside decoding the same patches from JSON."""

from __future__ import annotations

import json
from typing import Any

from services.analyzer.checking import checked
from services.analyzer.prompts.answer import MergeAnswer
from shared.domain.reading import CallUsage, Reading, Seen
from tests.bench.measure import Measurement
from tests.bench.packing import huge_merge, taken
from tests.builders import make_analysis


def measure() -> list[Measurement]:
    """Check claims with one quotation of the diff and one that stands nowhere in 9 MB of it."""
    merge, analysis, answer = huge_merge(), make_analysis(), _answer()
    written = json.dumps([file.patch for file in merge.files or ()])

    def check() -> Reading:
        return checked(
            answer,
            merge,
            analysis,
            model="measured",
            seen=Seen(),
            usage=CallUsage(),
            mode="json_schema",
            repaired=False,
            language="English",
        )

    assert check().change is not None, "a true quotation is found"
    seconds, megabytes = taken(check)
    baseline_seconds, baseline_megabytes = taken(lambda: json.loads(written))
    beside = "json.loads of the same patches"
    return [
        Measurement("checking an answer about a 9 MB diff", seconds * 1000, baseline_seconds * 1000, beside, "ms"),
        Measurement("memory of checking it", megabytes, baseline_megabytes, beside, "MB"),
    ]


def _answer() -> MergeAnswer:
    change: dict[str, Any] = {
        "text": "Every part computes its total with a limit of its own size.",
        "quotes": ["total = part_000.compute(600, limit=size)", "a quotation that stands nowhere in the merge"],
    }
    why = {"text": "Totals were computed without a limit before.", "quotes": ["nowhere is that said in the merge"]}
    lists: dict[str, Any] = {name: [] for name in ("limits", "actions", "contested", "risks", "keywords")}
    return MergeAnswer.model_validate({"effect": None, "change": change, "why": why, "importance": None, **lists})

"""Packs merges in one line, for the tests of what a model is shown."""

from __future__ import annotations

import json
from typing import Any

from services.analyzer.packing import Packed, pack
from services.analyzer.packing.wording import Wording
from shared.domain.analysis import Analysis
from shared.domain.reading import Shown
from shared.redaction import redact
from tests.builders import make_analysis, make_pull_request

BUDGET = 6_000


def wording() -> Wording:
    """What cleans the texts of one merge."""
    return Wording(redact, "github.com")


def packed(budget: int = BUDGET, analysis: Analysis | None = None, **overrides: Any) -> Packed:
    """A merge of these values as it is shown."""
    return pack(make_pull_request(**overrides), analysis or make_analysis(), budget)


def document(budget: int = BUDGET, analysis: Analysis | None = None, **overrides: Any) -> dict[str, Any]:
    """The decoded document of a merge of these values."""
    decoded: dict[str, Any] = json.loads(packed(budget, analysis, **overrides).document)
    return decoded


def account(result: Packed, part: str) -> Shown:
    """What is said of one part of the merge."""
    return next(one for one in result.seen.shown if one.part == part)

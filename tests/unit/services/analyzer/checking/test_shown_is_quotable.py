from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from services.analyzer.checking.evidence import Evidence
from services.analyzer.packing import pack
from tests.unit.services.analyzer.checking.sample_merges import analysis_of, merges

NOT_WORDS_OF_THE_MERGE = ("by", "path", "state", "file", "name")


def strings(value: Any) -> Iterator[str]:
    """The texts of a document, without what code says beside them."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        yield from (text for key, one in value.items() if key not in NOT_WORDS_OF_THE_MERGE for text in strings(one))
    elif isinstance(value, list):
        yield from (text for one in value for text in strings(one))


def shown_lines(document: str, field: str) -> list[str]:
    lines = [line for text in strings(json.loads(document).get(field, [])) for line in text.split("\n")]
    return [line for line in lines if len(line.replace(" ", "")) >= 16 and not line.startswith(("@@", "…"))]


def test_what_a_model_is_shown_of_the_sample_it_can_quote() -> None:
    """Packing and checking clean the texts of a merge in the same way."""
    shown, missing = 0, []
    for number, merge in merges().items():
        document = pack(merge, analysis_of(number), 4_000).document
        evidence = Evidence(merge, [], [])
        for line in (line for field in ("title", "description", "diffs") for line in shown_lines(document, field)):
            shown += 1
            if evidence.quotes([line]).reason == "quote-not-found":
                missing.append((number, line))

    assert shown > 700
    assert len(missing) <= 0.01 * shown, missing

"""The file of a labelled set: what is refused, and with which words."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from services.cli.evaluation.labels import load_cases
from shared.domain.errors import InvalidInput
from shared.sources.merge_records import dump
from tests.builders import make_pull_request

TOKEN = "gh" + "p_R7tQ2wLmX9vKc4ZdB8nHs1YfUa6JpE3oGiTr"
"""In two parts, so that no scanner takes it for a real one."""


def written(folder: Path, *expected: Any) -> Path:
    """A set with a merge for each of the given labels."""
    path = folder / "set.jsonl"
    lines = []
    for number, labels in enumerate(expected, start=1):
        record = json.loads(dump(make_pull_request(number, body=f"token {TOKEN}")))
        lines.append(json.dumps({**record, "expected": labels}))
    path.write_text("\n".join(lines), "utf-8")
    return path


def test_cases_come_in_order_without_their_secrets_and_no_more_than_wanted(tmp_path: Path) -> None:
    path = written(tmp_path, {"case": "first"}, {"case": "second"}, {"case": "third"})

    cases = load_cases(path, 2)

    assert [case.name for case in cases] == ["first", "second"]
    assert "ghp_" not in (cases[0].pull_request.body or "")


@pytest.mark.parametrize(
    ("labels", "words"),
    [
        (None, "line 1: expected"),
        ({"case": "x"}, "line 1: expected.case"),
        ({"case": "some", "risks": [{"risk": "none", "phrases": ["a"], "quote": "q", "say": "s"}]}, "expected.risks.0"),
        ({"case": "some", "facts": [{"phrases": [], "quote": "q", "say": "s"}]}, "expected.facts.0.phrases"),
    ],
)
def test_a_line_without_fit_labels_is_named(tmp_path: Path, labels: Any, words: str) -> None:
    with pytest.raises(InvalidInput, match=words):
        load_cases(written(tmp_path, labels))


def test_two_cases_of_one_name_no_case_and_no_file_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="two cases named same"):
        load_cases(written(tmp_path, {"case": "same"}, {"case": "same"}))
    with pytest.raises(InvalidInput, match="no labelled merge"):
        load_cases(written(tmp_path))
    with pytest.raises(InvalidInput, match="--set FILE"):
        load_cases(tmp_path / "missing.jsonl")

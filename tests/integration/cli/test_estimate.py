"""``mergecast estimate``: of merge records and of the store, without asking anybody."""

from __future__ import annotations

import json
from pathlib import Path

from services.cli import sample
from tests.integration.cli.conftest import Mergecast

WEEK = ("--week", "2026-W19")
PRICES = json.dumps({"small": {"input": 1.0, "output": 2.0}})


def test_records_are_estimated_without_a_database(mergecast: Mergecast, tmp_path: Path) -> None:
    told = mergecast("estimate", sample.RECORDS, *WEEK, "--model", "small")

    assert told.returncode == 0, told.stderr
    assert "a model would read" in told.stdout
    assert "small: no price is known" in told.stdout
    assert "lets all of them through" in told.stdout
    assert not (tmp_path / "data").exists()


def test_prices_tiers_and_budgets_are_told(mergecast: Mergecast) -> None:
    told = mergecast(
        "estimate",
        sample.RECORDS,
        *WEEK,
        MERGECAST_MODEL__NAME="small",
        MERGECAST_MODEL__STRONG_NAME="large",
        MERGECAST_MODEL__PRICES=PRICES,
        MERGECAST_MODEL__DAY_TOKENS="50000",
    )

    lines = told.stdout.splitlines()
    assert [line.split()[0] for line in lines if line.startswith(("small  ", "large  "))] == ["small", "large"]
    assert any(line.startswith("small: $") and "as a batch $" in line for line in lines)
    assert any(line.startswith("large: no price is known") for line in lines)
    assert "the others wait for the next day." in " ".join(told.stdout.split())


def test_a_stored_week_is_estimated_as_its_records_are(mergecast: Mergecast) -> None:
    assert mergecast("ingest", sample.RECORDS, *WEEK).returncode == 0

    stored = mergecast("estimate", *WEEK, "--model", "small")
    records = mergecast("estimate", sample.RECORDS, *WEEK, "--model", "small")

    assert stored.returncode == 0, stored.stderr
    assert stored.stdout == records.stdout


def test_what_a_person_gave_wrong_is_one_line(mergecast: Mergecast) -> None:
    for arguments, words in (
        ((), "No language model is set"),
        (("--model", "small", "--week", "2026-W19", "--since", "2026-05-01"), "either --week or"),
        (("--model", "small", "--branch", "main"), "A branch can only be chosen in a clone"),
        (("--model", "small"), "Which repository?"),
    ):
        told = mergecast("estimate", *arguments)
        assert told.returncode == 2, told
        assert words in told.stderr
        assert told.stderr.count("\n") == 1

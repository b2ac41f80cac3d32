"""A backfill that is killed twice goes on where it stopped: nothing is missing, nothing is doubled."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.faults.backfill import MEMORY, MOST_REQUESTS, run

MERGES = 400


@pytest.mark.timeout(900)
def test_a_backfill_killed_twice_misses_nothing_and_doubles_nothing(tmp_path: Path) -> None:
    ledger = run(MERGES, kills=2, folder=tmp_path, within=800)

    assert len(ledger.merged) == MERGES
    assert ledger.captured == ledger.merged
    assert ledger.with_details == MERGES
    assert ledger.analyses_twice == 0
    assert ledger.undone == 0
    assert ledger.kills == 2
    assert ledger.most_memory < MEMORY
    assert ledger.requests <= MOST_REQUESTS * MERGES
    taken = re.search(r"(\d+) merges taken in", ledger.told)
    assert taken, ledger.told
    assert 0 < int(taken[1]) < MERGES, "each run tells of its own"

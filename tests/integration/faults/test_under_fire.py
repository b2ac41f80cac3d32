"""Nothing is lost and nothing doubled while everything that can break is broken (R-03, R-11, R-20, R-21, R-24)."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.faults.drill import Drill, run
from tests.faults.schedule import Fault

pytestmark = [pytest.mark.xdist_group("faults"), pytest.mark.timeout(240)]

SEED = 20260512


def test_r20_r21_c65_a_thousand_merges_under_fire_are_each_analysed_and_told_once(tmp_path):
    faults = Counter(
        {
            Fault.KILL_GROUP: 3,
            Fault.KILL_CHILD: 3,
            Fault.VALKEY_RESTART: 2,
            Fault.VALKEY_WIPE: 1,
            Fault.VALKEY_FREEZE: 1,
            Fault.POSTGRESQL_RESTART: 1,
        }
    )
    report = run(Drill(1000, rate=60, faults=faults, seed=SEED), tmp_path)

    told = "\n".join(report.lines())
    assert report.struck == faults, told
    assert report.ledgers.agree, told
    assert report.ledgers.unpublished == 0, told
    assert len(report.ledgers.rows.analyses) == 1000, told
    assert set(report.ledgers.sent.answers) <= {202, 503}, told


def test_r23_a_rolling_restart_under_load_loses_and_doubles_nothing_and_starts_nothing_twice(tmp_path):
    faults = Counter({Fault.STOP_WORKER: 5})
    report = run(Drill(300, rate=18, faults=faults, seed=SEED, published=False), tmp_path)

    told = "\n".join(report.lines())
    assert report.struck == faults, told
    assert report.ledgers.agree, told
    assert report.ledgers.sent.answers == Counter({202: 360}), told
    assert report.ledgers.rows.p95_seconds < 90, told
    assert report.ledgers.rows.starts == sum(report.ledgers.rows.statuses.values()), told

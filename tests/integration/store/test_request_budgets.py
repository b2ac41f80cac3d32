"""The budgets of requests, on both engines: nothing is taken twice, nothing is asked before its time (R-50)."""

from __future__ import annotations

import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta

import pytest

from shared.domain.errors import Postponed
from shared.domain.protocols import Allowance
from shared.store.request_budgets import A_MINUTE, StoredLimiter
from shared.store.session import Database

NOW = datetime(2026, 5, 6, 12, 0, tzinfo=UTC)
RESET = NOW + timedelta(minutes=40)
TOKEN = "token:0123456789ab"

PROCESS = """
import sys
from datetime import UTC, datetime
from shared.domain.errors import Postponed
from shared.store.request_budgets import StoredLimiter
from shared.store.session import Database
database = Database(sys.argv[1])
limiter = StoredLimiter(database, lambda: datetime(2026, 5, 6, 12, 0, tzinfo=UTC))
print("ready", flush=True)
sys.stdin.readline()
taken = 0
for _ in range(20):
    try:
        limiter.spend("token:0123456789ab", "core")
        taken += 1
    except Postponed:
        pass
print(taken)
database.dispose()
"""


class Clock:
    def __init__(self) -> None:
        self.now = NOW

    def __call__(self) -> datetime:
        return self.now

    def forward(self, **by: float) -> None:
        self.now += timedelta(**by)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def limiter(database: Database, clock: Clock) -> StoredLimiter:
    return StoredLimiter(database, clock)


def refused_until(limiter: StoredLimiter, credential: str = TOKEN, keep: int = 0) -> datetime:
    with pytest.raises(Postponed) as refusal:
        limiter.spend(credential, "core", keep)
    return refusal.value.until


def left(count: int, limit: int = 5_000) -> Allowance:
    return Allowance(limit=limit, remaining=count, reset_at=RESET)


def test_a_credential_that_nothing_is_known_of_may_ask(limiter: StoredLimiter) -> None:
    limiter.spend(TOKEN, "core")
    assert limiter.note(TOKEN, "core", left(4_999)) is None


def test_the_last_request_is_taken_once_by_many_threads(limiter: StoredLimiter) -> None:
    limiter.note(TOKEN, "core", left(1))
    start = threading.Barrier(8)

    def spend(_number: int) -> bool:
        start.wait()
        try:
            limiter.spend(TOKEN, "core")
        except Postponed:
            return False
        return True

    with ThreadPoolExecutor(8) as pool:
        assert sum(pool.map(spend, range(8))) == 1


def test_two_processes_draw_on_one_budget(database: Database, database_url: str, limiter: StoredLimiter) -> None:
    limiter.note(TOKEN, "core", left(25))
    both = [
        subprocess.Popen(
            [sys.executable, "-c", PROCESS, database_url], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        for _ in range(2)
    ]
    for process in both:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
    taken = [int(process.communicate("go\n", timeout=60)[0]) for process in both]
    assert [process.returncode for process in both] == [0, 0]
    assert sum(taken) == 25


def test_a_used_up_budget_opens_at_its_reset(limiter: StoredLimiter, clock: Clock) -> None:
    assert limiter.note(TOKEN, "core", left(0)) == RESET
    assert refused_until(limiter) == RESET
    limiter.spend(TOKEN, "graphql")
    clock.now = RESET - timedelta(seconds=1)
    assert refused_until(limiter) == RESET
    clock.now = RESET
    limiter.spend(TOKEN, "core")


def test_no_reset_and_no_wait_closes_a_budget_for_longer_than_a_day(limiter: StoredLimiter, clock: Clock) -> None:
    far, day = NOW + timedelta(days=3_650), NOW + timedelta(hours=24)
    for told in (
        Allowance(limit=5_000, remaining=0, reset_at=far),
        Allowance(limit=5_000, remaining=0, reset_at=far, wait_until=far),
        Allowance(wait_until=far),
    ):
        assert limiter.note(TOKEN, "core", told) == day
    assert refused_until(limiter) == day
    clock.now = day - timedelta(seconds=1)
    assert refused_until(limiter) == day
    clock.now = day
    limiter.spend(TOKEN, "core")


def test_what_is_kept_for_other_work_is_not_taken(limiter: StoredLimiter) -> None:
    limiter.note(TOKEN, "core", left(501))
    limiter.spend(TOKEN, "core", keep=500)
    assert refused_until(limiter, keep=500) == RESET
    limiter.spend(TOKEN, "core")


def test_of_a_small_budget_no_more_than_half_is_kept(limiter: StoredLimiter) -> None:
    limiter.note(TOKEN, "core", left(31, limit=60))
    limiter.spend(TOKEN, "core", keep=500)
    assert refused_until(limiter, keep=500) == RESET


def test_what_the_host_says_wins_over_the_own_count(limiter: StoredLimiter) -> None:
    limiter.note(TOKEN, "core", left(1))
    limiter.spend(TOKEN, "core")
    assert refused_until(limiter) == RESET
    limiter.note(TOKEN, "core", left(1))
    limiter.spend(TOKEN, "core")


def test_without_a_credential_sixty_requests_an_hour_are_assumed(limiter: StoredLimiter, clock: Clock) -> None:
    for _ in range(60):
        limiter.spend("anonymous", "core")
    assert refused_until(limiter, "anonymous") == NOW + timedelta(hours=1)
    clock.forward(hours=1)
    limiter.spend("anonymous", "core")


def test_no_more_than_so_many_requests_a_minute(limiter: StoredLimiter, clock: Clock, database: Database) -> None:
    limiter.spend(TOKEN, "core")
    clock.forward(seconds=30)
    for _ in range(A_MINUTE - 1):
        limiter.spend(TOKEN, "core")
    assert refused_until(limiter) == NOW + timedelta(minutes=1)
    clock.forward(seconds=30)
    limiter.spend(TOKEN, "core")


def test_a_named_wait_moves_forward_only(limiter: StoredLimiter, clock: Clock) -> None:
    later, sooner = NOW + timedelta(seconds=90), NOW + timedelta(seconds=30)
    assert limiter.note(TOKEN, "core", Allowance(wait_until=later)) == later
    assert limiter.note(TOKEN, "core", Allowance(wait_until=sooner)) == later
    assert limiter.note(TOKEN, "core", left(4_000)) == later
    assert refused_until(limiter) == later
    clock.now = later
    limiter.spend(TOKEN, "core")


def test_the_secondary_limit_is_one_for_every_resource(limiter: StoredLimiter, clock: Clock) -> None:
    limiter.note(TOKEN, "graphql", Allowance(remaining=4_000, wait_until=NOW + timedelta(seconds=30)))

    for resource in ("core", "graphql"):
        with pytest.raises(Postponed) as refusal:
            limiter.spend(TOKEN, resource)
        assert refusal.value.until == NOW + timedelta(seconds=30)
    limiter.spend("token:ba9876543210", "core")
    clock.forward(seconds=31)
    limiter.spend(TOKEN, "core")


def test_a_used_up_budget_is_that_of_one_resource(limiter: StoredLimiter) -> None:
    limiter.note(TOKEN, "graphql", Allowance(remaining=0, reset_at=RESET, wait_until=RESET))

    limiter.spend(TOKEN, "core")
    with pytest.raises(Postponed):
        limiter.spend(TOKEN, "graphql")


def test_each_refusal_in_a_row_that_names_no_time_doubles_the_wait(limiter: StoredLimiter, clock: Clock) -> None:
    waits = []
    for _ in range(4):
        until = limiter.note(TOKEN, "core", Allowance(backoff=True))
        assert until is not None
        waits.append((until - clock.now).total_seconds())
        clock.now = until
    assert waits == [60, 120, 240, 480]
    limiter.note(TOKEN, "core", left(4_000))
    assert limiter.note(TOKEN, "core", Allowance(backoff=True)) == clock.now + timedelta(seconds=60)


def test_refusals_side_by_side_double_nothing(limiter: StoredLimiter, clock: Clock) -> None:
    for _ in range(5):
        until = limiter.note(TOKEN, "core", Allowance(backoff=True))
    assert until == NOW + timedelta(seconds=60)
    limiter.note(TOKEN, "core", left(4_000))
    clock.now = until
    assert limiter.note(TOKEN, "core", Allowance(backoff=True)) == until + timedelta(seconds=120)


def test_nothing_is_spent_inside_an_open_transaction(limiter: StoredLimiter, database: Database) -> None:
    with database.transaction(), pytest.raises(RuntimeError, match="do not nest"):
        limiter.spend(TOKEN, "core")

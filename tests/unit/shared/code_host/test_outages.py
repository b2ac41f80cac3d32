"""How long a host that does not serve is left alone."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from shared.code_host.outages import CLOSED_AFTER, RECENT, Outages

NOW = datetime(2026, 5, 6, 12, 0, tzinfo=UTC)


def test_the_waits_grow_by_rounds_up_to_five_minutes() -> None:
    outages, now, waits = Outages(jitter=lambda: 1.0), NOW, []
    for _ in range(20):
        until, _ = outages.failed("core", "one", now)
        waits.append((until - now).total_seconds())
        now = until
    assert waits[:5] == [30, 60, 120, 240, 300]
    assert set(waits[5:]) == {300}


def test_failures_side_by_side_are_one_round() -> None:
    outages = Outages(jitter=lambda: 1.0)
    for second in range(20):
        until, _ = outages.failed("core", "one", NOW + timedelta(seconds=second))
    assert until == NOW + timedelta(seconds=49)
    assert outages.failed("core", "one", NOW + timedelta(seconds=30))[0] == NOW + timedelta(seconds=90)


def test_a_few_different_requests_in_a_row_close_the_door_and_an_answer_opens_it() -> None:
    outages = Outages()
    told = [outages.failed("core", f"request {place}", NOW)[1] for place in range(CLOSED_AFTER)]
    assert told == [False] * (CLOSED_AFTER - 1) + [True]
    assert outages.failed("graphql", "query", NOW)[1] is False
    outages.served("core")
    assert outages.failed("core", "request 0", NOW)[1] is False


def test_one_request_closes_nothing_however_often_it_fails() -> None:
    outages, now = Outages(), NOW
    for _ in range(50):
        until, closed = outages.failed("graphql", "heavy", now)
        assert not closed
        now = until


def test_a_host_that_cannot_be_connected_to_closes_for_one_request_too() -> None:
    outages = Outages()
    told = [outages.failed("core", "one", NOW, connected=False)[1] for _ in range(CLOSED_AFTER)]
    assert told == [False] * (CLOSED_AFTER - 1) + [True]


def test_failures_that_are_long_past_count_for_nothing() -> None:
    outages = Outages()
    for place in range(10):
        now = NOW + place * RECENT
        assert outages.failed("graphql", f"request {place}", now, connected=False)[1] is False


def test_no_wait_is_shorter_than_thirty_seconds_and_they_are_spread() -> None:
    waits = {Outages().failed("core", "one", NOW)[0] - NOW for _ in range(50)}
    assert min(waits) >= timedelta(seconds=30)
    assert len(waits) > 1

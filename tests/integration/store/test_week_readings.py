"""How the readings of a week stand: why a merge has none, and for how many a digest can wait."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from shared.domain.period import parse_week
from shared.store import analyses, readings, repositories, week_readings
from shared.store.model_states import StoredModelMemory
from shared.store.session import Database
from shared.store.week_readings import SOON, WeekReadings
from tests.builders import REPOSITORY, make_analysis
from tests.integration.store.model_rows import (
    MODEL,
    NOW,
    SERVER,
    Clock,
    claimed,
    end,
    ensure,
    limited,
    merge,
    meter_of,
    reading,
    refused,
)

WEEK = parse_week("2026-W19")
OTHER_SERVER = "https://other.example/v1"


def repository(database: Database) -> int:
    with database.reading() as session:
        row = repositories.find(session, REPOSITORY.full_name)
    assert row is not None
    return row


def stand(database: Database, week: str = "2026-W19") -> WeekReadings:
    period = parse_week(week)
    with database.reading() as session:
        return week_readings.of_period(session, repository(database), period.start, period.end)


def open_now(database: Database, now: datetime = NOW) -> int:
    with database.reading() as session:
        return week_readings.open_in(session, repository(database), WEEK.start, WEEK.end, now)


def postpone(database: Database, row: int, why: str, until: datetime) -> None:
    held = claimed(database, row)
    with database.transaction() as session:
        assert readings.postpone(session, held, why, until, NOW)


def break_down(database: Database, clock: Clock) -> None:
    memory = StoredModelMemory(database, clock, SERVER)
    for _ in range(5):
        memory.failed(MODEL, "connection refused")


def test_what_is_done_needs_no_reason_and_what_waits_or_ended_has_one(database: Database) -> None:
    end(database, reading(database, 101), "done", fingerprint="read")
    end(database, reading(database, 102, importance=9), "rules", why="unreadable")
    reading(database, 103)
    merge(database, 104)
    assert stand(database) == WeekReadings(standing={102: "gave-up", 103: "waiting"})
    assert stand(database, "2026-W18") == WeekReadings()


def test_the_newest_asking_counts(database: Database) -> None:
    end(database, reading(database, 101), "rules", why="unreadable")
    row = merge(database, 101)
    assert ensure(database, row, prompt="p2", asked_by="reanalyze", now=NOW + timedelta(hours=1)).made
    assert stand(database).standing == {101: "waiting"}


def test_while_the_model_does_not_serve_its_readings_wait_for_it(database: Database) -> None:
    reading(database, 101)
    reading(database, 102, model="another")
    break_down(database, Clock(NOW))
    assert stand(database) == WeekReadings(standing={101: "away", 102: "waiting"}, away_since=NOW)
    assert open_now(database) == 1
    StoredModelMemory(database, Clock(NOW), SERVER).served(MODEL)
    assert stand(database) == WeekReadings(standing={101: "waiting", 102: "waiting"})
    assert open_now(database) == 2


def test_whether_a_server_that_is_not_in_use_serves_is_of_no_matter(database: Database) -> None:
    reading(database, 101)
    break_down(database, Clock(NOW))
    row, period = repository(database), (WEEK.start, WEEK.end)
    with database.reading() as session:
        for server, standing, away_since, open_ones in ((SERVER, "away", NOW, 0), (OTHER_SERVER, "waiting", None, 1)):
            found = week_readings.of_period(session, row, *period, server)
            assert (found.standing, found.away_since) == ({101: standing}, away_since)
            assert week_readings.open_in(session, row, *period, NOW, server) == open_ones


def test_a_merge_whose_reading_is_in_force_waits_for_nothing_else_that_is_asked_about_it(database: Database) -> None:
    row = merge(database, 101)
    end(database, ensure(database, row).id or 0, "done", fingerprint="read")
    with database.transaction() as session:
        analyses.save(session, row, make_analysis(101, fingerprint="read", source="model", model="another"), NOW)
    assert ensure(database, row, asked_by="reanalyze", prompt="p2", now=NOW + timedelta(hours=1)).made
    assert (stand(database), open_now(database, NOW + timedelta(hours=1))) == (WeekReadings(), 0)
    break_down(database, Clock(NOW))
    assert stand(database) == WeekReadings()


def test_a_reading_that_a_budget_refused_waits_for_the_budget(database: Database) -> None:
    row = reading(database, 101)
    held = claimed(database, row)
    refusal = refused(meter_of(database, held, settings=limited(day_tokens=1)))
    with database.transaction() as session:
        assert readings.postpone(session, held, str(refusal), NOW + timedelta(minutes=1), NOW)
    assert stand(database).standing == {101: "budget"}
    assert open_now(database) == 0


@pytest.mark.parametrize(("wait", "open_ones"), [(SOON, 1), (SOON + timedelta(seconds=1), 0)])
def test_a_digest_can_wait_for_what_is_tried_again_soon(database: Database, wait: timedelta, open_ones: int) -> None:
    postpone(database, reading(database, 101), "4 calls are under way", NOW + wait)
    assert open_now(database) == open_ones


def test_a_digest_can_wait_for_what_is_being_read_and_not_for_what_is_ended(database: Database) -> None:
    claimed(database, reading(database, 101))
    end(database, reading(database, 102), "done", fingerprint="read")
    end(database, reading(database, 103), "rules", why="unreadable")
    assert open_now(database) == 1
    assert open_now(database, NOW + timedelta(weeks=1)) == 1

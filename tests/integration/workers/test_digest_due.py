"""Which digests are due: by the database alone, whatever ticks come or are missed, on both engines."""

from __future__ import annotations

import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest

from services.analyzer.pipeline import analyze_delivery
from services.digest.build import build
from services.digest.tasks import DigestRuntime, build_digest, build_due
from shared.domain.digest import Digest
from shared.domain.errors import InvalidInput
from shared.domain.period import parse_week, week_of
from shared.settings import DigestSettings, RepositorySettings, Settings
from shared.store import deliveries, digests, repositories
from shared.store.session import Database
from tests.integration.workers.inbox import NOW, Bell, Clock, make_runtime, put, work
from tests.integration.workers.weeks import SETTINGS, W19, document, due_weeks, merge, repository, runtime
from tests.merge_payloads import merge_payload


def test_nothing_is_due_for_a_repository_without_a_captured_merge_or_outside_the_list(database):
    work(make_runtime(database), merge_payload(101, action="edited"))
    assert due_weeks(database) == []

    merge(database, 102, "2026-05-06T12:00:00Z")
    elsewhere = Settings(repositories=(RepositorySettings(full_name="someone/else"),))
    assert due_weeks(database, settings=elsewhere) == []


def test_c52_missed_weeks_are_made_up_for_once_each_in_order(database):
    for number, day in ((101, "2026-04-15"), (102, "2026-04-22"), (103, "2026-05-06")):
        merge(database, number, f"{day}T12:00:00Z")
    build(database, SETTINGS, repository(database), parse_week("2026-W16"), NOW)

    assert due_weeks(database) == ["2026-W17", "2026-W18", "2026-W19"]
    assert build_due(runtime(database)) == 3
    assert build_due(runtime(database)) == 0
    with database.reading() as session:
        weeks = [week.week for week in digests.weeks(session, repository(database))]
    assert weeks == ["2026-W19", "2026-W18", "2026-W17", "2026-W16"]


def test_c52_a_service_that_was_off_for_a_year_makes_up_for_a_bounded_number(database):
    merge(database, 101, "2026-05-06T12:00:00Z")
    build_due(runtime(database))

    assert len(due_weeks(database, NOW + timedelta(weeks=52))) == 8


def test_what_a_backfill_took_in_is_history_and_makes_no_digests_of_old_weeks(database):
    for number, day in ((101, "2026-04-15"), (102, "2026-04-22")):
        work(make_runtime(database), merge_payload(number, merged_at=f"{day}T12:00:00Z"), source="backfill:1")
    assert due_weeks(database) == []

    merge(database, 103, "2026-05-06T12:00:00Z")
    assert due_weeks(database) == ["2026-W19"]
    build_due(runtime(database))
    work(make_runtime(database), merge_payload(104, merged_at="2026-04-29T12:00:00Z"), source="backfill:2")
    assert due_weeks(database) == []


def test_what_a_backfill_took_in_is_history_after_a_rename_too(database):
    work(make_runtime(database), merge_payload(101, merged_at="2026-05-06T12:00:00Z"), source="backfill:1")
    with database.transaction() as session:
        known = repositories.ref_of(session, repository(database))
        repositories.ensure(session, known.model_copy(update={"full_name": "other/name"}), NOW + timedelta(days=1))
    assert due_weeks(database) == []


@pytest.mark.parametrize("source", ["hook:1", "installation:9", "reconciler", "synthetic"])
def test_a_merge_that_arrives_in_another_way_too_is_news_whichever_came_first(database, source):
    payload = merge_payload(101, merged_at="2026-05-06T12:00:00Z")
    runtime_of_the_analyzer = make_runtime(database)
    work(runtime_of_the_analyzer, payload, source="backfill:1")
    assert due_weeks(database) == []
    work(runtime_of_the_analyzer, payload, source=source)
    assert due_weeks(database) == ["2026-W19"]
    work(runtime_of_the_analyzer, payload, source="backfill:2")
    assert due_weeks(database) == ["2026-W19"]


SUNDAY_LATE = {"Asia/Shanghai": "2026-05-10T15:30:00Z", "America/Los_Angeles": "2026-05-11T06:30:00Z"}
"""Sunday 23:30 local of 2026-W19."""


@pytest.fixture(params=["UTC", "Pacific/Apia", "America/New_York"])
def _host_zone(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The clock of the host runs in this zone."""
    with monkeypatch.context() as changed:
        changed.setenv("TZ", request.param)
        time.tzset()
        yield
    time.tzset()


@pytest.mark.usefixtures("_host_zone")
@pytest.mark.parametrize("zone", SUNDAY_LATE)
def test_c53_a_merge_late_on_sunday_belongs_to_the_week_of_the_digests_zone(database, zone):
    settings = Settings(digest=DigestSettings(timezone=zone))
    merge(database, 101, SUNDAY_LATE[zone])
    merged_at = datetime.fromisoformat(SUNDAY_LATE[zone])
    assert week_of(merged_at, zone).week == "2026-W19"

    build_due(runtime(database, settings))

    digest = Digest.model_validate_json(document(database, "2026-W19"))
    assert digest.merged_total == 1
    assert digest.period.timezone == zone


@pytest.mark.parametrize("week", ["2026-W13", "2026-W43"])
def test_c54_ticks_over_a_clock_change_make_exactly_one_digest(database, week):
    """Berlin changes its clocks on 2026-03-29 and 2026-10-25, both Sundays: the weeks have 167 and 169 hours."""
    settings = Settings(digest=DigestSettings(timezone="Europe/Berlin"))
    period = parse_week(week, "Europe/Berlin")
    merge(database, 101, (period.start + timedelta(days=1)).isoformat())
    built = []
    tick = period.end - timedelta(hours=4)
    while tick < period.end + timedelta(hours=4):
        built.append((tick, build_due(runtime(database, settings, tick))))
        tick += timedelta(minutes=90)

    made = [at for at, number in built if number]
    assert len(made) == 1
    assert period.end <= made[0] <= period.end + timedelta(minutes=90)


def test_c55_a_week_with_unanalysed_merges_waits_for_the_grace_then_lists_them_by_title(database):
    merge(database, 101, "2026-05-06T12:00:00Z")
    for number in range(201, 206):
        put(database, merge_payload(number, merged_at="2026-05-07T12:00:00Z"), now=W19.end)
    dead = put(database, merge_payload(301, merged_at="2026-05-08T12:00:00Z"), now=W19.end).id
    with database.transaction() as session:
        claim = deliveries.claim(session, dead, W19.end, timedelta(seconds=60))
        deliveries.bury(session, claim, "the source is gone", W19.end)
    in_grace = W19.end + timedelta(hours=5)

    assert due_weeks(database, in_grace) == []
    assert build_due(runtime(database, now=in_grace)) == 0
    assert build_due(runtime(database, now=W19.end + timedelta(hours=6))) == 1

    digest = Digest.model_validate_json(document(database, "2026-W19"))
    assert digest.merged_total == 7
    assert digest.ledger.failed == (201, 202, 203, 204, 205, 301)
    assert digest.provenance.degraded == ("failed-analyses",)
    assert digest.pull_request(203).title == "Keep queue 203 in order"


def test_c55_once_all_are_analysed_the_digest_waits_no_longer(database):
    merge(database, 101, "2026-05-06T12:00:00Z")
    late = put(database, merge_payload(201, merged_at="2026-05-07T12:00:00Z"), now=W19.end).id
    soon = W19.end + timedelta(minutes=5)
    assert due_weeks(database, soon) == []

    analyze_delivery(make_runtime(database, clock=Clock(soon)), late)

    assert due_weeks(database, soon) == ["2026-W19"]


def test_c55_a_delivery_of_the_next_week_does_not_hold_up_this_one(database):
    merge(database, 101, "2026-05-06T12:00:00Z")
    put(database, merge_payload(201, merged_at="2026-05-11T01:00:00Z"), now=W19.end)

    assert due_weeks(database, W19.end + timedelta(hours=1)) == ["2026-W19"]


def test_d07_no_digest_for_a_week_of_the_future(database, monkeypatch):
    """The host is a day ahead; the database's clock decides."""
    merge(database, 101, "2026-05-06T12:00:00Z")
    sunday = datetime(2026, 5, 10, 23, tzinfo=UTC)
    monkeypatch.setattr(Database, "now", lambda _self: sunday)
    tasks = DigestRuntime(SETTINGS, database, Bell(), database.now)

    assert build_due(tasks) == 0
    with pytest.raises(InvalidInput, match="not over"):
        build_digest(tasks, f"{repository(database)}:2026-W19")
    assert document(database, "2026-W19") is None


def test_d07_a_digest_sealed_too_early_is_not_made_again_once_the_clock_is_right(database):
    merge(database, 101, "2026-05-06T12:00:00Z")
    build_due(runtime(database, now=NOW + timedelta(weeks=1)))

    assert due_weeks(database) == []


def test_a_changed_zone_does_not_publish_the_same_week_twice(database):
    merge(database, 101, "2026-05-06T12:00:00Z")
    build_due(runtime(database))

    assert due_weeks(database, settings=Settings(digest=DigestSettings(timezone="Asia/Shanghai"))) == []

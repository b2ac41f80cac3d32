"""What a repository says of itself reaches its digests, and no week is told twice or falls between two zones."""

from __future__ import annotations

from datetime import timedelta

import pytest

from services.digest.build import compose
from services.digest.tasks import build_digest, build_due
from shared.domain.digest import Digest
from shared.domain.period import parse_week
from shared.domain.pull_request import PullRequest
from shared.settings import DigestSettings, GitHubSettings, Settings
from shared.settings.own_file import OWN_FILE
from shared.store import convention_files, digests
from shared.store.session import Database
from tests.builders import make_pull_request
from tests.integration.workers.inbox import NOW, Source, make_runtime, work
from tests.integration.workers.weeks import document, due_weeks, repository, runtime
from tests.merge_payloads import merge_payload

ALLOWED = Settings(github=GitHubSettings(own_files=True))
IN_W19 = "2026-05-06T12:00:00Z"


def told(database: Database, settings: Settings, week: str, zone: str = "UTC") -> Digest:
    period = parse_week(week, zone)
    return compose(database, settings, repository(database), period, NOW)


def put_own_file(database: Database, text: str) -> None:
    row = repository(database)
    with database.transaction() as session:
        convention_files.take_in(session, row, {OWN_FILE: text}, NOW, lambda _path, _text: None)


def merged(database: Database, number: int, merged_at: str, **pull: object) -> None:
    known: list[PullRequest] = [make_pull_request(number)]
    assert work(make_runtime(database, Source(known)), merge_payload(number, merged_at=merged_at, **pull)) == "done"


def test_branches_languages_and_numbers_of_the_file_reach_the_digest(database: Database) -> None:
    for number in range(101, 107):
        merged(database, number, IN_W19)
    merged(database, 107, IN_W19, base="stable/2")
    assert told(database, ALLOWED, "2026-W19").merged_total == 6

    put_own_file(database, 'branches = ["stable/*"]\nlanguages = ["zh-CN"]\nfeatured = 2\nkey_pull_requests = 1\n')
    digest = told(database, ALLOWED, "2026-W19")

    assert digest.merged_total == 7
    assert set(digest.sections) == {"zh-CN"}
    assert len(digest.key_pull_requests) <= 1
    assert sum(listed.state == "featured" for listed in digest.pull_requests) <= 2
    assert told(database, Settings(), "2026-W19").merged_total == 6


def test_the_zone_of_the_file_decides_what_is_due_and_built(database: Database) -> None:
    """Sunday 23:30 in Shanghai: of the week that ends there half an hour later."""
    merged(database, 101, "2026-05-10T15:30:00Z")
    merged(database, 102, "2026-05-10T16:30:00Z")
    put_own_file(database, 'timezone = "Asia/Shanghai"')
    monday_there = parse_week("2026-W19", "Asia/Shanghai").end + timedelta(minutes=1)

    assert due_weeks(database, monday_there, ALLOWED) == ["2026-W19"]
    assert due_weeks(database, monday_there, Settings()) == []
    build_digest(runtime(database, ALLOWED, monday_there), f"{repository(database)}:2026-W19")

    digest = Digest.model_validate_json(document(database, "2026-W19") or "")
    assert (digest.period.timezone, digest.merged_total) == ("Asia/Shanghai", 1)


@pytest.mark.parametrize(("before", "after"), [("UTC", "Asia/Shanghai"), ("Asia/Shanghai", "America/Los_Angeles")])
def test_a_zone_that_changes_in_midweek_publishes_no_week_twice(database: Database, before: str, after: str) -> None:
    settings = Settings(github=GitHubSettings(own_files=True), digest=DigestSettings(timezone=before))
    for number, day in ((101, "2026-04-29"), (102, "2026-05-06"), (103, "2026-05-13"), (104, "2026-05-20")):
        merged(database, number, f"{day}T12:00:00Z")
    built = 0
    tick = parse_week("2026-W18", before).end + timedelta(hours=1)
    while tick < parse_week("2026-W21", after).end + timedelta(days=2):
        if tick > parse_week("2026-W20", "UTC").start + timedelta(days=2):
            put_own_file(database, f'timezone = "{after}"')
        built += build_due(runtime(database, settings, tick))
        tick += timedelta(hours=3)

    with database.reading() as session:
        weeks = [week.week for week in digests.weeks(session, repository(database))]
    assert weeks == ["2026-W21", "2026-W20", "2026-W19", "2026-W18"]
    assert built == 4
    numbers = [
        listed.number
        for week in weeks
        for listed in Digest.model_validate_json(document(database, week) or "").pull_requests
    ]
    assert sorted(numbers) == [101, 102, 103, 104]


@pytest.mark.parametrize(
    ("before", "after"), [("UTC", "Asia/Shanghai"), ("Asia/Shanghai", "America/Los_Angeles"), ("UTC", "UTC")]
)
def test_no_merge_falls_between_the_weeks_of_two_zones_or_into_both(
    database: Database, before: str, after: str
) -> None:
    settings = Settings(github=GitHubSettings(own_files=True), digest=DigestSettings(timezone=before))
    hours = ("2026-05-06T12:00", "2026-05-10T15:59", "2026-05-10T20:00", "2026-05-11T03:00", "2026-05-13T12:00")
    for number, at in enumerate(hours, start=101):
        merged(database, number, f"{at}:00Z")
    build_due(runtime(database, settings, parse_week("2026-W19", before).end + timedelta(minutes=5)))
    put_own_file(database, f'timezone = "{after}"')
    build_due(runtime(database, settings, parse_week("2026-W20", after).end + timedelta(minutes=5)))

    digests_told = [Digest.model_validate_json(document(database, week) or "") for week in ("2026-W19", "2026-W20")]

    assert sorted(listed.number for digest in digests_told for listed in digest.pull_requests) == [
        101,
        102,
        103,
        104,
        105,
    ]
    assert digests_told[0].period.end == digests_told[1].period.start
    assert digests_told[1].period.timezone == after

"""What a repository says of itself reaches its analyses and its digests, and no broken file takes it away."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta

import pytest
import structlog

from services.analyzer import details
from services.analyzer.details import DetailSources
from services.analyzer.pipeline import AnalyzerRuntime
from services.digest.build import compose
from services.digest.tasks import build_digest, build_due
from shared.domain.digest import Digest
from shared.domain.errors import InvalidInput
from shared.domain.period import parse_week
from shared.domain.pull_request import PullRequest
from shared.settings import DigestSettings, GitHubSettings, RepositorySettings, Settings
from shared.settings.own_file import OWN_FILE
from shared.store import convention_files, digests
from shared.store.session import Database
from tests.builders import make_file, make_pull_request
from tests.integration.workers.inbox import NOW, Clock, Source, make_runtime, stored, work
from tests.integration.workers.weeks import document, due_weeks, repository, runtime
from tests.merge_payloads import FULL_NAME, merge_payload

ALLOWED = Settings(github=GitHubSettings(own_files=True))
LABELER = ".github/labeler.yml"
AREAS = '[areas]\nengine = ["lumen/queue/**"]\n'
IN_W19 = "2026-05-06T12:00:00Z"


class Repository(Source):
    """A detail source whose repository has convention files; None: they cannot be read."""

    def __init__(self, texts: dict[str, str] | None) -> None:
        files = (make_file("lumen/queue/order.py"),)
        super().__init__(make_pull_request(number, files=files) for number in range(101, 120))
        self.texts = texts

    def conventions(self) -> dict[str, str]:
        if self.texts is None:
            raise InvalidInput("The remote does not answer.")
        return self.texts


@pytest.fixture
def log() -> Iterator[list[structlog.typing.EventDict]]:
    with structlog.testing.capture_logs() as entries:
        yield entries


def analyzer(
    database: Database, source: Source, settings: Settings = ALLOWED, clock: Clock | None = None
) -> AnalyzerRuntime:
    """A worker that has just been started."""
    chosen = clock or Clock()
    sources = DetailSources(settings, lambda _repository: source, chosen, database=database)
    return replace(make_runtime(database, source, chosen, settings), sources=sources)


def areas(database: Database, worker: AnalyzerRuntime, number: int) -> tuple[str, ...]:
    """The areas of a merge that is delivered now."""
    assert work(worker, merge_payload(number, merged_at=IN_W19)) == "done"
    found = stored(database, number)
    assert found is not None
    assert found[2] is not None
    return found[2].areas


def minutes_later(monkeypatch: pytest.MonkeyPatch, clock: Clock, minutes: int) -> None:
    """Time passes for the worker: its conventions are read again."""
    clock.move(timedelta(minutes=minutes))
    monkeypatch.setattr(details.time, "monotonic", lambda: 1e9 + clock().timestamp())


def said(log: list[structlog.typing.EventDict], event: str) -> list[tuple[str, str]]:
    return [(entry["log_level"], entry.get("path", "")) for entry in log if entry["event"] == event]


def test_a_bad_own_file_is_told_once_and_the_last_good_one_stays_over_a_restart(
    database: Database, database_url: str, monkeypatch: pytest.MonkeyPatch, log: list[structlog.typing.EventDict]
) -> None:
    source, clock = Repository({OWN_FILE: AREAS}), Clock()
    worker = analyzer(database, source, clock=clock)
    assert areas(database, worker, 101) == ("engine",)

    source.texts = {OWN_FILE: f"api_url = 1\n{AREAS}"}
    for number in (102, 103):
        minutes_later(monkeypatch, clock, 11)
        assert areas(database, worker, number) == ("engine",)
    assert said(log, "convention_file.unusable") == [("warning", OWN_FILE)]

    database.dispose()
    reopened = Database(database_url)
    try:
        assert areas(reopened, analyzer(reopened, source, clock=clock), 104) == ("engine",)
        with reopened.reading() as session:
            fault = convention_files.faults(session)[0]
        assert (fault.repository, fault.path, fault.last_good) == (FULL_NAME, OWN_FILE, True)
        assert "must not set 'api_url'" in fault.error

        source.texts = {}
        minutes_later(monkeypatch, clock, 11)
        assert areas(reopened, analyzer(reopened, source, clock=clock), 105) == ("queue",)
    finally:
        reopened.dispose()


def test_a_broken_labeler_keeps_the_last_good_one(
    database: Database, monkeypatch: pytest.MonkeyPatch, log: list[structlog.typing.EventDict]
) -> None:
    source, clock = Repository({LABELER: "motor: [lumen/queue/**]"}), Clock()
    worker = analyzer(database, source, clock=clock)
    assert areas(database, worker, 101) == ("motor",)

    source.texts = {LABELER: "motor: [lumen/queue/**"}
    minutes_later(monkeypatch, clock, 11)

    assert areas(database, worker, 102) == ("motor",)
    assert said(log, "convention_file.unusable") == [("warning", LABELER)]


def test_files_that_cannot_be_read_are_not_deleted_files(database: Database) -> None:
    assert areas(database, analyzer(database, Repository({OWN_FILE: AREAS})), 101) == ("engine",)

    assert areas(database, analyzer(database, Repository(None)), 102) == ("engine",)


def test_a_file_that_the_operator_does_not_allow_is_ignored_and_said_to_nobody(
    database: Database, log: list[structlog.typing.EventDict]
) -> None:
    source = Repository({OWN_FILE: f"nonsense = 1\n{AREAS}", LABELER: "motor: [lumen/queue/**]"})
    forbidden = Settings(
        github=GitHubSettings(own_files=True), repositories=(RepositorySettings(full_name=FULL_NAME, own_file=False),)
    )

    assert areas(database, analyzer(database, source, forbidden), 101) == ("motor",)

    with database.reading() as session:
        assert convention_files.faults(session) == []
    assert said(log, "convention_file.unusable") == []
    assert [entry["log_level"] for entry in log if entry["event"] == "own_file.not_allowed"] == ["debug"]


def test_an_edit_that_changes_nothing_in_force_makes_no_new_analysis_necessary(database: Database) -> None:
    def fingerprint(text: str, number: int = 101) -> str:
        areas(database, analyzer(database, Repository({OWN_FILE: text})), number)
        found = stored(database, number)
        assert found is not None
        assert found[2] is not None
        return found[2].fingerprint

    first = fingerprint(AREAS)

    assert fingerprint(f"# a comment\n{AREAS}") == first
    assert fingerprint('[areas]\nmotor = ["lumen/**"]\n') != first


def test_marks_that_the_file_switches_off_are_not_set(database: Database) -> None:
    def risks(text: str, number: int) -> set[str]:
        areas(database, analyzer(database, Repository({OWN_FILE: text})), number)
        found = stored(database, number)
        assert found is not None
        assert found[2] is not None
        return {tag.value for tag in found[2].tags if tag.namespace == "risk"}

    core = 'core_paths = ["lumen/queue/**"]\n'
    assert "core-path" in risks(core, 101)
    assert "core-path" not in risks(f"{core}[risks]\ncore-path = false\n", 102)


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

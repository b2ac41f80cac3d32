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
from shared.domain.errors import InvalidInput
from shared.settings import GitHubSettings, RepositorySettings, Settings
from shared.settings.own_file import OWN_FILE
from shared.sources.convention_texts import ConventionTexts
from shared.store import convention_files
from shared.store.session import Database
from tests.builders import make_file, make_pull_request
from tests.integration.workers.inbox import Clock, Source, make_runtime, stored, work
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


def test_a_file_that_is_there_and_unreadable_keeps_the_last_good_one_until_it_is_gone(
    database: Database, monkeypatch: pytest.MonkeyPatch, log: list[structlog.typing.EventDict]
) -> None:
    source, clock = Repository({LABELER: "motor: [lumen/queue/**]"}), Clock()
    worker = analyzer(database, source, clock=clock)
    assert areas(database, worker, 101) == ("motor",)

    source.texts = ConventionTexts(unreadable=[(LABELER, "it is binary")])
    for number in (102, 103):
        minutes_later(monkeypatch, clock, 11)
        assert areas(database, worker, number) == ("motor",)
    assert said(log, "convention_file.unusable") == [("warning", LABELER)]
    with database.reading() as session:
        [fault] = convention_files.faults(session)
    assert (fault.path, fault.error, fault.last_good) == (LABELER, f"{LABELER} cannot be used: it is binary.", True)

    source.texts = ConventionTexts()
    minutes_later(monkeypatch, clock, 11)
    assert areas(database, worker, 104) == ("queue",)
    with database.reading() as session:
        assert convention_files.faults(session) == []


def test_an_unreadable_own_file_that_is_not_allowed_is_no_fault(database: Database) -> None:
    unread = ConventionTexts(unreadable=[(OWN_FILE, "it is binary")])

    assert areas(database, analyzer(database, Repository(unread), Settings()), 101) == ("queue",)
    with database.reading() as session:
        assert convention_files.faults(session) == []


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

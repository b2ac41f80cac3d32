"""Deliveries of a repository whose clone is kept: fetched first, waiting while the remote is away, on both engines."""

from __future__ import annotations

import os
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from services.analyzer.kept_history import kept_history
from services.analyzer.pipeline import AnalyzerRuntime, analyze_delivery
from services.reconciler.tasks import ReconcilerRuntime, upkeep
from shared.domain.pull_request import DetailSource
from shared.settings import RepositorySettings, Settings
from shared.sources.git_history import commands
from shared.store.session import Database
from tests.git_repository import GitRepository
from tests.integration.clones.remotes import calls, recording_git
from tests.integration.workers.inbox import Clock, make_runtime, put, row, stored
from tests.merge_payloads import FULL_NAME, merge_payload

MERGED_AT = datetime.fromisoformat("2026-05-06T12:00:00Z")


class House:
    """The analyzer and the reconciler beside one remote; the clock begins ten seconds after the first merge."""

    def __init__(self, database: Database, folder: Path, *, keep: bool = True) -> None:
        self.database = database
        self.host = GitRepository(folder / "host" / "lumen")
        self.clock = Clock(MERGED_AT + timedelta(seconds=10))
        repository = RepositorySettings(
            full_name=FULL_NAME, keep_clone=keep, clone_url=f"file://{self.host.path}" if keep else None
        )
        self.settings = Settings(data_folder=folder / "data", repositories=(repository,))
        source = kept_history(self.settings, repository, self.clock) if keep else None
        self.analyzer: AnalyzerRuntime = make_runtime(database, source, self.clock, self.settings)
        self.reconciler = ReconcilerRuntime(self.settings, self.clock)

    def merge(self, number: int, at: datetime = MERGED_AT) -> int:
        """Merge a pull request on the host and put its delivery into the inbox; the id of the row."""
        content = "".join(f"line {line} of {number}\n" for line in range(40))
        commit = self.host.commit(f"Change {number} (#{number})", {f"lumen/part_{number}.py": content}, at=at)
        payload = merge_payload(number, merge_commit_sha=commit, merged_at=at.isoformat())
        return put(self.database, payload, now=self.clock()).id

    def away(self, gone: bool) -> None:
        """Take the remote away, or bring it back."""
        here, elsewhere = self.host.path, self.host.path.with_name("elsewhere")
        (here if gone else elsewhere).rename(elsewhere if gone else here)

    def work(self, delivery: int) -> str:
        return analyze_delivery(self.analyzer, delivery)


@pytest.fixture
def house(database: Database, tmp_path: Path) -> House:
    return House(database, tmp_path)


def test_a_merge_that_the_clone_lacks_is_fetched_and_read_whole(house, database):
    upkeep(house.reconciler)
    house.clock.move(timedelta(minutes=5))
    assert house.work(house.merge(101, house.clock())) == "done"

    pull_request, _, analysis = stored(database)
    assert [file.filename for file in pull_request.files] == ["lumen/part_101.py"]
    assert pull_request.detail_source is DetailSource.CLONE
    assert (analysis.coverage.files_whole, analysis.coverage.files_read) == (1, 1)


def test_a_burst_of_merges_makes_one_fetch(house, database, tmp_path, monkeypatch):
    upkeep(house.reconciler)
    house.clock.move(timedelta(minutes=5))
    burst = [house.merge(number, house.clock()) for number in range(101, 121)]
    folder = recording_git(tmp_path / "bin")
    monkeypatch.setenv("PATH", str(folder), prepend=os.pathsep)
    commands.git.cache_clear()

    assert {house.work(delivery) for delivery in burst} == {"done"}
    assert len([call for call in calls(folder) if " fetch " in call]) == 1


def test_merges_right_after_a_fetch_wait_out_the_minute_and_count_no_try(house, database):
    upkeep(house.reconciler)
    delivery = house.merge(101, house.clock())
    house.clock.move(timedelta(seconds=20))

    assert house.work(delivery) == "postponed"
    assert "asked just now" in row(database, delivery).last_error
    assert row(database, delivery).tries == 0
    house.clock.move(timedelta(seconds=40))
    assert house.work(delivery) == "done"
    assert stored(database)[2].coverage.source is DetailSource.CLONE


def test_a_remote_that_is_away_postpones_without_a_try_and_its_merges_are_read_when_it_is_back(house, database):
    upkeep(house.reconciler)
    house.clock.move(timedelta(minutes=5))
    delivery = house.merge(101, house.clock())
    house.away(True)
    for _ in range(8):
        assert house.work(delivery) == "postponed"
        house.clock.move(timedelta(minutes=5))
    assert row(database, delivery).tries == 0
    assert "Its clone is 40 min old." in row(database, delivery).last_error

    house.away(False)
    assert house.work(delivery) == "done"
    assert stored(database)[2].coverage.files_whole == 1
    assert row(database, delivery).note is None


def test_after_an_hour_it_is_analysed_from_what_is_known_and_says_so(house, database):
    upkeep(house.reconciler)
    house.clock.move(timedelta(minutes=5))
    delivery = house.merge(101, house.clock())
    house.away(True)
    assert house.work(delivery) == "postponed"
    house.clock.move(timedelta(hours=1))

    assert house.work(delivery) == "done"

    coverage = stored(database)[2].coverage
    assert (coverage.source, coverage.files_whole) == (DetailSource.PAYLOAD, 0)
    note = row(database, delivery).note
    assert "does not have this merge" in note
    assert "cannot be fetched" in note
    assert "65 min old" in note


def test_an_old_merge_of_a_backlog_waits_for_the_hour_of_the_outage_as_well(house, database):
    upkeep(house.reconciler)
    delivery = house.merge(101)
    house.clock.move(timedelta(days=2))
    house.away(True)
    for _ in range(3):
        assert house.work(delivery) == "postponed"
        house.clock.move(timedelta(minutes=15))
    house.away(False)
    assert house.work(delivery) == "done"
    assert stored(database)[2].coverage.source is DetailSource.CLONE


def test_before_there_is_a_clone_merges_wait_for_the_reconciler(house, database):
    delivery = house.merge(101)
    assert house.work(delivery) == "postponed"
    assert "has no clone yet" in row(database, delivery).last_error

    assert upkeep(house.reconciler) == 1
    house.clock.move(timedelta(minutes=1))
    assert house.work(delivery) == "done"
    assert stored(database)[2].coverage.source is DetailSource.CLONE


def test_a_merge_that_vanished_from_the_remote_is_not_waited_for(house, database):
    upkeep(house.reconciler)
    delivery = put(database, merge_payload(101, merge_commit_sha="c" * 40), now=house.clock()).id
    assert house.work(delivery) == "postponed"
    house.clock.move(timedelta(minutes=1))
    assert house.work(delivery) == "postponed"
    assert "does not show this merge yet" in row(database, delivery).last_error
    house.clock.move(timedelta(minutes=2))
    assert house.work(delivery) == "done"
    assert row(database, delivery).note == "The detail source does not have this merge."


def test_a_clone_that_cannot_be_read_is_mended_while_the_delivery_waits(house, database):
    house.merge(100, MERGED_AT - timedelta(minutes=30))
    upkeep(house.reconciler)
    house.clock.move(timedelta(minutes=5))
    delivery = house.merge(101, house.clock())
    [folder] = house.settings.clones_folder.glob("*.git")
    (folder / "config").write_text("[core\n")
    assert house.work(delivery) == "postponed"
    assert row(database, delivery).tries == 0

    house.clock.move(timedelta(minutes=1))
    assert upkeep(house.reconciler) == 1
    house.clock.move(timedelta(minutes=1))
    assert house.work(delivery) == "done"
    assert stored(database)[2].coverage.files_whole == 1


def test_without_a_kept_clone_git_is_not_called(database, tmp_path, monkeypatch):
    folder = recording_git(tmp_path / "bin")
    house = House(database, tmp_path / "house", keep=False)
    delivery = house.merge(101)
    monkeypatch.setenv("PATH", str(folder), prepend=os.pathsep)
    commands.git.cache_clear()

    assert house.work(delivery) == "done"
    assert upkeep(house.reconciler) == 0
    assert calls(folder) == []
    assert not house.settings.data_folder.exists()
    commands.git.cache_clear()

"""Convention files in the store: the last good one stays in force, over restarts, on both engines."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import select

from shared.domain.pull_request import RepositoryRef
from shared.settings import GitHubSettings, Settings
from shared.settings.own_file import OWN_FILE
from shared.store import convention_files, repositories
from shared.store.session import Database
from shared.store.tables import ConventionFileRow

NOW = datetime(2026, 5, 12, 6, 0, tzinfo=UTC)
LABELER = ".github/labeler.yml"
FULL_NAME = "lumen/lumen"


@pytest.fixture
def repository(database: Database) -> int:
    with database.transaction() as session:
        return repositories.ensure(session, RepositoryRef(full_name=FULL_NAME, id=5_000_000_001), NOW)


@pytest.fixture
def restarted(database: Database, database_url: str) -> Iterator[Database]:
    """The same database, opened anew."""
    database.dispose()
    opened = Database(database_url)
    yield opened
    opened.dispose()


def check(path: str, text: str) -> str | None:
    """A text with ``bad`` in it cannot be used."""
    return f"{path} is bad: {len(text)} signs." if "bad" in text else None


def take_in(database: Database, repository: int, texts: Mapping[str, str], now: datetime = NOW) -> dict[str, str]:
    with database.transaction() as session:
        return convention_files.take_in(session, repository, texts, now, check)


def good(database: Database, repository: int) -> dict[str, str]:
    with database.reading() as session:
        return convention_files.good_texts(session, repository)


def faults(database: Database) -> list[convention_files.ConventionFault]:
    with database.reading() as session:
        return convention_files.faults(session)


def test_good_files_are_in_force_and_a_deleted_one_is_not(database: Database, repository: int) -> None:
    assert take_in(database, repository, {LABELER: "one", OWN_FILE: "two"}) == {}
    assert good(database, repository) == {LABELER: "one", OWN_FILE: "two"}

    take_in(database, repository, {LABELER: "three"}, NOW + timedelta(minutes=10))

    assert good(database, repository) == {LABELER: "three"}


def test_a_bad_file_leaves_the_last_good_one_in_force_over_a_restart(
    database: Database, repository: int, restarted: Database
) -> None:
    take_in(database, repository, {OWN_FILE: "good"})
    later = NOW + timedelta(minutes=10)
    assert take_in(database, repository, {OWN_FILE: "bad"}, later) == {OWN_FILE: f"{OWN_FILE} is bad: 3 signs."}

    assert good(restarted, repository) == {OWN_FILE: "good"}
    assert faults(restarted) == [
        convention_files.ConventionFault(FULL_NAME, OWN_FILE, f"{OWN_FILE} is bad: 3 signs.", later, last_good=True)
    ]


def test_a_fault_is_news_once_for_each_change(database: Database, repository: int) -> None:
    minutes = iter(range(10, 100, 10))

    def news(text: str) -> dict[str, str]:
        return take_in(database, repository, {LABELER: text}, NOW + timedelta(minutes=next(minutes)))

    assert list(news("bad")) == [LABELER]
    assert news("bad") == {}
    assert list(news("still bad")) == [LABELER]
    assert news("good") == {}
    assert faults(database) == []
    assert list(news("bad")) == [LABELER]
    assert good(database, repository) == {LABELER: "good"}


def test_a_file_that_was_never_good_is_not_in_force(database: Database, repository: int) -> None:
    take_in(database, repository, {LABELER: "bad"})

    assert good(database, repository) == {}
    assert [fault.last_good for fault in faults(database)] == [False]

    take_in(database, repository, {}, NOW + timedelta(minutes=10))
    assert faults(database) == []


def test_deleting_a_bad_file_ends_what_the_last_good_one_said(database: Database, repository: int) -> None:
    take_in(database, repository, {OWN_FILE: "good"})
    take_in(database, repository, {OWN_FILE: "bad"}, NOW + timedelta(minutes=10))
    take_in(database, repository, {}, NOW + timedelta(minutes=20))

    assert good(database, repository) == {}
    assert faults(database) == []


def test_what_is_known_is_not_written_again(database: Database, repository: int) -> None:
    def row() -> ConventionFileRow:
        with database.reading() as session:
            return session.scalars(select(ConventionFileRow)).one()

    take_in(database, repository, {LABELER: "bad"})
    before = row().model_dump()
    take_in(database, repository, {LABELER: "bad"}, NOW + timedelta(hours=1))
    assert row().model_dump() == before

    take_in(database, repository, {LABELER: "good"}, NOW + timedelta(hours=2))
    assert row().changed_at == NOW + timedelta(hours=2)


def test_what_was_read_earlier_than_what_is_kept_changes_nothing(database: Database, repository: int) -> None:
    take_in(database, repository, {LABELER: "new"}, NOW)
    take_in(database, repository, {LABELER: "old"}, NOW - timedelta(minutes=1))
    take_in(database, repository, {}, NOW - timedelta(minutes=1))

    assert good(database, repository) == {LABELER: "new"}


def test_hostile_text_is_kept_storable_and_a_large_bad_one_cut(database: Database, repository: int) -> None:
    take_in(database, repository, {LABELER: "a\x00\ud800", OWN_FILE: "bad" + "x" * 200_000})

    assert good(database, repository) == {LABELER: "a\ufffd\ufffd"}
    with database.reading() as session:
        kept = {row.path: row.text for row in session.scalars(select(ConventionFileRow))}
    assert len(kept[OWN_FILE]) < 70_000
    assert list(take_in(database, repository, {OWN_FILE: "bad" + "x" * 200_000}, NOW + timedelta(hours=1))) == []
    assert list(take_in(database, repository, {OWN_FILE: "bad" + "x" * 199_999 + "y"}, NOW + timedelta(hours=2)))


def test_the_settings_in_force_are_those_of_the_good_file(database: Database, repository: int) -> None:
    settings = Settings(github=GitHubSettings(own_files=True))
    take_in(database, repository, {OWN_FILE: 'timezone = "Asia/Shanghai"'})
    take_in(database, repository, {OWN_FILE: "bad"}, NOW + timedelta(minutes=10))

    with database.reading() as session:
        found = convention_files.settings_in_force(session, settings, repository, FULL_NAME)
        forbidden = convention_files.settings_in_force(session, Settings(), repository, FULL_NAME)

    assert (found.timezone, forbidden.timezone) == ("Asia/Shanghai", None)

"""What receiver and reconciler have noticed is told by ``mergecast doctor``."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from services.cli.surroundings import opened_database
from shared.domain.pull_request import RepositoryRef
from shared.settings import Settings
from shared.store import convention_files, events, installations, reconciliations, repositories
from shared.store.session import Database
from tests.integration.cli.doctor.conftest import NAME, TOKEN, Doctor, with_token
from tests.servers.github import GitHubServer


@pytest.fixture
def database(environment: dict[str, str]) -> Iterator[Database]:
    """The database that doctor finds in its data folder."""
    opened = opened_database(Settings(data_folder=Path(environment["XDG_DATA_HOME"]) / "mergecast"))
    yield opened
    opened.dispose()


def test_what_the_receiver_noticed_is_told(doctor: Doctor, github: GitHubServer, database: Database) -> None:
    now = datetime.now(UTC)
    with database.transaction() as session:
        seen = {"hook_id": 7, "zen": "", "content_type": "json", "repository": NAME}
        problem = "The hook does not send pull_request events: tick «Pull requests» in its settings."
        events.remember_ping(session, now, events=["push"], problems=[problem], **seen)
        events.count_event(session, "ping", None, "unsupported-content-type", now)
        installations.note(session, 9, "lumen-labs", "suspended", now - timedelta(hours=3))
        row = repositories.ensure(session, RepositoryRef(full_name=NAME, id=5_000_000_001), now)
        convention_files.take_in(session, row, {"CODEOWNERS": "?"}, now, lambda _path, _text: "Line 1 names no owner.")

    answer = doctor(**with_token(github))

    assert f"hook 7 of {NAME}, 0 s ago: {problem}" in answer.stdout
    assert "Redeliver the ping" in answer.stdout
    assert "1 × ping (unsupported-content-type)" in answer.stdout
    assert "set the content type to application/json" in answer.stdout
    assert "lumen-labs: suspended 3 h ago" in answer.stdout
    assert "CODEOWNERS: Line 1 names no owner. (it is not used, since 0 s)" in answer.stdout


def test_how_long_ago_it_was_compared_is_told(doctor: Doctor, github: GitHubServer, database: Database) -> None:
    now = datetime.now(UTC)
    with database.transaction() as session:
        row = repositories.ensure(session, RepositoryRef(full_name=NAME), now)
        reconciliations.ensure(session, row, now)
    fresh = doctor(**with_token(github))
    compared(database, row, now - timedelta(hours=9))
    late = doctor(token=TOKEN)
    with database.transaction() as session:
        claim = reconciliations.claim(session, row, now, timedelta(minutes=1))
        assert claim is not None
        reconciliations.blind(session, claim, "The installation is suspended.", now, now)
    blind = doctor(token=TOKEN)

    assert f"comparison of {NAME}" in fresh.stdout
    assert "not compared yet" in fresh.stdout
    assert "compared with GitHub 9 h ago" in late.stdout
    assert "See that the reconciler runs" in late.stdout
    assert "The installation is suspended." in blind.stdout
    assert [fresh.returncode, late.returncode, blind.returncode] == [0, 0, 0]


def compared(database: Database, row: int, at: datetime) -> None:
    """A whole comparison that ended at a moment."""
    with database.transaction() as session:
        claim = reconciliations.claim(session, row, datetime.now(UTC), timedelta(minutes=1))
        assert claim is not None
        moments = {"covered_since": at, "watermark": at, "again_at": at}
        assert reconciliations.finish(session, claim, at, progress="", **moments)

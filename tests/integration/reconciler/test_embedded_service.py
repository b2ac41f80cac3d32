"""The reconciler inside the one-process service: what the webhook never delivered is analysed all the same."""

from __future__ import annotations

import time
from datetime import timedelta
from pathlib import Path

import pytest

from services.cli.embedded import EmbeddedService
from shared.settings import GitHubSettings, RepositorySettings, Settings, WorkerSettings
from shared.store import pull_requests, reconciliations, repositories
from shared.store.session import Database
from tests.integration.reconciler.house import FULL_NAME, HOST
from tests.servers.github import GitHubServer


@pytest.mark.timeout(180)
def test_a_merge_from_before_the_start_is_captured_and_analysed(github: GitHubServer, tmp_path: Path) -> None:
    token = github.world.token("reader")
    merged = github.world.add_repository(FULL_NAME).open_pull("Keep the order")
    merged.merge()
    settings = Settings(
        data_folder=tmp_path / "data",
        worker=WorkerSettings(sweep_every=timedelta(seconds=1)),
        github=GitHubSettings.model_validate({"host": HOST, "api_url": github.api_url, "token": token.value}),
        repositories=(RepositorySettings(full_name=FULL_NAME, host=HOST),),
    )
    service = EmbeddedService(settings, port=0)
    service.start()
    database = Database(service.settings.database_url)
    try:
        deadline = time.monotonic() + 120
        while not _read_from_host(database, merged.number):
            assert time.monotonic() < deadline, "it did not come in time"
            time.sleep(0.1)
        with database.reading() as session:
            (state,) = reconciliations.listing(session)
        assert (state.status, state.blind_since, state.last_error) == ("waiting", None, None)
        assert github.writes == []
    finally:
        service.stop()
        database.dispose()


def _read_from_host(database: Database, number: int) -> bool:
    with database.reading() as session:
        row = repositories.find(session, FULL_NAME, HOST)
        stored = None if row is None else pull_requests.get(session, row, number)
    return stored is not None and stored.captured and stored.pull_request.files is not None

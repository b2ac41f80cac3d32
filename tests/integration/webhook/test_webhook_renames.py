"""Events of renames that are told late or in disorder, signed, against the real receiver (C-25)."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

import pytest
from starlette.testclient import TestClient

from shared.domain.pull_request import RepositoryRef
from shared.store import backlog, repositories
from shared.store.session import Database
from tests.integration.webhook.posting import (
    RENAMED,
    REPOSITORY,
    client,
    merged,
    post,
    renamed,
    samples,
)


@pytest.fixture
def http(database: Database) -> Iterator[TestClient]:
    with client(database) as opened:
        yield opened


def test_c25_a_rename_that_is_told_late_overrules_nothing_newer(http: TestClient, database: Database) -> None:
    host_id = samples()["repository"]["repository"]["id"]
    with database.transaction() as session:
        row = repositories.ensure(
            session, RepositoryRef(full_name="Codertocat/Old", id=host_id), datetime(2026, 5, 1, tzinfo=UTC)
        )
    middle = renamed("Codertocat/Middle", former="Old")
    post(http, renamed("Codertocat/New", former="Middle", updated_at="2026-05-07T13:00:00Z"), "repository", guid="g-2")
    with database.transaction() as session:
        taken = RepositoryRef(full_name="Codertocat/Middle", id=host_id + 1)
        heir = repositories.ensure(session, taken, datetime(2026, 5, 7, 14, tzinfo=UTC))

    post(http, middle, "repository", guid="g-1")

    with database.reading() as session:
        names = {found: ref.full_name for found, ref in repositories.all_repositories(session)}
    assert names == {row: "Codertocat/New", heir: "Codertocat/Middle"}


def test_c25_what_waits_under_the_first_name_goes_to_the_last_though_the_renames_are_told_in_disorder(
    http: TestClient, database: Database
) -> None:
    host_id = samples()["repository"]["repository"]["id"]
    with database.transaction() as session:
        known = RepositoryRef(full_name=REPOSITORY, id=host_id)
        repositories.ensure(session, known, datetime(2026, 5, 1, tzinfo=UTC))
    middle = "Codertocat/Middle"
    post(http, renamed(former="Middle", updated_at="2026-05-07T13:00:00Z"), "repository", guid="g-2")
    waiting: int = post(http, merged(1), guid="merge").json()["delivery"]

    post(http, renamed(middle), "repository", guid="g-1")

    with database.reading() as session:
        assert [one.id for one in backlog.unfinished_merges(session, RENAMED)] == [waiting]
        assert list(backlog.unfinished_merges(session, middle)) == []

"""Events of the App's installations and of renamed repositories, signed, against the real receiver (C-13, C-25)."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from starlette.testclient import TestClient

from shared.broker.task_names import TaskName
from shared.domain.pull_request import RepositoryRef
from shared.store import backlog, deliveries, installations, repositories
from shared.store.session import Database
from tests.integration.webhook.posting import (
    RENAMED,
    REPOSITORY,
    SECRET,
    Bell,
    client,
    counted,
    merged,
    post,
    renamed,
    samples,
    settings,
)

ID = 957387
NOON = 1_778_155_200
"""2026-05-07 12:00 UTC, in the seconds that these events tell times in."""
SOURCE = f"installation:{ID}"
NAME = {"full_name": REPOSITORY}


def installation(action: str, at: int | str = NOON, **top: Any) -> dict[str, Any]:
    """The genuine payload as another event of installation ID, told at ``at``."""
    payload = copy.deepcopy(samples()["installation"])
    payload.pop("repositories")
    payload["installation"] |= {"id": ID, "updated_at": at, "suspended_at": None}
    if action == "suspend":
        payload["installation"]["suspended_at"] = at
    return payload | {"action": action} | top


def park(database: Database, *rows: int) -> None:
    now = datetime.now(UTC)
    with database.transaction() as session:
        for row in rows:
            claim = deliveries.claim(session, row, now, timedelta(seconds=60))
            assert claim is not None
            assert deliveries.park(session, claim, "no access", now)


def statuses(database: Database) -> dict[int, str]:
    with database.reading() as session:
        return {row.id: row.status for row in deliveries.listing(session)}


def blind(database: Database) -> list[tuple[str, str]]:
    with database.reading() as session:
        return [(one.account, one.state) for one in installations.blind(session)]


@pytest.fixture
def bell() -> Bell:
    return Bell()


@pytest.fixture
def http(database: Database, bell: Bell) -> Iterator[TestClient]:
    with client(database, bell=bell) as opened:
        yield opened


def delivered(http: TestClient, number: int, *, through: int | None = ID, full_name: str = REPOSITORY) -> int:
    payload = merged(number)
    payload["repository"] |= {"full_name": full_name}
    if through is not None:
        payload["installation"] = {"id": through}
    row: int = post(http, payload, guid=f"{full_name}#{number}").json()["delivery"]
    return row


def test_c13_a_suspended_installation_is_remembered_and_named_blind(
    http: TestClient, database: Database, bell: Bell
) -> None:
    answer = post(http, installation("suspend"), "installation")

    assert (answer.status_code, answer.json()) == (200, {"outcome": "processed", "resumed": 0})
    assert blind(database) == [("octocat", "suspended")]
    with database.reading() as session:
        told = installations.blocked(session, SOURCE)
    assert told is not None
    assert told.since == datetime.fromtimestamp(NOON, UTC)
    assert (statuses(database), bell.rung) == ({}, [])
    assert counted(database) == {("installation", "processed"): 1}


@pytest.mark.parametrize("action", ["unsuspend", "created", "new_permissions_accepted"])
def test_c13_what_gives_access_back_frees_the_rows_of_the_installation_and_rings(
    action: str, http: TestClient, database: Database, bell: Bell
) -> None:
    own, other = delivered(http, 1), delivered(http, 2, through=None, full_name="somebody/else")
    park(database, own, other)
    bell.rung.clear()
    post(http, installation("suspend"), "installation", guid="s")
    assert statuses(database) == {own: "parked", other: "parked"}

    answer = post(http, installation(action, NOON + 60), "installation", guid="u")

    assert (answer.status_code, answer.json()) == (200, {"outcome": "processed", "resumed": 1})
    assert statuses(database) == {own: "new", other: "parked"}
    assert bell.rung == [(TaskName.ANALYZE_DELIVERY, own)]
    assert blind(database) == []


def test_c13_the_repositories_that_the_event_names_are_freed_whoever_sent_their_deliveries(
    http: TestClient, database: Database, bell: Bell
) -> None:
    named, other = delivered(http, 1, through=None), delivered(http, 2, through=None, full_name="somebody/else")
    park(database, named, other)
    bell.rung.clear()
    added = copy.deepcopy(samples()["installation_repositories"])
    added |= {"action": "added", "repositories_added": [{"full_name": REPOSITORY.upper()}], "repositories_removed": []}

    assert post(http, added, "installation_repositories").json() == {"outcome": "processed", "resumed": 1}
    assert statuses(database) == {named: "new", other: "parked"}
    assert bell.rung == [(TaskName.ANALYZE_DELIVERY, named)]


def test_c13_an_event_that_names_no_repository_frees_those_of_its_account(http: TestClient, database: Database) -> None:
    own = delivered(http, 1, through=None, full_name="Octocat/engine")
    others = [
        delivered(http, number, through=None, full_name=name)
        for number, name in enumerate(("octocat-2/engine", "somebody/octocat"), start=2)
    ]
    park(database, own, *others)

    assert post(http, installation("unsuspend"), "installation").json()["resumed"] == 1
    assert statuses(database) == {own: "new"} | dict.fromkeys(others, "parked")


def test_c13_an_app_that_was_removed_and_installed_again_sees_what_waited(http: TestClient, database: Database) -> None:
    row = delivered(http, 1)
    park(database, row)
    post(http, installation("deleted", repositories=[NAME]), "installation", guid="d")
    assert (statuses(database), blind(database)) == ({row: "parked"}, [("octocat", "deleted")])

    again = installation("created", NOON + 60, repositories=[NAME])
    again["installation"]["id"] = ID + 1
    post(http, again, "installation", guid="c")

    assert (statuses(database), blind(database)) == ({row: "new"}, [])
    with database.reading() as session:
        assert installations.blocked(session, SOURCE) is None


def test_c13_an_event_that_comes_late_changes_nothing(http: TestClient, database: Database) -> None:
    row = delivered(http, 1)
    park(database, row)
    post(http, installation("suspend", NOON + 60), "installation", guid="s")
    late = post(http, installation("unsuspend", NOON), "installation", guid="u")

    assert (late.status_code, late.json()["resumed"]) == (200, 0)
    assert (statuses(database), blind(database)) == ({row: "parked"}, [("octocat", "suspended")])

    post(http, installation("unsuspend", "2026-05-07T15:00:00+02:00"), "installation", guid="u-2")
    again = post(http, installation("suspend", NOON + 60), "installation", guid="s")
    assert (again.status_code, statuses(database), blind(database)) == (200, {row: "new"}, [])


def test_c13_unsuspend_of_the_same_second_as_suspend_gives_access_in_either_order(
    http: TestClient, database: Database
) -> None:
    for action in ("suspend", "unsuspend", "suspend"):
        post(http, installation(action), "installation", guid=action)

    assert blind(database) == []


def test_new_permissions_of_an_installation_that_stays_suspended_free_nothing(
    http: TestClient, database: Database
) -> None:
    row = delivered(http, 1)
    park(database, row)
    payload = installation("new_permissions_accepted", repositories=[NAME])
    payload["installation"]["suspended_at"] = "2026-05-07T11:00:00Z"

    assert post(http, payload, "installation").json()["resumed"] == 0
    assert (statuses(database), blind(database)) == ({row: "parked"}, [("octocat", "suspended")])


def test_an_installation_event_that_is_not_githubs_is_refused_and_one_without_a_meaning_is_counted(
    http: TestClient, database: Database
) -> None:
    answers = [
        post(http, installation("suspend") | {"installation": {"id": "957387"}}, "installation").status_code,
        post(http, b"[]", "installation").status_code,
        post(http, {"action": 7}, "repository").status_code,
        post(http, installation("a-new-one"), "installation").status_code,
        post(http, renamed() | {"action": "created"}, "repository").status_code,
    ]

    assert answers == [400, 400, 400, 200, 200]
    assert counted(database) == {
        ("installation", "invalid-payload"): 2,
        ("repository", "invalid-payload"): 1,
        ("installation", "unknown-action"): 1,
        ("repository", "unknown-action"): 1,
    }


def test_c11_a_parked_delivery_is_freed_once_by_its_redelivery(
    http: TestClient, database: Database, bell: Bell
) -> None:
    row = delivered(http, 1)
    park(database, row)
    bell.rung.clear()

    assert delivered(http, 1) == row
    assert delivered(http, 1) == row
    assert statuses(database) == {row: "new"}
    assert bell.rung == [(TaskName.ANALYZE_DELIVERY, row)]


def test_c25_a_rename_takes_the_name_and_what_is_waiting_along(http: TestClient, database: Database) -> None:
    host_id = samples()["repository"]["repository"]["id"]
    with database.transaction() as session:
        known = RepositoryRef(full_name=REPOSITORY, id=host_id, private=True)
        row = repositories.ensure(session, known, datetime(2026, 5, 1, tzinfo=UTC))
    waiting, parked = delivered(http, 1), delivered(http, 2)
    park(database, parked)

    answer = post(http, renamed(), "repository")

    assert (answer.status_code, answer.json()["outcome"]) == (200, "processed")
    with database.reading() as session:
        found = repositories.ref_of(session, row)
        assert [one.id for one in backlog.unfinished_merges(session, RENAMED)] == [waiting, parked]
        assert list(backlog.unfinished_merges(session, REPOSITORY)) == []
        assert {one.id for one in deliveries.listing(session, repository=RENAMED)} == {waiting, parked}
    assert (found.full_name, found.private) == (RENAMED, False)
    with database.transaction() as session:
        assert deliveries.resume(session, repository=RENAMED, now=datetime.now(UTC)) == 1


def test_c25_what_is_waiting_follows_though_no_merge_of_the_repository_was_worked_on(
    http: TestClient, database: Database
) -> None:
    waiting = delivered(http, 1)
    transferred = copy.deepcopy(samples()["repository"])
    transferred["repository"] |= {"full_name": "octocat/Hello-World"}
    transferred |= {"action": "transferred", "changes": {"owner": {"from": {"user": {"login": "Codertocat"}}}}}

    post(http, transferred, "repository")

    with database.reading() as session:
        assert [one.id for one in backlog.unfinished_merges(session, "octocat/Hello-World")] == [waiting]
        assert repositories.all_repositories(session) == []


@pytest.mark.parametrize(("action", "private"), [("privatized", True), ("publicized", False), ("deleted", False)])
def test_d04_what_is_private_is_learned_at_once(
    action: str, private: bool, http: TestClient, database: Database
) -> None:
    payload = renamed(REPOSITORY)
    with database.transaction() as session:
        known = RepositoryRef(full_name=REPOSITORY, id=payload["repository"]["id"], private=not private)
        row = repositories.ensure(session, known, datetime(2026, 5, 1, tzinfo=UTC))

    post(http, payload | {"action": action}, "repository")

    with database.reading() as session:
        assert repositories.ref_of(session, row).private is private


def test_c25_a_renamed_repository_of_the_list_is_told_to_the_operator(database: Database) -> None:
    with client(database, settings(SECRET, watched=(REPOSITORY,))) as http:
        told = post(http, renamed(), "repository")
        stranger = post(http, renamed("x/y", former="z"), "repository", guid="g-2")

    assert told.json()["problems"] == [
        f"{REPOSITORY} is now called {RENAMED}: change its name in mergecast.toml, or it is not watched."
    ]
    assert stranger.json() == {"outcome": "ignored", "reason": "unwatched-repository"}

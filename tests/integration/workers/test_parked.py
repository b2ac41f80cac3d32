"""Access that is lost and given back: parked without tries, nothing asked meanwhile, then analysed (C-13, C-14)."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from pydantic import SecretStr

from services.analyzer.details import DetailSources
from services.analyzer.pipeline import AnalyzerRuntime, analyze_delivery
from services.analyzer.tasks import sweep_deliveries
from services.digest.stored_merges import load_week, open_merges
from shared.broker.task_names import TaskName
from shared.domain.errors import Parked, Transient
from shared.domain.period import parse_week
from shared.domain.pull_request import RepositoryRef
from shared.settings import Settings
from shared.settings.code_host import GitHubSettings
from shared.settings.model import WebhookSettings
from shared.store import deliveries, installations, repositories
from shared.store.session import Database
from tests.builders import make_pull_request
from tests.integration.webhook.posting import SECRET, client, post
from tests.integration.workers.inbox import (
    NOW,
    Bell,
    Clock,
    Source,
    analyses_stored,
    make_runtime,
    put,
    row,
    work,
)
from tests.merge_payloads import FULL_NAME, merge_payload

WITH_APP = GitHubSettings(app_id="123", private_key=SecretStr("not read by any of these tests"))
SUSPENDED = Parked("The installation is suspended.", "Unsuspend it on GitHub.")


class Receiving:
    """The doorbell as the receiver rings it."""

    def __init__(self, bell: Bell) -> None:
        self.ring = bell


def app_runtime(database: Database, source: Source) -> AnalyzerRuntime:
    """An analyzer of a deployment that asks the host as an App; the clock is the database's."""
    settings = Settings(github=WITH_APP, webhook=WebhookSettings(secrets=(SecretStr(SECRET),)))
    sources = DetailSources(settings, lambda _repository: source)
    return AnalyzerRuntime(settings, database, Bell(), sources, database.now, lambda: 1.0)


def from_app(number: int) -> dict[str, Any]:
    """A merge that installation 9 sends."""
    payload: dict[str, Any] = json.loads(merge_payload(number))
    return payload | {"installation": {"id": 9}}


def installation(action: str, minute: int) -> dict[str, Any]:
    """An event of installation 9, told in that minute of the seventh of May."""
    told = {"id": 9, "account": {"login": "lumen", "id": 1}, "updated_at": f"2026-05-07T12:{minute:02}:00Z"}
    return {"action": action, "installation": told | {"suspended_at": None}, "sender": {"login": "lumen"}}


def test_c13_parked_without_a_try_until_access_is_given_back(database):
    source, clock = Source([make_pull_request(101)]), Clock()
    source.error = SUSPENDED
    runtime = make_runtime(database, source, clock)
    delivery = put(database, merge_payload(101)).id

    assert analyze_delivery(runtime, delivery) == "parked"
    clock.move(timedelta(days=20))
    assert sweep_deliveries(runtime) == 0
    assert analyze_delivery(runtime, delivery) == "not-due"

    shown = row(database, delivery)
    assert (shown.status, shown.tries, shown.last_error) == ("parked", 0, str(SUSPENDED))
    assert len(source.asked) == 1
    source.error = None
    with database.transaction() as session:
        assert deliveries.resume(session, repository=FULL_NAME, now=clock()) == 1
    assert sweep_deliveries(runtime) == 1
    assert analyze_delivery(runtime, delivery) == "done"
    assert analyses_stored(database) == 1


def test_c13_what_is_resumed_has_all_its_tries(database):
    source, clock = Source(), Clock()
    source.error = Transient("down")
    runtime = make_runtime(database, source, clock)
    delivery = put(database, merge_payload(101)).id
    for _ in range(4):
        assert analyze_delivery(runtime, delivery) == "retry"
        clock.move(timedelta(hours=1))
    source.error = SUSPENDED
    assert analyze_delivery(runtime, delivery) == "parked"
    with database.transaction() as session:
        deliveries.resume(session, repository=FULL_NAME, now=clock())

    source.error = Transient("down again")
    assert analyze_delivery(runtime, delivery) == "retry"


def test_c13_a_digest_does_not_wait_for_what_is_parked_and_lists_it_with_its_reason(database):
    source = Source()
    source.error = SUSPENDED
    delivery = put(database, merge_payload(101)).id
    with database.reading() as session:
        assert open_merges(session, RepositoryRef(full_name=FULL_NAME), parse_week("2026-W19")) == 1
    analyze_delivery(make_runtime(database, source), delivery)

    with database.reading() as session:
        assert open_merges(session, RepositoryRef(full_name=FULL_NAME), parse_week("2026-W19")) == 0
        repository = repositories.find(session, FULL_NAME)
        (listed,) = load_week(session, repository, parse_week("2026-W19")).merges
    assert (listed.pull_request.title, listed.analysis) == ("Keep queue 101 in order", None)
    assert listed.failure == str(SUSPENDED)


def test_r91_the_error_that_parks_a_delivery_is_kept_without_secrets(database):
    source = Source()
    source.error = Parked("refused by https://robot:hunter2hunter2@example.org/api")
    delivery = put(database, merge_payload(101)).id
    analyze_delivery(make_runtime(database, source), delivery)

    assert "hunter2" not in row(database, delivery).last_error


def test_c13_suspended_and_unsuspended_through_the_webhook(database):
    source, bell = Source([make_pull_request(number) for number in (101, 102, 103)]), Bell()
    runtime = app_runtime(database, source)
    source.error = SUSPENDED
    with client(database, runtime.settings, Receiving(bell)) as http:
        first = post(http, from_app(101), guid="g-101").json()["delivery"]
        assert analyze_delivery(runtime, first) == "parked", "the host refused before its event arrived"
        post(http, installation("suspend", 0), "installation", guid="suspend")
        late = [post(http, from_app(number), guid=f"g-{number}").json()["delivery"] for number in (102, 103)]
        assert [analyze_delivery(runtime, delivery) for delivery in late] == ["parked", "parked"]
        assert source.asked == [101], "nothing is asked while it is suspended"
        assert "'lumen' is suspended since 2026-05-07 12:00 UTC" in row(database, late[0]).last_error
        assert "Unsuspend it" in row(database, late[0]).last_error

        source.error = None
        bell.rung.clear()
        answer = post(http, installation("unsuspend", 5), "installation", guid="unsuspend")

    assert answer.json() == {"outcome": "processed", "resumed": 3}
    assert bell.rung == [(TaskName.ANALYZE_DELIVERY, delivery) for delivery in (first, *late)]
    assert [analyze_delivery(runtime, delivery) for _, delivery in bell.rung] == ["done", "done", "done"]
    assert source.asked == [101, 101, 102, 103]
    assert analyses_stored(database) == 3


def test_c13_removed_and_replayed_is_parked_again_without_a_request(database):
    source = Source([make_pull_request(101)])
    runtime = app_runtime(database, source)
    with client(database, runtime.settings, Receiving(Bell())) as http:
        post(http, installation("deleted", 0), "installation", guid="deleted")
        delivery = post(http, from_app(101), guid="g-101").json()["delivery"]
    assert analyze_delivery(runtime, delivery) == "parked"
    assert "Install the App there again" in row(database, delivery).last_error
    with database.transaction() as session:
        assert deliveries.replay(session, delivery, datetime.now(UTC))
    assert analyze_delivery(runtime, delivery) == "parked"
    assert (source.asked, row(database, delivery).tries) == ([], 0)


@pytest.mark.parametrize("github", [GitHubSettings(), GitHubSettings(token=SecretStr("ghp_" + "x" * 36))])
def test_where_the_host_is_not_asked_as_the_app_its_installations_stop_nothing(github, database):
    settings, source = Settings(github=github), Source([make_pull_request(101)])
    with database.transaction() as session:
        installations.note(session, 9, "lumen", "suspended", NOW)

    assert (
        work(make_runtime(database, source, settings=settings), merge_payload(101), source="installation:9") == "done"
    )


def test_c09_edited_after_the_merge_is_no_work_of_its_own_and_the_merge_comes_later(database):
    runtime = make_runtime(database, Source([make_pull_request(101)]))

    assert work(runtime, merge_payload(101, action="edited")) == "ignored"
    assert analyses_stored(database) == 0
    assert work(runtime, merge_payload(101)) == "done"
    assert analyses_stored(database) == 1


def test_c25_a_delivery_from_before_a_rename_is_found_under_the_new_name_and_changes_it_not(database):
    source, clock = Source(), Clock()
    source.error = SUSPENDED
    runtime = make_runtime(database, source, clock)
    early = merge_payload(101, full_name="lumen/old-name")
    with database.transaction() as session:
        repository = repositories.ensure(session, RepositoryRef(full_name=FULL_NAME, id=5_000_000_001), clock())
    delivery = put(database, early, now=clock()).id

    assert analyze_delivery(runtime, delivery) == "parked"
    assert row(database, delivery).repository == FULL_NAME
    with database.reading() as session:
        assert repositories.ref_of(session, repository).full_name == FULL_NAME
    with database.transaction() as session:
        assert deliveries.resume(session, repository=FULL_NAME, now=clock()) == 1

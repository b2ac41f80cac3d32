"""Limits and outages of the host: Postponed to the right time, and nothing is asked before it (R-50)."""

from __future__ import annotations

import contextlib
import socket
import threading
import time
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest

from shared.code_host import open_code_host
from shared.domain.errors import HostAway, Postponed
from shared.domain.protocols import Allowance
from shared.settings.code_host import GitHubSettings
from shared.store.cached_answers import StoredAnswers
from shared.store.request_budgets import StoredLimiter
from shared.store.session import DatabaseUnavailable
from tests.servers.github import Fault

PULL = "/repositories/5000000001/pulls/1"
QUERY = "query($o:String!,$n:String!){repository(owner:$o,name:$n){databaseId}}"
NAMES = {"o": "acme", "n": "engine"}


def postponed(do: Callable[[], Any]) -> Postponed:
    """Return the refusal; it comes at once, since nothing here may sleep."""
    began = time.monotonic()
    with pytest.raises(Postponed) as refusal:
        do()
    assert time.monotonic() - began < 5
    return refusal.value


@pytest.mark.parametrize(
    ("fault", "seconds"),
    [
        ({"kind": "primary-limit", "reset_in": 2_400}, 2_400),
        ({"kind": "primary-limit", "reset_in": 2_400, "status": 429}, 2_400),
        ({"kind": "secondary-limit", "retry_after": 90}, 90),
        ({"kind": "secondary-limit", "retry_after": 6, "status": 429}, 6),
        ({"kind": "secondary-limit"}, 60),
        ({"kind": "secondary-limit", "status": 429}, 60),
        ({"kind": "bare-429"}, 60),
    ],
)
def test_r50_a_limit_is_waited_for_by_everybody(stage: Any, fault: dict[str, Any], seconds: int) -> None:
    """One process is refused; it and another that shares the database ask nothing before the time, and then go on."""
    first, second = stage.host(), stage.host()
    stage.github.faults.add(Fault(path="pulls/1$", **fault))
    until = stage.clock.now + timedelta(seconds=seconds)
    assert postponed(lambda: first.read(PULL)).until == until
    asked = stage.asked()
    for early in (timedelta(seconds=seconds - 1), timedelta(seconds=1)):
        stage.clock.now = until - early
        assert postponed(lambda: first.read(PULL)).until == until
        assert postponed(lambda: second.read("/repositories/5000000001")).until == until
    assert stage.asked() == asked
    stage.clock.now = until
    assert second.read(PULL).body["number"] == 1


def test_r50_retry_after_as_an_http_date(stage: Any) -> None:
    until = stage.clock.now + timedelta(seconds=150)
    stage.github.faults.add(Fault(path="pulls/1$", kind="secondary-limit", retry_after=until))
    host = stage.host()
    assert postponed(lambda: host.read(PULL)).until == until
    stage.clock.now = until - timedelta(seconds=1)
    assert postponed(lambda: host.read(PULL)).until == until
    assert stage.asked() == 1


def test_r50_refusals_that_name_no_time_double_the_wait(stage: Any) -> None:
    host = stage.host()
    stage.github.faults.add(Fault(path="pulls/1$", kind="bare-429", times=3))
    waits = []
    for _ in range(3):
        until = postponed(lambda: host.read(PULL)).until
        waits.append((until - stage.clock.now).total_seconds())
        stage.clock.now = until
    assert waits == [60, 120, 240]
    assert host.read(PULL).body["number"] == 1


@pytest.mark.parametrize(("retry_after", "seconds"), [(None, 600), (120, 120)])
def test_r50_graphql_refuses_with_status_200(stage: Any, retry_after: int | None, seconds: int) -> None:
    """A used-up budget is its own, and REST goes on; the secondary limit is one for both."""
    host = stage.host()
    kind = "primary-limit" if retry_after is None else "secondary-limit"
    stage.github.faults.add(Fault(path="graphql", kind=kind, reset_in=600, retry_after=retry_after))
    until = stage.clock.now + timedelta(seconds=seconds)
    assert postponed(lambda: host.query(QUERY, NAMES)).until == until
    assert postponed(lambda: host.query(QUERY, NAMES)).until == until
    assert stage.asked("graphql") == 1
    if retry_after is None:
        assert host.read(PULL).body["number"] == 1
    else:
        assert postponed(lambda: host.read(PULL)).until == until
    stage.clock.now = until
    assert host.query(QUERY, NAMES)["repository"]["databaseId"] == 5_000_000_001


def test_the_last_request_is_told_by_its_answer_and_no_further_one_is_sent(stage: Any) -> None:
    stage.github.world.token("small", limit=2)
    host = stage.host(token="ghp_small")
    host.read(PULL)
    host.read(PULL)
    assert postponed(lambda: host.read(PULL)).until == stage.clock.now + timedelta(hours=1)
    assert stage.asked() == 2
    stage.clock.forward(hours=1)
    assert host.read(PULL).body["number"] == 1


def test_what_is_kept_for_others_is_left(stage: Any) -> None:
    stage.github.world.token("small", limit=10)
    host = stage.host(token="ghp_small")
    for _ in range(8):
        host.read(PULL, keep=2)
    refusal = postponed(lambda: host.read(PULL, keep=2))
    assert "2 are kept for other work" in str(refusal)
    assert stage.asked("pulls/1") == 8
    assert host.read(PULL).body["number"] == 1


def test_without_a_credential_the_limit_is_explained(stage: Any) -> None:
    stage.github.world.anonymous_limit = 2
    host = stage.host(anonymous=True)
    host.read(PULL)
    host.read(PULL)
    until = stage.clock.now + timedelta(hours=1)
    first = postponed(lambda: host.read(PULL))
    stage.github.faults.add(Fault(path="pulls", kind="primary-limit", reset_in=1_200))
    stage.clock.now = until
    refused = postponed(lambda: host.read(PULL))
    for error in (first, refused):
        for part in ("60 requests an hour", "about 15 merges", f"{error.until:%H:%M}", "github.token", "App", "5,000"):
            assert part in str(error)
    assert first.until == until


def test_without_a_credential_a_confirmed_answer_costs_a_request(stage: Any) -> None:
    stage.github.world.anonymous_limit = 2
    host = stage.host(anonymous=True)
    host.read(PULL, conditional=True)
    assert host.read(PULL, conditional=True).unchanged
    assert postponed(lambda: host.read(PULL, conditional=True)).until == stage.clock.now + timedelta(hours=1)
    assert [one.status for one in stage.github.log] == [200, 304]


def test_a_confirmed_answer_costs_nothing(stage: Any) -> None:
    stage.github.world.token("small", limit=3)
    host = stage.host(token="ghp_small")
    first = host.read("/repositories/5000000001/pulls", {"state": "closed"}, conditional=True)
    for _ in range(10):
        again = host.read("/repositories/5000000001/pulls", {"state": "closed"}, conditional=True)
        assert again.unchanged
        assert (again.body, again.next) == (first.body, first.next)
    assert not first.unchanged
    assert [one.status for one in stage.github.log] == [200] + [304] * 10
    host.read(PULL)
    stage.repository.open_pull("Another one").merge()
    changed = host.read("/repositories/5000000001/pulls", {"state": "closed"}, conditional=True)
    assert (changed.unchanged, len(changed.body)) == (False, 2)


@pytest.mark.parametrize("status", [500, 502, 503])
def test_r50_in_a_storm_of_errors_the_waits_grow(stage: Any, status: int) -> None:
    host = stage.host()
    stage.github.faults.add(Fault(path="pulls/1$", kind="server-error", times=None, status=status))
    for asked, least in enumerate((30, 60, 120, 240, 300, 300), start=1):
        until = postponed(lambda: host.read(PULL)).until
        assert least <= (until - stage.clock.now).total_seconds() <= least * 1.2
        assert stage.asked() == asked
        stage.clock.now = until


def test_r50_after_failures_of_three_requests_nothing_is_asked_by_any_process(stage: Any) -> None:
    first, second = stage.host(), stage.host()
    stage.github.faults.add(Fault(path="pulls/1", kind="server-error", times=3))
    for path in (PULL, f"{PULL}/files", f"{PULL}/reviews"):
        until = postponed(lambda path=path: first.read(path)).until
    asked = stage.asked()
    stage.clock.now = until - timedelta(seconds=1)
    postponed(lambda: first.read(PULL))
    postponed(lambda: second.read("/repositories/5000000001"))
    assert stage.asked() == asked
    stage.clock.now = until
    assert second.read(PULL).body["number"] == 1


def test_one_request_that_fails_each_time_holds_nobody_else_up(stage: Any) -> None:
    first, second = stage.host(), stage.host()
    stage.github.faults.add(Fault(path="graphql", kind="server-error", times=None, body='"number": 1'))
    heavy = {"number": 1} | NAMES
    for _ in range(10):
        until = postponed(lambda: first.query(QUERY, heavy)).until
        for host in (first, second):
            assert host.query(QUERY, NAMES)["repository"]["databaseId"] == 5_000_000_001
        stage.clock.now = until
    for _ in range(10):
        stage.clock.now = until
        until = postponed(lambda: first.query(QUERY, heavy)).until
    assert second.query(QUERY, NAMES)["repository"]["databaseId"] == 5_000_000_001


def test_one_failure_holds_nobody_else_up(stage: Any) -> None:
    host = stage.host()
    stage.github.faults.add(Fault(path="pulls/1$", kind="server-error"))
    postponed(lambda: host.read(PULL))
    assert host.read("/repositories/5000000001").body["id"] == 5_000_000_001


def test_an_answer_that_is_cut_or_does_not_come_is_an_outage(stage: Any) -> None:
    host = stage.host(timeout=0.3)
    for kind in ("cut", "hang"):
        stage.github.faults.add(Fault(path="pulls/1$", kind=kind))
        assert "does not serve" in str(postponed(lambda: host.read(PULL)))
    assert host.read(PULL).body["number"] == 1


def test_nobody_listening_is_an_outage_and_closes_the_host_for_one_request_too(stage: Any) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    host = stage.host(token="ghp_reader", api_url=f"http://127.0.0.1:{port}/api/v3")
    for _ in range(3):
        refusal = postponed(lambda: host.read(PULL))
        assert "no connection" in str(refusal)
        assert refusal.until >= stage.clock.now + timedelta(seconds=30)
    assert "asked to wait" in str(postponed(lambda: host.read(PULL)))


@pytest.mark.parametrize("kind", ["graphql-error", "graphql-away"])
def test_a_query_that_the_host_gave_up_with_status_200_is_an_outage(stage: Any, kind: str) -> None:
    host = stage.host()
    stage.github.faults.add(Fault(path="graphql", kind=kind, times=3))
    for place in range(3):
        refusal = postponed(lambda place=place: host.query(QUERY, NAMES | {"place": place}))
        assert isinstance(refusal, HostAway)
    assert refusal.until >= stage.clock.now + timedelta(seconds=30)
    postponed(lambda: host.query(QUERY, NAMES))
    assert stage.asked("graphql") == 3
    stage.clock.now = refusal.until
    assert host.query(QUERY, NAMES)["repository"]["databaseId"] == 5_000_000_001


def test_a_reset_that_is_years_away_closes_the_host_for_a_day(stage: Any) -> None:
    host = stage.host()
    stage.github.faults.add(Fault(path="pulls/1$", kind="primary-limit", reset_in=10 * 365 * 24 * 3_600))
    until = stage.clock.now + timedelta(hours=24)
    assert postponed(lambda: host.read(PULL)).until == until
    stage.clock.now = until - timedelta(seconds=1)
    assert postponed(lambda: host.read(PULL)).until == until
    stage.clock.now = until
    assert host.read(PULL).body["number"] == 1


def test_an_answer_that_trickles_in_is_given_up(stage: Any) -> None:
    """Each byte comes well within the timeout, and the whole never ends."""
    stopping = threading.Event()

    def trickle() -> None:
        connection, _ = listening.accept()
        with connection:
            connection.recv(65_536)
            connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 9999999\r\n\r\n")
            with contextlib.suppress(OSError):
                while not stopping.wait(0.02):
                    connection.sendall(b" ")

    with socket.create_server(("127.0.0.1", 0)) as listening:
        feeder = threading.Thread(target=trickle)
        feeder.start()
        api_url = f"http://127.0.0.1:{listening.getsockname()[1]}/api/v3"
        host = stage.host(token="ghp_reader", api_url=api_url, timeout=0.2)
        assert "too slowly" in str(postponed(lambda: host.read(PULL)))
        stopping.set()
        feeder.join()


def test_a_write_that_was_done_is_told_though_the_database_is_away(stage: Any) -> None:
    class Forgetful(StoredLimiter):
        def note(self, credential: str, resource: str, allowance: Allowance) -> datetime | None:
            raise DatabaseUnavailable("The database does not serve.")

    stage.github.world.token("writer", {"metadata": "read", "issues": "write"})
    settings = GitHubSettings(api_url=stage.github.api_url, token="ghp_writer")
    limiter = Forgetful(stage.database, stage.clock)
    host = open_code_host(settings, limiter, StoredAnswers(stage.database, stage.clock), stage.clock)
    assert host.act("/repositories/5000000001/issues", {"title": "Digest"}).body["title"] == "Digest"
    stage.github.faults.add(Fault(path="pulls/1$", kind="bare-429"))
    assert postponed(lambda: host.read(PULL)).until == stage.clock.now + timedelta(seconds=60)
    host.close()

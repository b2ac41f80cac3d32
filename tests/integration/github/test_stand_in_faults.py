"""Each trouble that the stand-in can make looks to a client as GitHub's does."""

from __future__ import annotations

import http.client
import json
import threading
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any
from urllib.parse import urlsplit

import pytest

from tests.servers.github import Fault, GitHubServer
from tests.servers.github.repositories import Repository

NOON = datetime(2026, 5, 4, 12, tzinfo=UTC)
PULL = "/repos/acme/engine/pulls/1"


@pytest.fixture
def github() -> Iterator[GitHubServer]:
    with GitHubServer() as server:
        server.world.now = NOON
        server.world.token("writer", {"issues": "write", "pull_requests": "read"})
        yield server


@pytest.fixture
def engine(github: GitHubServer) -> Repository:
    repository = github.world.add_repository("acme/engine", id=5_000_000_001)
    repository.open_pull("Change")
    return repository


def asked(
    github: GitHubServer, path: str, method: str = "GET", body: Any = None, timeout: float = 30
) -> tuple[int, dict[str, str], bytes]:
    parts = urlsplit(github.url)
    connection = http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=timeout)
    try:
        sent = None if body is None else json.dumps(body)
        connection.request(method, path, sent, {"Authorization": "Bearer ghp_writer"})
        response = connection.getresponse()
        return response.status, {key.lower(): value for key, value in response.getheaders()}, response.read()
    finally:
        connection.close()


@pytest.mark.parametrize(
    ("fault", "status", "headers"),
    [
        (
            Fault(PULL, "primary-limit", reset_in=2_400),
            403,
            {"x-ratelimit-remaining": "0", "x-ratelimit-reset": str(int(NOON.timestamp()) + 2_400)},
        ),
        (Fault(PULL, "primary-limit", status=429), 429, {"x-ratelimit-remaining": "0"}),
        (Fault(PULL, "secondary-limit", retry_after=90), 403, {"retry-after": "90"}),
        (Fault(PULL, "secondary-limit", retry_after=NOON), 403, {"retry-after": "Mon, 04 May 2026 12:00:00 GMT"}),
        (Fault(PULL, "secondary-limit", status=429), 429, {"retry-after": None}),
        (Fault(PULL, "bare-429"), 429, {"retry-after": None, "x-ratelimit-remaining": None}),
        (Fault(PULL, "not-found"), 404, {}),
        (Fault(PULL, "gone"), 410, {}),
        (Fault(PULL, "server-error", status=503), 503, {}),
        (Fault(PULL, "unauthorized"), 401, {}),
        (Fault(PULL, "legal-block"), 451, {}),
        (Fault(PULL, "html-200"), 200, {"content-type": "text/html; charset=utf-8"}),
    ],
    ids=lambda value: value.kind if isinstance(value, Fault) else "",
)
def test_an_answer_in_place_of_the_real_one(
    github: GitHubServer, engine: Repository, fault: Fault, status: int, headers: dict[str, str | None]
) -> None:
    github.faults.add(fault)

    met = asked(github, f"/api/v3{PULL}")
    after = asked(github, f"/api/v3{PULL}")

    assert (met[0], after[0], fault.hits) == (status, 200, 1)
    assert {key: met[1].get(key) for key in headers} == headers


def test_a_moved_repository_is_named_by_its_number(github: GitHubServer, engine: Repository) -> None:
    github.faults.add(Fault("/pulls", "moved"))

    status, headers, _ = asked(github, "/api/v3/repos/acme/engine/pulls")

    assert (status, headers["location"]) == (301, f"{github.api_url}/repositories/5000000001/pulls")


def test_a_fault_lets_some_through_first_and_ends_after_its_times(github: GitHubServer, engine: Repository) -> None:
    fault = github.faults.add(Fault(PULL, "not-found", after=1, times=2))

    assert [asked(github, f"/api/v3{PULL}")[0] for _ in range(4)] == [200, 404, 404, 200]
    assert fault.hits == 2


def test_an_error_after_the_effect_has_the_effect(github: GitHubServer, engine: Repository) -> None:
    github.faults.add(Fault("/issues$", "after-effect", method="POST"))

    status, _, _ = asked(github, "/api/v3/repos/acme/engine/issues", "POST", {"title": "Digest"})

    assert (status, [issue.title for issue in engine.issues.values()]) == (502, ["Digest"])
    assert [seen.status for seen in github.writes] == [502]


def test_a_list_is_moved_before_it_is_answered(github: GitHubServer, engine: Repository) -> None:
    github.faults.add(Fault("/pulls$", "reorder", before=lambda: engine.open_pull("Between")))

    _, _, body = asked(github, "/api/v3/repos/acme/engine/pulls")

    assert [row["title"] for row in json.loads(body)] == ["Between", "Change"]


def test_a_cut_answer_ends_in_its_middle(github: GitHubServer, engine: Repository) -> None:
    github.faults.add(Fault(PULL, "cut"))

    with pytest.raises(http.client.IncompleteRead):
        asked(github, f"/api/v3{PULL}")


def test_a_hanging_answer_never_comes_and_ends_with_the_server(github: GitHubServer, engine: Repository) -> None:
    github.faults.add(Fault(PULL, "hang"))

    with pytest.raises(TimeoutError):
        asked(github, f"/api/v3{PULL}", timeout=0.2)
    assert asked(github, f"/api/v3{PULL}")[0] == 200


def test_a_limit_of_graphql_is_an_error_with_200(github: GitHubServer, engine: Repository) -> None:
    github.faults.add(Fault("/graphql", "primary-limit", body="viewer"))

    _, _, other = asked(github, "/api/graphql", "POST", {"query": "{ rateLimit { cost } }"})
    status, headers, body = asked(github, "/api/graphql", "POST", {"query": "{ viewer { login } }"})

    assert json.loads(other) == {"data": {"rateLimit": {"cost": 1}}}
    assert (status, headers["x-ratelimit-resource"]) == (200, "graphql")
    assert json.loads(body)["errors"][0]["type"] == "RATE_LIMITED"


def test_many_at_once_are_answered_and_counted(github: GitHubServer, engine: Repository) -> None:
    github.world.token("writer", limit=1_000)
    statuses: list[int] = []
    threads = [
        threading.Thread(target=lambda: statuses.extend(asked(github, f"/api/v3{PULL}")[0] for _ in range(20)))
        for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)

    _, headers, _ = asked(github, f"/api/v3{PULL}")

    assert statuses == [200] * 160
    assert headers["x-ratelimit-used"] == "161"


def test_a_kind_that_there_is_not_is_refused_at_once() -> None:
    with pytest.raises(ValueError, match="no kind of fault"):
        Fault("/", "nonsense")

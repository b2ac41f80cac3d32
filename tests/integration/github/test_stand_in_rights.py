"""The stand-in counts limits and checks rights as GitHub does: for nobody, for tokens and for the app."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest
from github import Auth, BadCredentialsException, GithubException, GithubIntegration, RateLimitExceededException

from tests.servers.github import GitHubServer
from tests.servers.github.client import QUICK, client

NOON = datetime(2026, 5, 4, 12, tzinfo=UTC)
ENGINE = "/api/v3/repos/acme/engine"


@pytest.fixture
def github() -> Iterator[GitHubServer]:
    with GitHubServer() as server:
        server.world.add_repository("acme/engine")
        server.world.add_repository("acme/secret", private=True)
        yield server


def asked(github: GitHubServer, path: str, value: str = "", **headers: str) -> tuple[int, dict[str, str]]:
    sent = {key.replace("_", "-"): text for key, text in headers.items()}
    answer, _ = github.exchange("GET", path, sent | ({"authorization": f"Bearer {value}"} if value else {}), b"")
    return answer.status, answer.headers


def test_a_limit_counts_down_is_refused_at_its_end_and_begins_again_after_an_hour(github: GitHubServer) -> None:
    github.world.now = NOON
    github.world.token("reader", limit=2)
    with client(github) as reader:
        reader.get_repo("acme/engine")
        reader.get_repo("acme/engine")
        with pytest.raises(RateLimitExceededException) as refused:
            reader.get_repo("acme/engine")
        github.world.now = NOON + timedelta(hours=1)
        reader.get_repo("acme/engine")

    headers = refused.value.headers
    assert headers is not None
    assert headers["x-ratelimit-remaining"] == "0"
    assert headers["x-ratelimit-reset"] == str(int((NOON + timedelta(hours=1)).timestamp()))


def test_what_did_not_change_is_answered_304_and_costs_nothing(github: GitHubServer) -> None:
    github.world.token("reader")
    _, first = asked(github, ENGINE, "ghp_reader")

    status, headers = asked(github, ENGINE, "ghp_reader", if_none_match=first["ETag"])
    github.world.repository_named("acme/engine").open_pull("News")
    later, _ = asked(github, ENGINE, "ghp_reader", if_none_match=first["ETag"])

    assert (status, headers["X-RateLimit-Used"], later) == (304, "1", 200)


def test_nobody_has_sixty_requests_and_sees_no_private_repository(github: GitHubServer) -> None:
    assert asked(github, ENGINE)[1]["X-RateLimit-Limit"] == "60"
    assert asked(github, "/api/v3/repos/acme/secret")[0] == 404


def test_a_revoked_token_is_refused_with_401(github: GitHubServer) -> None:
    github.world.token("reader")
    github.world.revoke("reader")

    with client(github) as reader, pytest.raises(BadCredentialsException):
        reader.get_repo("acme/engine")


def test_a_token_that_only_reads_cannot_write(github: GitHubServer) -> None:
    github.world.token("reader")

    with client(github) as reader, pytest.raises(GithubException, match="not accessible by personal") as refused:
        reader.get_repo("acme/engine").create_issue("Digest")

    assert refused.value.status == 403
    assert [seen.status for seen in github.writes] == [403]


def test_hooks_are_shown_only_to_who_may_read_them(github: GitHubServer) -> None:
    github.world.token("reader")
    github.world.token("classic", scopes=("read:repo_hook",))
    github.world.token("bare", scopes=())

    statuses = [asked(github, f"{ENGINE}/hooks", value)[0] for value in ("", "ghp_reader", "ghp_classic", "ghp_bare")]

    assert statuses == [404, 403, 200, 404]


def test_the_app_signs_in_and_an_installation_reads_what_it_covers(github: GitHubServer) -> None:
    app = github.world.app
    installation = app.install("acme", repositories=["acme/secret"])
    auth = Auth.AppAuth(app.client_id, app.private_key_pem)
    with GithubIntegration(auth=auth, base_url=github.api_url, **QUICK) as integration:
        found = integration.get_repo_installation("acme", "secret")
        with client(github, auth.get_installation_auth(found.id)) as reader:
            secret = reader.get_repo("acme/secret")

    assert (found.id, found.app_id, secret.private) == (installation.id, app.id, True)
    assert github.log[-1].credential == f"installation:{installation.id}"
    assert github.writes == []


def test_an_installation_token_lasts_an_hour_and_no_longer_than_the_installation(github: GitHubServer) -> None:
    github.world.now = NOON
    installation = github.world.app.install("acme")
    first, second = installation.token().value, installation.token().value
    fresh = asked(github, "/api/v3/repos/acme/secret", first)[0]

    installation.suspend()
    suspended = asked(github, ENGINE, first)[0]
    installation.unsuspend()
    github.world.now = NOON + timedelta(hours=1)
    expired = asked(github, ENGINE, first)[0]
    github.world.now = NOON
    installation.delete()

    assert (fresh, suspended, expired, asked(github, ENGINE, second)[0]) == (200, 403, 401, 401)


def test_a_token_of_a_suspended_installation_is_not_made_and_of_a_deleted_one_not_found(github: GitHubServer) -> None:
    app = github.world.app
    installation = app.install("acme")
    auth = Auth.AppAuth(app.client_id, app.private_key_pem)
    statuses = []
    with GithubIntegration(auth=auth, base_url=github.api_url, **QUICK) as integration:
        for change in (installation.suspend, installation.delete):
            change()
            with pytest.raises(GithubException) as refused:
                integration.get_access_token(installation.id)
            statuses.append(refused.value.status)

    assert statuses == [403, 404]


def test_an_installation_lacking_a_right_is_refused_in_private_and_keeps_its_coverage_when_renamed(
    github: GitHubServer,
) -> None:
    installation = github.world.app.install("acme", ["acme/secret"], {"metadata": "read"})
    secret = github.world.repository_named("acme/secret")
    secret.rename("acme/hidden")

    value = installation.token().value

    assert asked(github, "/api/v3/repos/acme/hidden", value)[0] == 200
    assert asked(github, "/api/v3/repos/acme/hidden/pulls", value)[0] == 403

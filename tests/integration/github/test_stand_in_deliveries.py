"""The stand-in delivers what happens to hooks, signed, keeps what became of it, and delivers again when it is told."""

from __future__ import annotations

import hashlib
import hmac
import json
import threading
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs

import pytest
from github import Auth

from tests.servers.github import GitHubServer
from tests.servers.github.client import client
from tests.servers.github.repositories import Repository

SECRET = "it is only a test"


class Receiver(ThreadingHTTPServer):
    """Keeps what is posted to it and answers with ``status``."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Receiving)
        self.status = 202
        self.got: list[tuple[dict[str, str], bytes]] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/webhooks"

    @property
    def seen(self) -> list[tuple[str, Any]]:
        return [(headers["x-github-event"], json.loads(body).get("action")) for headers, body in self.got]


class _Receiving(BaseHTTPRequestHandler):
    server: Receiver

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["content-length"]))
        self.server.got.append(({key.lower(): value for key, value in self.headers.items()}, body))
        self.send_response(self.server.status)
        self.end_headers()

    def log_message(self, *_args: Any) -> None:
        pass


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with Receiver() as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
        thread.start()
        yield server
        server.shutdown()
        thread.join(10)


@pytest.fixture
def github() -> Iterator[GitHubServer]:
    with GitHubServer() as server:
        server.world.token("owner", {"repository_hooks": "write"})
        yield server


@pytest.fixture
def engine(github: GitHubServer) -> Repository:
    return github.world.add_repository("acme/engine")


def test_a_hook_gets_a_ping_and_then_each_event_signed(engine: Repository, receiver: Receiver) -> None:
    hook = engine.add_hook(receiver.url, SECRET)
    pull = engine.open_pull("Größer 🚀")
    pull.label("bug")
    pull.edit(title="Bigger")
    pull.close()
    pull.reopen()
    pull.merge()

    assert receiver.seen == [
        ("ping", None),
        *[("pull_request", action) for action in ("opened", "labeled", "edited", "closed", "reopened", "closed")],
    ]
    for headers, body in receiver.got:
        expected = hmac.new(SECRET.encode(), body, hashlib.sha256).hexdigest()
        assert headers["x-hub-signature-256"] == f"sha256={expected}"
        assert headers["x-github-hook-id"] == str(hook.id)
        assert headers["user-agent"].startswith("GitHub-Hookshot/")
    assert json.loads(receiver.got[-1][1])["pull_request"]["merged"] is True


def test_a_form_hook_gets_the_payload_as_a_form(engine: Repository, receiver: Receiver) -> None:
    engine.add_hook(receiver.url, SECRET, content_type="form")
    engine.open_pull("Change")

    headers, body = receiver.got[-1]
    assert headers["content-type"] == "application/x-www-form-urlencoded"
    assert json.loads(parse_qs(body.decode())["payload"][0])["action"] == "opened"


def test_what_failed_is_listed_and_delivered_again_with_its_guid(
    github: GitHubServer, engine: Repository, receiver: Receiver
) -> None:
    hook = engine.add_hook(receiver.url, SECRET)
    receiver.status = 503
    engine.open_pull("Change").merge()
    receiver.status = 202

    with client(github, "ghp_owner") as owner:
        repository = owner.get_repo("acme/engine")
        failed = [one for one in repository.get_hook_deliveries(hook.id) if one.status_code != 202]
        for one in failed:
            path = f"/repos/acme/engine/hooks/{hook.id}/deliveries/{one.id}/attempts"
            owner.requester.requestJsonAndCheck("POST", path)
        after = list(repository.get_hook_deliveries(hook.id))

    assert [(one.action, one.status) for one in failed] == [
        ("closed", "Invalid HTTP Response: 503"),
        ("opened", "Invalid HTTP Response: 503"),
    ]
    assert [one.guid for one in after[:2]] == [failed[1].guid, failed[0].guid]
    assert all(one.redelivery and one.status == "OK" for one in after[:2])
    assert receiver.got[-1][0]["x-github-delivery"] == failed[1].guid
    assert receiver.got[-1][1] == receiver.got[1][1]


def test_deliveries_come_in_pages_by_cursor_and_are_forgotten_after_three_days(
    github: GitHubServer, engine: Repository
) -> None:
    start = datetime(2026, 5, 4, tzinfo=UTC)
    github.world.now = start
    hook = engine.add_hook("http://127.0.0.1:9/nobody", SECRET)
    for number in range(120):
        engine.open_pull(f"Change {number}")

    with client(github, "ghp_owner") as owner:
        repository = owner.get_repo("acme/engine")
        kept = [one.id for one in repository.get_hook_deliveries(hook.id)]
        github.world.now = start + timedelta(days=3, seconds=1)
        later = list(repository.get_hook_deliveries(hook.id))

    assert kept == sorted(set(kept), reverse=True)
    assert (len(kept), later) == (121, [])
    assert {one.status_code for one in hook.deliveries} == {502}


def test_the_app_hears_of_its_installations_and_of_what_they_cover(
    github: GitHubServer, engine: Repository, receiver: Receiver
) -> None:
    app = github.world.app
    app.hook_url, app.hook_secret, app.events = receiver.url, SECRET, ("pull_request", "repository")
    installation = app.install("acme")
    engine.open_pull("Change")
    engine.rename("acme/motor")
    installation.suspend()
    engine.open_pull("Unheard")
    installation.unsuspend()
    installation.delete()

    assert receiver.seen == [
        ("installation", "created"),
        ("pull_request", "opened"),
        ("repository", "renamed"),
        ("installation", "suspend"),
        ("installation", "unsuspend"),
        ("installation", "deleted"),
    ]
    assert json.loads(receiver.got[1][1])["installation"]["id"] == installation.id
    assert receiver.got[1][0]["x-github-hook-installation-target-type"] == "integration"


def test_the_app_reads_its_deliveries_and_repeats_one(github: GitHubServer, receiver: Receiver) -> None:
    app = github.world.app
    app.hook_url, app.hook_secret, receiver.status = receiver.url, SECRET, 500
    app.install("acme")
    receiver.status = 200
    auth = Auth.AppAuth(app.client_id, app.private_key_pem)
    with client(github, auth) as owner:
        _, failed = owner.requester.requestJsonAndCheck("GET", "/app/hook/deliveries", {"status": "failure"})
        path = f"/app/hook/deliveries/{failed[0]['id']}"
        _, held = owner.requester.requestJsonAndCheck("GET", path)
        owner.requester.requestJsonAndCheck("POST", f"{path}/attempts")
        _, config = owner.requester.requestJsonAndCheck("GET", "/app/hook/config")

    assert held["request"]["payload"]["action"] == "created"
    assert [headers["x-github-delivery"] for headers, _ in receiver.got] == [failed[0]["guid"]] * 2
    assert (config["url"], config["secret"]) == (receiver.url, "********")


def test_events_wait_until_they_are_delivered(github: GitHubServer, engine: Repository, receiver: Receiver) -> None:
    engine.add_hook(receiver.url, SECRET)
    github.world.deliver_automatically = False
    engine.open_pull("Change").merge()
    waiting = len(receiver.got)

    github.world.deliver_pending()

    assert (waiting, [action for _, action in receiver.seen[1:]]) == (1, ["opened", "closed"])


def test_every_payload_is_what_github_describes(github: GitHubServer, engine: Repository) -> None:
    github.world.deliver_automatically = False
    engine.add_hook("http://127.0.0.1:9/", SECRET, events=("pull_request", "repository"))
    pull = engine.open_pull("Change", head_repo_gone=True, body=None)
    pull.label("bug")
    pull.unlabel("bug")
    pull.edit(title="Other", body="Other", base="release")
    pull.merge(by=None)
    engine.transfer("umbra/engine")
    engine.delete()

    assert github.violations == []

"""A GitHub to ask, and ``mergecast doctor`` that asks it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.integration.cli.conftest import Answer, Mergecast
from tests.servers.github import GitHubServer, World

NAME = "lumen-labs/lumen"
HOOK = "http://127.0.0.1:9/webhooks/github"
READS = dict.fromkeys(("metadata", "contents", "pull_requests", "checks", "statuses", "issues"), "read")
TOKEN = "github_pat_canary"

Doctor = Callable[..., Answer]


@pytest.fixture
def github() -> Iterator[GitHubServer]:
    """GitHub with one private repository; nobody listens to its hooks."""
    with GitHubServer(world=World(html_host="https://github.com")) as server:
        server.world.add_repository(NAME, private=True)
        server.world.deliver_automatically = False
        yield server


@pytest.fixture
def doctor(mergecast: Mergecast, github: GitHubServer, here: Path) -> Doctor:
    """Run it with these settings of [github], the repository listed."""

    def run(**settings: str) -> Answer:
        given = {"api_url": github.api_url, **settings}
        lines = [f"{name} = '''{value}'''" for name, value in given.items()]
        listed = f'[[repositories]]\nfull_name = "{NAME}"\n'
        (here / "mergecast.toml").write_text("[github]\n" + "\n".join(lines) + f"\n{listed}")
        answer = mergecast("doctor", COLUMNS="400")
        assert TOKEN not in answer.stdout + answer.stderr
        assert answer.stderr == ""
        assert github.writes == [], "doctor changes nothing"
        return answer

    return run


def with_token(github: GitHubServer, hooks: bool = True, **rights: str) -> dict[str, str]:
    """Make a token that reads, and return the settings that name it."""
    given = READS | ({"repository_hooks": "read"} if hooks else {}) | rights
    github.world.token("reader", {name: level for name, level in given.items() if level}, value=TOKEN)
    return {"token": TOKEN}


def with_app(github: GitHubServer, **rights: str) -> dict[str, str]:
    """Make an App whose hook is as it must be, install it, and return the settings that name it."""
    app = github.world.app
    app.permissions = dict(READS)
    app.hook_url, app.hook_secret, app.events = HOOK, "a-secret", ("pull_request", "repository")
    given = READS | rights
    app.install("lumen-labs", permissions={name: level for name, level in given.items() if level})
    return {"app_id": str(app.id), "private_key": app.private_key_pem}

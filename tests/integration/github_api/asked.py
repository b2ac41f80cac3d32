"""A repository of the stand-in for GitHub, asked through the real code host."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from pydantic import SecretStr

from shared.code_host import CodeHost, open_code_host
from shared.domain.protocols import Allowance, CachedAnswer
from shared.domain.pull_request import PullRequest
from shared.settings import RepositorySettings
from shared.settings.code_host import GitHubSettings
from shared.sources.github_api import GitHubApi
from shared.sources.github_events import parse_stored
from tests.servers.github import GitHubServer
from tests.servers.github.pull_requests import PullRequest as HostedPull
from tests.servers.github.shapes import payloads

MERGED_AT = datetime(2026, 5, 6, 12, 0, tzinfo=UTC)
NOW = datetime(2026, 5, 6, 13, 0, tzinfo=UTC)
NAME = "acme/engine"
TOKEN = "ghp_reader"


class NoLimits:
    """A budget that never ends: what is asked, and how often, is read in the log of the stand-in."""

    def spend(self, credential: str, resource: str, keep: int = 0) -> None:
        return

    def note(self, credential: str, resource: str, allowance: Allowance) -> datetime | None:
        return allowance.wait_until


class KeptAnswers:
    """Answers in memory."""

    def __init__(self) -> None:
        self._kept: dict[str, CachedAnswer] = {}

    def get(self, key: str) -> CachedAnswer | None:
        return self._kept.get(key)

    def put(self, key: str, answer: CachedAnswer) -> None:
        self._kept[key] = answer


def github_settings(github: GitHubServer, *, token: bool = True) -> GitHubSettings:
    """Settings that ask the stand-in, with a reading token or without any credential."""
    if not token:
        return GitHubSettings(api_url=github.api_url, anonymous=True)
    github.world.token("reader", value=TOKEN)
    return GitHubSettings(api_url=github.api_url, token=SecretStr(TOKEN))


def open_host(github: GitHubServer, *, token: bool = True, clock: Callable[[], datetime] = lambda: NOW) -> CodeHost:
    """The real code host, asking the stand-in."""
    return open_code_host(github_settings(github, token=token), NoLimits(), KeptAnswers(), clock)


def open_api(
    github: GitHubServer,
    *,
    token: bool = True,
    clock: Callable[[], datetime] = lambda: NOW,
    settings: dict[str, Any] | None = None,
) -> GitHubApi:
    """The source under test for ``acme/engine``."""
    listed = RepositorySettings(full_name=NAME, **(settings or {}))
    return GitHubApi(open_host(github, token=token, clock=clock), NAME, listed, clock)


def facts_of(pull: HostedPull, **changes: Any) -> PullRequest:
    """What the webhook told of a merge."""
    payload = payloads.pull_request(pull, "closed")
    return parse_stored(json.dumps(payload).encode()).pull_request.model_copy(update=changes)


def asked(github: GitHubServer) -> list[str]:
    """The requests so far, in short: method and path."""
    return [f"{entry.method} {entry.path}" for entry in github.log]

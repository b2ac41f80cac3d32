"""A real PyGithub client of the stand-in, without the waits and retries that GitHub's own servers would ask for."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from github import Auth, Github
from tests.servers.github.server import GitHubServer

QUICK: dict[str, Any] = {"retry": None, "seconds_between_requests": 0, "seconds_between_writes": 0, "per_page": 100}


@contextmanager
def client(server: GitHubServer, auth: Auth.Auth | str | None = "ghp_reader") -> Iterator[Github]:
    """Yield a client with a token's value, any other kind of ``Auth``, or nothing; its connections are closed after."""
    made = Github(base_url=server.api_url, auth=Auth.Token(auth) if isinstance(auth, str) else auth, **QUICK)
    try:
        yield made
    finally:
        made.close()

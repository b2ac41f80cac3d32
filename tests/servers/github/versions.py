"""Versions of the REST API: the one that GitHub describes and assumes, and the next, which lacks some keys."""

from __future__ import annotations

from typing import Any

from tests.servers.github.exchange import Refusal, Request

ASSUMED, NEXT = "2022-11-28", "2026-03-10"
GONE = ("merge_commit_sha", "assignee", "has_downloads", "rate")
"""Keys that pull requests, issues, repositories and the rate limit lose in the next version."""


def check(request: Request) -> None:
    """Refuse a version that there is not, with 400."""
    asked = request.headers.get("x-github-api-version", ASSUMED)
    if asked not in {ASSUMED, NEXT}:
        raise Refusal(400, f"The API version {asked} is not supported.")


def fitted(request: Request, body: Any) -> Any:
    """Return an answer as the version that was asked for has it; ``body`` is in the assumed one."""
    if request.headers.get("x-github-api-version", ASSUMED) == ASSUMED:
        return body
    return _without(body)


def _without(value: Any) -> Any:
    if isinstance(value, list):
        return [_without(item) for item in value]
    if isinstance(value, dict):
        return {key: _without(item) for key, item in value.items() if key not in GONE}
    return value

"""Webhook payloads of merged pull requests in GitHub's shape, as bytes; every part can be overridden."""

from __future__ import annotations

import json
from typing import Any

FULL_NAME = "lumen/lumen"
MERGED_AT = "2026-05-06T12:00:00Z"


def merge_payload(
    number: int = 101,
    *,
    action: str = "closed",
    merged: bool = True,
    full_name: str = FULL_NAME,
    repository_id: int | None = 5_000_000_001,
    default_branch: str = "main",
    base: str | None = "main",
    merged_at: str = MERGED_AT,
    **pull: Any,
) -> bytes:
    """One ``pull_request`` delivery; ``pull`` adds or replaces fields of the pull request."""
    times = {"merged_at": merged_at if merged else None, "closed_at": merged_at, "updated_at": merged_at}
    pull_request = _pull_request(number) | {"merged": merged, "base": {"ref": base, "sha": "b" * 40}} | times | pull
    repository = {
        "id": repository_id,
        "full_name": full_name,
        "private": False,
        "default_branch": default_branch,
        "html_url": f"https://github.com/{full_name}",
    }
    return json.dumps(
        {"action": action, "number": number, "pull_request": pull_request, "repository": repository}
    ).encode()


def _pull_request(number: int) -> dict[str, Any]:
    return {
        "id": 4_000_000_000 + number,
        "number": number,
        "state": "closed",
        "title": f"Keep queue {number} in order",
        "body": "The queue lost its order when two workers finished together.",
        "user": {"login": "ada", "id": 11, "type": "User"},
        "labels": [],
        "merge_commit_sha": f"{number:040x}",
        "merged_by": {"login": "grace", "id": 12, "type": "User"},
        "head": {"ref": f"topic-{number}", "sha": f"{number + 1:040x}", "repo": None},
        "additions": 12,
        "deletions": 3,
        "changed_files": 2,
        "comments": 1,
    }

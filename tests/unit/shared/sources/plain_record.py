"""A merge record as git history gives it, to be varied by tests."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from shared.domain.pull_request import PullRequest
from shared.sources.merge_records import parse_line

PATH = Path("merges.jsonl")
PLAIN: dict[str, Any] = {
    "repository": "lumen/lumen",
    "number": 7,
    "title": "Keep the queue in order",
    "body": None,
    "user": {"login": "ada", "type": "User"},
    "merged_at": "2026-05-06T12:00:00Z",
    "merge_commit_sha": "a" * 40,
    "base": {"ref": "main"},
    "additions": 4,
    "deletions": 1,
    "changed_files": 2,
    "labels": [],
    "files": [
        {"filename": "a.py", "status": "modified", "additions": 4, "deletions": 1},
        {"filename": "c.py", "status": "renamed", "additions": 0, "deletions": 0, "previous_filename": "b.py"},
    ],
}


def record(**changes: Any) -> PullRequest:
    return parse_line(json.dumps(PLAIN | changes).encode(), 1, PATH)

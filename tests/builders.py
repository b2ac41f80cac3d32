"""Small, complete domain values for tests; every field can be overridden."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from shared.domain.analysis import Analysis, Coverage
from shared.domain.pull_request import ChangedFile, DetailSource, Person, PullRequest, RepositoryRef
from shared.domain.taxonomy import ChangeType

REPOSITORY = RepositoryRef(full_name="lumen/lumen", id=5_000_000_001, default_branch="main")
MERGED_AT = datetime(2026, 5, 6, 12, 0, tzinfo=UTC)


def make_file(filename: str = "lumen/core/engine.py", **overrides: Any) -> ChangedFile:
    """A modified file with three added lines and one removed one."""
    return ChangedFile(**({"filename": filename, "additions": 3, "deletions": 1} | overrides))


def make_pull_request(number: int = 101, **overrides: Any) -> PullRequest:
    """A small merge into main with one changed file; totals follow ``files`` unless given."""
    files = overrides.get("files", (make_file(),))
    values: dict[str, Any] = {
        "repository": REPOSITORY,
        "number": number,
        "title": "Keep the queue in order",
        "user": Person(login="ada", id=11),
        "merged_at": MERGED_AT,
        "updated_at": MERGED_AT,
        "base_ref": "main",
        "merge_commit_sha": f"{number:040x}",
        "files": files,
        "additions": sum(file.additions for file in files or ()),
        "deletions": sum(file.deletions for file in files or ()),
        "changed_files": len(files or ()),
        "detail_source": DetailSource.RECORDS if files is not None else DetailSource.PAYLOAD,
    }
    return PullRequest(**(values | overrides))


def make_analysis(number: int = 101, **overrides: Any) -> Analysis:
    """An analysis without tags of a fully seen one-file change."""
    values: dict[str, Any] = {
        "number": number,
        "fingerprint": f"fingerprint-{number}",
        "ruleset_version": "test",
        "summary": "Keep the queue in order",
        "change_type": ChangeType.FIX,
        "areas": ("core",),
        "coverage": Coverage(source=DetailSource.RECORDS, files_changed=1, files_seen=1, files_read=0),
    }
    return Analysis(**(values | overrides))

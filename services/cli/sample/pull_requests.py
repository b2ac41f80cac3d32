"""The pull request object of GitHub's payloads, complete, made from a merge record."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from services.cli.sample import shapes

MEMBERS = frozenset({"mira-okafor", "tkallas", "junwei-f", "sofia-lq", "pdr-almeida"})


def pull_request(record: Mapping[str, Any], *, merged: bool = True) -> dict[str, Any]:
    """Return the object as a ``closed`` delivery carries it; files and patches are not in it, as on GitHub.

    A record may lack what git history does not know (ids, creation time, branches): stable values stand in.
    """
    full_name, number = record["repository"], record["number"]
    head_sha = (record.get("head") or {}).get("sha") or f"{number:040x}"
    merged_at = record["merged_at"] if merged else None
    return {
        **_addresses(full_name, number, head_sha),
        **_identity(record),
        "state": "closed",
        "locked": False,
        "title": record["title"],
        "user": shapes.account(record.get("user")),
        "body": record.get("body"),
        "created_at": record.get("created_at") or _earlier(record["merged_at"]),
        "updated_at": record.get("updated_at") or record["merged_at"],
        "closed_at": record["merged_at"],
        "merged_at": merged_at,
        "merge_commit_sha": record.get("merge_commit_sha"),
        **dict.fromkeys(("assignee", "milestone", "active_lock_reason", "auto_merge")),
        **{field: [] for field in ("assignees", "requested_reviewers", "requested_teams")},
        "labels": [shapes.label(entry["name"], full_name) for entry in record.get("labels") or ()],
        "head": _head(record, head_sha),
        "base": _base(record),
        "_links": _links(full_name, number, head_sha),
        "author_association": record.get("author_association") or _association(record),
        "draft": False,
        "merged": merged,
        "mergeable": None,
        "rebaseable": None,
        "mergeable_state": "unknown",
        "merged_by": shapes.account(record.get("merged_by")) if merged else None,
        "comments": len(record.get("comments") or ()),
        "review_comments": len(record.get("review_comments") or ()),
        "maintainer_can_modify": False,
        "commits": len(record.get("commits") or ()) or 1,
        **{field: record.get(field, 0) for field in ("additions", "deletions", "changed_files")},
    }


def _association(record: Mapping[str, Any]) -> str:
    return "MEMBER" if (record.get("user") or {}).get("login") in MEMBERS else "CONTRIBUTOR"


def _identity(record: Mapping[str, Any]) -> dict[str, Any]:
    number = int(record.get("id") or shapes.stable_id("pull", record["repository"], record["number"]))
    repository = int((record["base"].get("repo") or {}).get("id") or 0)
    return {"id": number, "node_id": shapes.node_id("PR", repository, number), "number": record["number"]}


def _addresses(full_name: str, number: int, head_sha: str) -> dict[str, str]:
    api, page = f"{shapes.API}/repos/{full_name}", f"{shapes.SITE}/{full_name}/pull/{number}"
    return {
        "url": f"{api}/pulls/{number}",
        "html_url": page,
        "diff_url": f"{page}.diff",
        "patch_url": f"{page}.patch",
        "issue_url": f"{api}/issues/{number}",
        "commits_url": f"{api}/pulls/{number}/commits",
        "review_comments_url": f"{api}/pulls/{number}/comments",
        "review_comment_url": f"{api}/pulls/comments{{/number}}",
        "comments_url": f"{api}/issues/{number}/comments",
        "statuses_url": f"{api}/statuses/{head_sha}",
    }


def _links(full_name: str, number: int, head_sha: str) -> dict[str, dict[str, str]]:
    api = f"{shapes.API}/repos/{full_name}"
    targets = {
        "self": f"{api}/pulls/{number}",
        "html": f"{shapes.SITE}/{full_name}/pull/{number}",
        "issue": f"{api}/issues/{number}",
        "comments": f"{api}/issues/{number}/comments",
        "review_comments": f"{api}/pulls/{number}/comments",
        "review_comment": f"{api}/pulls/comments{{/number}}",
        "commits": f"{api}/pulls/{number}/commits",
        "statuses": f"{api}/statuses/{head_sha}",
    }
    return {name: {"href": address} for name, address in targets.items()}


def base_repository(record: Mapping[str, Any]) -> dict[str, Any]:
    """The object under ``repository`` of a delivery: the one that the pull request was merged into."""
    known: Mapping[str, Any] = record["base"].get("repo") or {}
    return shapes.repository(
        record["repository"],
        int(known.get("id") or shapes.stable_id("repository", record["repository"])),
        default_branch=str(known.get("default_branch") or "main"),
        private=bool(known.get("private")),
        pushed_at=record["merged_at"],
    )


def _base(record: Mapping[str, Any]) -> dict[str, Any]:
    owner, ref = record["repository"].split("/", 1)[0], record["base"]["ref"]
    return {
        "label": f"{owner}:{ref}",
        "ref": ref,
        "sha": record["base"].get("sha") or f"{record['number']:040x}",
        "user": shapes.account({"login": owner, "type": "Organization"}),
        "repo": shapes.with_merge_settings(base_repository(record), fork=False),
    }


def _head(record: Mapping[str, Any], sha: str) -> dict[str, Any]:
    """The head; its ``repo``, ``user`` and ``label`` are null when the fork is gone, as GitHub really sends them."""
    head: Mapping[str, Any] = record.get("head") or {}
    ref = head.get("ref") or f"change-{record['number']}"
    if "repo" in head and head["repo"] is None:
        return {"label": None, "ref": ref, "sha": sha, "user": None, "repo": None}
    full_name = (head.get("repo") or {}).get("full_name") or record["repository"]
    if full_name == record["repository"]:
        return {**_base(record), "label": f"{full_name.split('/', 1)[0]}:{ref}", "ref": ref, "sha": sha}
    owner = full_name.split("/", 1)[0]
    number = int(head["repo"].get("id") or shapes.stable_id("repository", full_name))
    fork = shapes.repository(full_name, number, default_branch="main", private=False, pushed_at=record["merged_at"])
    user = shapes.account(record["user"] if (record.get("user") or {}).get("login") == owner else {"login": owner})
    fork["owner"] = user
    repo = shapes.with_merge_settings(fork, fork=True)
    return {"label": f"{owner}:{ref}", "ref": ref, "sha": sha, "user": user, "repo": repo}


def _earlier(instant: str) -> str:
    return (datetime.fromisoformat(instant) - timedelta(days=1)).strftime("%Y-%m-%dT%H:%M:%SZ")

"""Turns what GraphQL answers into objects in the field names of the REST API, so that both are read alike; pure."""

from __future__ import annotations

from typing import Any

from shared.sources.github_payloads import Tree, items, string, tree, whole
from shared.sources.people import BOT_SUFFIX

_STATUS_CONCLUSIONS = {"error": "failure", "expected": "pending"}
"""The older commit statuses in the words of check runs."""


def account_object(actor: Any) -> Tree | None:
    """Return an account; None for a deleted one. Apps have their suffix in REST names and none in GraphQL."""
    known = tree(actor)
    login, kind = string(known.get("login")), string(known.get("__typename")) or "User"
    if login is None:
        return None
    if kind == "Bot" and not login.endswith(BOT_SUFFIX):
        login += BOT_SUFFIX
    return {"login": login, "id": whole(known.get("databaseId")), "type": kind}


def pull_object(node: Tree) -> Tree:
    """Return a pull request as the REST API would."""
    return {
        **{name: node.get(name) for name in ("number", "title", "body", "additions", "deletions")},
        "state": "open" if node.get("state") == "OPEN" else "closed",
        "merged": node.get("merged"),
        "user": account_object(node.get("author")),
        "merged_by": account_object(node.get("mergedBy")),
        "created_at": node.get("createdAt"),
        "updated_at": node.get("updatedAt"),
        "closed_at": node.get("closedAt"),
        "merged_at": node.get("mergedAt"),
        "author_association": node.get("authorAssociation"),
        "base": {"ref": node.get("baseRefName"), "sha": node.get("baseRefOid")},
        "head": {"ref": node.get("headRefName"), "sha": node.get("headRefOid")},
        "merge_commit_sha": tree(node.get("mergeCommit")).get("oid"),
        "labels": nodes(node.get("labels")),
        "changed_files": node.get("changedFiles"),
    }


def review_object(node: Tree) -> Tree:
    """Return a review as the REST API would."""
    return {
        "user": account_object(node.get("author")),
        "state": node.get("state"),
        "body": node.get("body"),
        "submitted_at": node.get("submittedAt"),
        "html_url": node.get("url"),
    }


def comment_object(node: Tree) -> Tree:
    """Return a comment of the conversation as the REST API would."""
    return {
        "user": account_object(node.get("author")),
        "body": node.get("body"),
        "created_at": node.get("createdAt"),
        "html_url": node.get("url"),
    }


def thread_object(node: Tree) -> Tree:
    """Return a review thread as merge records have it; comments that are not submitted yet are left out."""
    place = {"path": node.get("path"), "line": node.get("line") or node.get("originalLine")}
    submitted = [comment for comment in nodes(node.get("comments")) if comment.get("state") != "PENDING"]
    return {
        **place,
        "resolved": node.get("isResolved"),
        "outdated": node.get("isOutdated"),
        "resolved_by": account_object(node.get("resolvedBy")),
        "comments": [comment_object(comment) | place for comment in submitted],
    }


def commit_object(node: Tree) -> Tree:
    """Return a commit as the REST API would, as far as it is read."""
    commit = tree(node.get("commit"))
    return {"sha": commit.get("oid"), "commit": {"message": commit.get("message")}}


def check_object(node: Tree) -> Tree:
    """Return a check run or a commit status as merge records have it."""
    if node.get("__typename") == "StatusContext":
        state = str(node.get("state")).lower()
        return {
            "name": node.get("context"),
            "conclusion": _STATUS_CONCLUSIONS.get(state, state),
            "url": node.get("targetUrl"),
        }
    return {
        "name": node.get("name"),
        "conclusion": str(node.get("conclusion") or "pending").lower(),
        "url": node.get("detailsUrl") or node.get("url"),
    }


def issue_object(node: Tree, full_name: str) -> Tree:
    """Return a linked issue as merge records have it; its repository only where it is another than ``full_name``."""
    where = string(tree(node.get("repository")).get("nameWithOwner"))
    other = where is not None and where.casefold() != full_name.casefold()
    return {**{name: node.get(name) for name in ("number", "title", "url")}, "repository": where if other else None}


def nodes(connection: Any) -> list[Tree]:
    """Return the entries of a connection; those that may not be seen are null and left out."""
    return [node for node in items(tree(connection).get("nodes")) if isinstance(node, dict)]

"""Maps review threads, checks, linked issues and cuts between records and domain values; pure."""

from __future__ import annotations

from typing import Any

from shared.domain.pull_request import CheckResult, Cut, LinkedIssue, ReviewThread
from shared.sources.github_payloads import full_name_of, items, person_of, string, tree, web_address, whole
from shared.sources.record_details import comment_tree, comments_of, person_tree

_CUTS = {cut.value: cut for cut in Cut}


def threads_of(value: Any) -> tuple[ReviewThread, ...] | None:
    """Return review threads; None for anything but a list, which tells of none."""
    if not isinstance(value, list):
        return None
    return tuple(
        ReviewThread(
            path=string(thread.get("path")),
            line=whole(thread.get("line")),
            resolved=thread["resolved"] if isinstance(thread.get("resolved"), bool) else None,
            outdated=thread.get("outdated") is True,
            resolved_by=person_of(thread["resolved_by"]) if isinstance(thread.get("resolved_by"), dict) else None,
            comments=comments_of(thread.get("comments")),
        )
        for thread in map(tree, value)
    )


def checks_of(value: Any) -> tuple[CheckResult, ...] | None:
    """Return the results of checks, those without a name left out; None for anything but a list."""
    if not isinstance(value, list):
        return None
    return tuple(
        CheckResult(name=name, conclusion=conclusion, url=web_address(check.get("url")))
        for check in map(tree, value)
        if (name := string(check.get("name"))) and (conclusion := string(check.get("conclusion")))
    )


def issues_of(value: Any) -> tuple[LinkedIssue, ...]:
    """Return the issues that the merge closed; entries without a number are left out."""
    return tuple(
        LinkedIssue(
            number=number,
            title=string(issue.get("title")) or "",
            url=web_address(issue.get("url")),
            repository=full_name_of(issue.get("repository")),
        )
        for issue in map(tree, items(value))
        if (number := whole(issue.get("number"), least=1)) is not None
    )


def cut_of(value: Any) -> dict[str, Cut]:
    """Return which lists are not whole, and why; reasons that are not known are left out."""
    return {name: _CUTS[reason] for name, reason in tree(value).items() if isinstance(reason, str) and reason in _CUTS}


def thread_tree(thread: ReviewThread) -> dict[str, Any]:
    """The inverse of one entry of ``threads_of``."""
    return {
        **thread.model_dump(mode="json", include={"path", "line", "resolved", "outdated"}),
        "resolved_by": person_tree(thread.resolved_by) if thread.resolved_by else None,
        "comments": [comment_tree(comment) for comment in thread.comments],
    }


def review_fields(record: Any) -> dict[str, Any]:
    """Return the ``PullRequest`` fields that a record tells of threads, checks, issues and cuts."""
    return {
        "review_threads": threads_of(record.get("review_threads")),
        "checks": checks_of(record.get("checks")),
        "linked_issues": issues_of(record.get("linked_issues")),
        "cut": cut_of(record.get("cut")),
    }

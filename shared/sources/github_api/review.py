"""Reads review, conversation, commits, checks and issues of one merge: one GraphQL query, more for long lists."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from shared.code_host import CodeHost
from shared.domain.errors import Absent
from shared.domain.pull_request import Comment, Cut, Person, PullRequest, RepositoryRef, ReviewThread
from shared.sources.github_api.asking import ask
from shared.sources.github_api.credits import co_authors
from shared.sources.github_api.queries import MERGE
from shared.sources.github_api.shapes import (
    check_object,
    comment_object,
    commit_object,
    issue_object,
    nodes,
    review_object,
    thread_object,
)
from shared.sources.github_api.told import Told, Totals
from shared.sources.github_payloads import Tree, string, tree, whole
from shared.sources.record_details import comments_of, commits_of, message_of, reviews_of
from shared.sources.record_review import checks_of, issues_of, threads_of

MOST_PAGES = 10
"""Pages of a hundred entries that are read of any list."""
MOST_COMMITS = 250
"""GitHub lists no more commits of a pull request."""
_LISTS = ("reviews", "threads", "comments", "commits", "checks", "issues")
_NEVER_NULL = frozenset(_LISTS) - {"checks"}
"""No rollup of checks is also the answer where there are none."""
_CONNECTIONS = {"threads": "reviewThreads", "issues": "closingIssuesReferences"}
_FIELDS = {"threads": "review_threads", "issues": "linked_issues"}
"""Lists that GraphQL, and a ``PullRequest``, call otherwise."""


@dataclass(frozen=True)
class _Read:
    """The pull request as answered last, and the entries of each list from all pages."""

    pull: Tree
    entries: dict[str, list[Tree]]
    commits: int
    """How many there are: counted on the page that has them, the first."""
    unfinished: frozenset[str]
    withheld: frozenset[str]
    """Lists that are null: the credential may not see them."""


def read_told(host: CodeHost, repository: RepositoryRef, facts: PullRequest) -> Told:
    """Return everything that the host tells of the merge ``facts`` but its files.

    A list of more than a thousand entries is cut. Absent when the host does not show the pull request.
    """
    read = _read(host, repository, facts.number)
    pull, entries = read.pull, read.entries
    commits = [commit_object(node) for node in entries["commits"]][:MOST_COMMITS]
    threads = threads_of([thread_object(node) for node in entries["threads"]]) or ()
    texts = [*(message_of(commit) for commit in commits), string(pull.get("body")) or ""]
    return Told(
        reviews=reviews_of([review_object(node) for node in entries["reviews"]]),
        review_comments=_flat(threads),
        reviews_known="reviews" not in read.withheld,
        comments=comments_of([comment_object(node) for node in entries["comments"]]),
        review_threads=None if "threads" in read.withheld else tuple(thread for thread in threads if thread.comments),
        checks=checks_of([check_object(node) for node in entries["checks"]]) if _has_checks(pull, entries) else None,
        linked_issues=issues_of([issue_object(node, repository.full_name) for node in entries["issues"]]),
        commits=commits_of(commits),
        co_authors=co_authors(_named(facts.user, pull), _signers(entries["commits"]), texts, facts.co_authors),
        cut=_cut(read),
        totals=Totals(*(whole(pull.get(name)) or 0 for name in ("additions", "deletions", "changedFiles"))),
    )


def _read(host: CodeHost, repository: RepositoryRef, number: int) -> _Read:
    entries: dict[str, list[Tree]] = {name: [] for name in _LISTS}
    variables: dict[str, Any] = {"number": number}
    pull: Tree = {}
    wanted: list[str] = list(_LISTS)
    withheld: frozenset[str] = frozenset()
    commits = 0
    for _ in range(MOST_PAGES):
        found, repository = ask(host, MERGE, repository, variables)
        pull = tree(found.get("pullRequest"))
        if not pull:
            raise Absent(f"{host.host} does not show pull request {number} of {repository.full_name}.")
        commits = max(commits, whole(tree(pull.get("commits")).get("totalCount")) or 0)
        pages = {name: _connection(pull, name) for name in wanted}
        withheld = withheld | {name for name in wanted if name in _NEVER_NULL and not pages[name]}
        for name, page in pages.items():
            entries[name] += nodes(page)
        ends = {name: tree(page.get("pageInfo")) for name, page in pages.items()}
        wanted = [name for name in wanted if _goes_on(name, ends[name], entries[name])]
        if not wanted:
            break
        variables = {
            "number": number,
            **{name: name in wanted for name in _LISTS},
            **{f"{name}After": ends[name].get("endCursor") for name in wanted},
        }
    return _Read(pull, entries, commits, frozenset(wanted), withheld)


def _goes_on(name: str, page_info: Tree, entries: list[Tree]) -> bool:
    enough = name == "commits" and len(entries) >= MOST_COMMITS
    return page_info.get("hasNextPage") is True and not enough


def _connection(pull: Tree, name: str) -> Tree:
    if name == "checks":
        return tree(_rollup(pull).get("contexts"))
    return tree(pull.get(_CONNECTIONS.get(name, name)))


def _rollup(pull: Tree) -> Tree:
    return next((tree(tree(node.get("commit")).get("statusCheckRollup")) for node in nodes(pull.get("head"))), {})


def _has_checks(pull: Tree, entries: dict[str, list[Tree]]) -> bool:
    """No rollup is the answer for no checks and for a right that is missing: neither tells that all was well."""
    return bool(entries["checks"] or _rollup(pull))


def _named(author: Person, pull: Tree) -> Person:
    """The author as an event told, with the name that the host shows: commits may have nothing but that name."""
    name = string(tree(pull.get("author")).get("name"))
    return author.model_copy(update={"name": author.name or name})


def _signers(commits: Iterable[Tree]) -> list[Tree]:
    return [signer for node in commits for signer in nodes(tree(node.get("commit")).get("authors"))]


def _flat(threads: Iterable[ReviewThread]) -> tuple[Comment, ...]:
    """The comments of all threads in the order in which they were made, as REST lists them."""
    comments = [comment for thread in threads for comment in thread.comments]
    return tuple(
        sorted(comments, key=lambda comment: "" if comment.created_at is None else comment.created_at.isoformat())
    )


def _cut(read: _Read) -> dict[str, Cut]:
    cut = {_FIELDS.get(name, name): Cut.OUR_LIMIT for name in read.unfinished}
    cut |= {_FIELDS.get(name, name): Cut.NOT_ALLOWED for name in read.withheld}
    if read.commits > min(len(read.entries["commits"]), MOST_COMMITS) and "commits" not in read.withheld:
        cut["commits"] = Cut.HOST_LIMIT
    long_threads = (tree(tree(node.get("comments")).get("pageInfo")) for node in read.entries["threads"])
    if any(page.get("hasNextPage") is True for page in long_threads):
        cut["review_comments"] = Cut.OUR_LIMIT
    return cut

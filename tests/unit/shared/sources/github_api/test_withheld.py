"""Lists that the host does not give are told from lists that are empty."""

from __future__ import annotations

from typing import Any, cast

import pytest

from shared.code_host import CodeHost
from shared.domain.pull_request import Cut
from shared.sources.github_api.review import MOST_PAGES, read_told
from tests.builders import REPOSITORY, make_pull_request

EMPTY: dict[str, Any] = {"nodes": [], "pageInfo": {"hasNextPage": False}}
FACTS = make_pull_request(101, files=None)


class Host:
    """Answers every query with the same pull request."""

    host = "github.com"

    def __init__(self, **pull: Any) -> None:
        lists = ("reviews", "reviewThreads", "comments", "commits", "closingIssuesReferences")
        self.pull = dict.fromkeys(lists, EMPTY) | {"number": 101} | pull
        self.asked: list[dict[str, Any]] = []

    def query(self, _document: str, variables: dict[str, Any], **_: Any) -> dict[str, Any]:
        self.asked.append(variables)
        wanted = {name: value for name, value in self.pull.items() if variables.get(name) is not False}
        return {"repository": {"databaseId": REPOSITORY.id, "pullRequest": wanted}}


class Ends(Host):
    """Ends each list with its second page."""

    def query(self, document: str, variables: dict[str, Any], **more: Any) -> dict[str, Any]:
        answered = super().query(document, variables, **more)
        if len(self.asked) > 1:
            last = {name: value | {"pageInfo": EMPTY["pageInfo"]} for name, value in self._lists(answered).items()}
            answered["repository"]["pullRequest"] |= last
        return answered

    def _lists(self, answered: dict[str, Any]) -> dict[str, Any]:
        pull = answered["repository"]["pullRequest"]
        return {name: value for name, value in pull.items() if isinstance(value, dict) and "pageInfo" in value}


def told(host: Host) -> Any:
    return read_told(cast("CodeHost", host), REPOSITORY, FACTS)


def test_a_pull_request_with_nothing_to_tell_is_wholly_told() -> None:
    found = told(Host())

    assert (found.reviews_known, found.reviews, found.review_threads, found.cut) == (True, (), (), {})


def test_lists_that_the_credential_may_not_see_are_null() -> None:
    found = told(Host(reviews=None, reviewThreads=None, closingIssuesReferences=None))

    assert (found.reviews_known, found.review_threads) == (False, None)
    assert found.cut == dict.fromkeys(("reviews", "review_threads", "linked_issues"), Cut.NOT_ALLOWED)


def test_no_rollup_says_nothing_about_checks_and_an_empty_one_that_there_are_none() -> None:
    commit = {"commit": {"statusCheckRollup": {"contexts": EMPTY}}}

    assert told(Host()).checks is None
    assert told(Host(head={"nodes": [commit]})).checks == ()


def test_entries_that_are_null_are_left_out() -> None:
    issues = EMPTY | {"nodes": [None, {"number": 3, "title": "Seen"}]}

    assert [issue.number for issue in told(Host(closingIssuesReferences=issues)).linked_issues] == [3]


def test_a_list_without_an_end_is_cut_and_only_it_is_asked_for_again() -> None:
    endless = {"nodes": [{"body": "Word"}], "pageInfo": {"hasNextPage": True, "endCursor": "there"}}
    host = Host(comments=endless)

    found = told(host)

    assert len(found.comments) == len(host.asked) == MOST_PAGES
    assert found.cut == {"comments": Cut.OUR_LIMIT}
    again = host.asked[1]
    assert (again["comments"], again["commentsAfter"], again["reviews"], again["commits"]) == (
        True,
        "there",
        False,
        False,
    )


def test_a_thread_with_more_than_a_hundred_comments_is_cut() -> None:
    comments = {"nodes": [{"body": "Why?"}], "pageInfo": {"hasNextPage": True}}
    threads = EMPTY | {"nodes": [{"path": "a.py", "isResolved": False, "comments": comments}]}

    assert told(Host(reviewThreads=threads)).cut == {"review_comments": Cut.OUR_LIMIT}


@pytest.mark.parametrize("pages", [1, 2])
@pytest.mark.parametrize(("count", "cut"), [(3, {}), (400, {"commits": Cut.HOST_LIMIT})])
def test_how_many_commits_there_are_is_told_by_the_first_page(pages: int, count: int, cut: dict[str, Cut]) -> None:
    commits = {"nodes": [{"commit": {"oid": f"{place:040x}", "message": "Step"}} for place in range(3)]}
    more = {"nodes": [{"body": "Word"}], "pageInfo": {"hasNextPage": pages > 1, "endCursor": "there"}}
    host = Ends(commits=EMPTY | commits | {"totalCount": count}, comments=more)

    found = told(host)

    assert (len(host.asked), len(found.comments), len(found.commits), found.cut) == (pages, pages, 3, cut)

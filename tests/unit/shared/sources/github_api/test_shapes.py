"""GraphQL answers in REST names, whatever is null or missing in them."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.sources.github_api import shapes
from shared.sources.record_details import comments_of, commits_of, reviews_of
from shared.sources.record_review import checks_of, issues_of, threads_of

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)
FIELDS = ("author", "body", "state", "comments", "commit", "line", "path", "number", "repository", "conclusion", "name")


@pytest.mark.parametrize(
    ("actor", "login", "kind"),
    [
        ({"__typename": "User", "login": "ada"}, "ada", "User"),
        ({"__typename": "Bot", "login": "dependabot"}, "dependabot[bot]", "Bot"),
        ({"__typename": "Bot", "login": "odd[bot]"}, "odd[bot]", "Bot"),
        ({"__typename": "Mannequin", "login": "imported"}, "imported", "Mannequin"),
        ({"login": "resolver"}, "resolver", "User"),
    ],
)
def test_an_account_is_called_as_in_the_rest_api(actor: dict[str, Any], login: str, kind: str) -> None:
    found = shapes.account_object(actor)

    assert found is not None
    assert (found["login"], found["type"]) == (login, kind)


@pytest.mark.parametrize("actor", [None, {}, {"login": ""}, "ada", []])
def test_an_account_that_is_gone_is_none(actor: Any) -> None:
    assert shapes.account_object(actor) is None


@pytest.mark.parametrize(
    ("node", "conclusion"),
    [
        ({"__typename": "CheckRun", "name": "tests", "conclusion": "TIMED_OUT"}, "timed_out"),
        ({"__typename": "CheckRun", "name": "tests", "conclusion": None}, "pending"),
        ({"__typename": "StatusContext", "context": "tests", "state": "SUCCESS"}, "success"),
        ({"__typename": "StatusContext", "context": "tests", "state": "ERROR"}, "failure"),
        ({"__typename": "StatusContext", "context": "tests", "state": "EXPECTED"}, "pending"),
    ],
)
def test_checks_and_statuses_have_the_words_of_check_runs(node: dict[str, Any], conclusion: str) -> None:
    (check,) = checks_of([shapes.check_object(node)]) or ()

    assert (check.name, check.conclusion) == ("tests", conclusion)


def test_an_issue_of_another_repository_says_so() -> None:
    node = {"number": 3, "title": "Slow", "repository": {"nameWithOwner": "Acme/Tools"}}

    (own,) = issues_of([shapes.issue_object(node, "acme/tools")])
    (other,) = issues_of([shapes.issue_object(node, "acme/engine")])

    assert (own.repository, other.repository) == (None, "Acme/Tools")


def test_comments_that_are_not_submitted_are_in_no_thread() -> None:
    comments = {"nodes": [{"body": "Sent", "state": "SUBMITTED"}, {"body": "Draft", "state": "PENDING"}]}
    node = {"path": "a.py", "line": None, "originalLine": 4, "isOutdated": True, "isResolved": False}

    (thread,) = threads_of([shapes.thread_object(node | {"comments": comments})]) or ()

    assert [(comment.body, comment.path, comment.line) for comment in thread.comments] == [("Sent", "a.py", 4)]


@given(st.dictionaries(st.sampled_from(FIELDS), JSON))
def test_no_answer_is_too_odd_to_be_read(node: dict[str, Any]) -> None:
    read = (
        reviews_of([shapes.review_object(node)]),
        comments_of([shapes.comment_object(node)]),
        commits_of([shapes.commit_object(node)]),
        threads_of([shapes.thread_object(node)]),
        checks_of([shapes.check_object(node)]),
        issues_of([shapes.issue_object(node, "acme/engine")]),
    )

    assert all(len(entries or ()) <= 1 for entries in read)
    assert shapes.pull_object(node)["title"] == node.get("title")

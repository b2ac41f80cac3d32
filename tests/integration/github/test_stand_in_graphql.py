"""The stand-in answers GraphQL queries from the same state, against GitHub's own schema."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from tests.servers.github import CommitSpec, GitHubServer
from tests.servers.github.repositories import Repository

MONDAY = datetime(2026, 5, 4, 8, tzinfo=UTC)
PULL = """
query ($number: Int!) {
  rateLimit { cost remaining resetAt }
  repository(owner: "acme", name: "engine") {
    databaseId nameWithOwner isPrivate defaultBranchRef { name }
    object(expression: "HEAD:CODEOWNERS") { ... on Blob { text isBinary } }
    pullRequest(number: $number) {
      fullDatabaseId title body state merged mergedAt baseRefName headRefOid additions
      author { __typename login ... on User { databaseId } ... on Bot { databaseId } }
      mergedBy { login } mergeCommit { oid }
      labels(first: 10) { nodes { name } }
      reviews(first: 10) { nodes { author { login } state submittedAt } }
      reviewThreads(first: 10) { nodes { isResolved isOutdated path line originalLine resolvedBy { login }
        comments(first: 5) { nodes { author { login } body } } } }
      comments(first: 10) { nodes { body } }
      commits(first: 10) { nodes { commit { authors(first: 5) { nodes { name user { login } } }
        statusCheckRollup { state contexts(first: 10) { nodes { __typename
          ... on CheckRun { name conclusion isRequired(pullRequestNumber: $number) }
          ... on StatusContext { context state } } } } } } }
      closingIssuesReferences(first: 5) { nodes { number repository { nameWithOwner } } }
    }
  }
}
"""
MERGED = """
query ($after: String, $direction: OrderDirection!) {
  repository(owner: "acme", name: "engine") {
    pullRequests(first: 10, after: $after, states: [MERGED], orderBy: {field: UPDATED_AT, direction: $direction}) {
      nodes { number } pageInfo { hasNextPage endCursor }
    }
  }
}
"""


@pytest.fixture
def github() -> Iterator[GitHubServer]:
    with GitHubServer() as server:
        server.world.token("reader")
        yield server


@pytest.fixture
def engine(github: GitHubServer) -> Repository:
    return github.world.add_repository("acme/engine", id=5_000_000_001)


def asked(github: GitHubServer, query: str, value: str = "ghp_reader", **variables: Any) -> dict[str, Any]:
    body = json.dumps({"query": query, "variables": variables}).encode()
    answer, _ = github.exchange("POST", "/api/graphql", {"authorization": f"bearer {value}"}, body)
    assert answer.status == 200
    return answer.body


def test_one_query_reads_a_pull_request_with_all_that_was_said(github: GitHubServer, engine: Repository) -> None:
    engine.files["CODEOWNERS"] = "* @ada"
    pull = engine.open_pull("Change", "ada", None, labels=("bug",))
    pull.review(None, "CHANGES_REQUESTED")
    pull.review("alice", "PENDING")
    pull.thread("src/queue.py", 3, [("alice", "Why?")], resolved=True, outdated=True)
    pull.comment("bob", "Thanks!")
    pull.link_issue(12, "The queue loses its order")
    pull.merge(by="queue[bot]")

    answer = asked(github, PULL, number=1)

    read = answer["data"]["repository"]
    change = read["pullRequest"]
    assert answer["data"]["rateLimit"]["remaining"] == 4_999
    assert (read["databaseId"], read["object"]) == (5_000_000_001, {"text": "* @ada", "isBinary": False})
    assert (change["state"], change["body"], change["mergedBy"]) == ("MERGED", "", {"login": "queue"})
    assert [review["author"] for review in change["reviews"]["nodes"][:2]] == [None, {"login": "alice"}]
    assert change["reviews"]["nodes"][1]["submittedAt"] is None
    thread = change["reviewThreads"]["nodes"][0]
    assert (thread["line"], thread["originalLine"], thread["resolvedBy"]) == (None, 3, {"login": "ada"})
    assert change["closingIssuesReferences"]["nodes"] == [
        {"number": 12, "repository": {"nameWithOwner": "acme/engine"}}
    ]


def test_the_same_query_reads_who_wrote_the_commits_and_what_was_checked(
    github: GitHubServer, engine: Repository
) -> None:
    github.world.user("bea")
    trailers = "Co-authored-by: Bea <7+bea@users.noreply.example>\nco-authored-by: BEA <7+BEA@users.noreply.example>"
    pull = engine.open_pull("Change", commits=[CommitSpec(f"Step\n\n{trailers}", "ada", "Ada")])
    pull.check("ci/test", "failure", required=True)
    pull.status("ci/old", "success")

    change = asked(github, PULL, number=1)["data"]["repository"]["pullRequest"]

    commit = change["commits"]["nodes"][0]["commit"]
    assert commit["authors"]["nodes"] == [
        {"name": "Ada", "user": {"login": "ada"}},
        {"name": "Bea", "user": {"login": "bea"}},
    ]
    assert commit["statusCheckRollup"] == {
        "state": "FAILURE",
        "contexts": {
            "nodes": [
                {"__typename": "CheckRun", "name": "ci/test", "conclusion": "FAILURE", "isRequired": True},
                {"__typename": "StatusContext", "context": "ci/old", "state": "SUCCESS"},
            ]
        },
    }


@pytest.mark.parametrize("direction", ["ASC", "DESC"])
def test_pages_keep_their_place_when_others_move(github: GitHubServer, engine: Repository, direction: str) -> None:
    for number in range(35):
        engine.open_pull(f"Change {number}", created_at=MONDAY).merge(at=MONDAY + timedelta(hours=number // 2))
    numbers: list[int] = []
    after = None
    while True:
        page = asked(github, MERGED, after=after, direction=direction)["data"]["repository"]["pullRequests"]
        numbers += [node["number"] for node in page["nodes"]]
        if not page["pageInfo"]["hasNextPage"]:
            break
        after = page["pageInfo"]["endCursor"]
        engine.pulls[numbers[-1]].touch(at=MONDAY + timedelta(days=30 if direction == "DESC" else -30))

    rising = list(range(1, 36))
    assert numbers == (rising if direction == "ASC" else rising[::-1])


def test_a_renamed_repository_is_found_by_its_old_name(github: GitHubServer, engine: Repository) -> None:
    engine.rename("acme/motor")

    answer = asked(github, '{ repository(owner: "acme", name: "engine") { nameWithOwner } }')

    assert answer == {"data": {"repository": {"nameWithOwner": "acme/motor"}}}


@pytest.mark.parametrize(
    ("query", "kind", "words"),
    [
        ('{ repository(owner: "a", name: "b") { id } }', "NOT_FOUND", "Could not resolve to a Repository"),
        ('{ repository(owner: "acme", name: "secret") { id } }', "NOT_FOUND", "Could not resolve to a Repository"),
        ('{ node(id: "PR_1") { id } }', "NOT_FOUND", "global id"),
        (
            '{ repository(owner: "acme", name: "engine") { pullRequest(number: 9) { id } } }',
            "NOT_FOUND",
            "PullRequest with the number of 9",
        ),
        (
            '{ repository(owner: "acme", name: "engine") { pullRequests { totalCount } } }',
            "MISSING_PAGINATION_BOUNDARIES",
            "`first` or `last`",
        ),
        (
            '{ repository(owner: "acme", name: "engine") { pullRequests(first: 101) { totalCount } } }',
            "EXCESSIVE_PAGINATION",
            "101 records",
        ),
        ('{ repository(owner: "acme", name: "engine") { nonsense } }', None, "Cannot query field"),
    ],
)
def test_what_cannot_be_answered_is_an_error_of_github_s_kind(
    github: GitHubServer, engine: Repository, query: str, kind: str | None, words: str
) -> None:
    github.world.add_repository("acme/secret", private=True)
    github.world.token("other", repositories=["acme/engine"])

    error = asked(github, query, "ghp_other")["errors"][0]

    assert (error.get("type"), words in error["message"]) == (kind, True)


def test_points_are_taken_by_size_and_their_end_is_rate_limited_with_200(
    github: GitHubServer, engine: Repository
) -> None:
    github.world.token("small", graphql_limit=4)
    engine.open_pull("Change")
    wide = """{ rateLimit { cost nodeCount } repository(owner: "acme", name: "engine") {
      pullRequests(first: 100) { nodes { reviews(first: 10) { nodes { state } } comments(first: 5) { nodes { body } } } } } }"""

    first = asked(github, wide, "ghp_small")
    asked(github, wide, "ghp_small")
    third = asked(github, wide, "ghp_small")

    assert first["data"]["rateLimit"] == {"cost": 2, "nodeCount": 1_600}
    assert third["errors"][0]["type"] == "RATE_LIMITED"


def test_checks_need_a_right_of_their_own_in_a_private_repository(github: GitHubServer) -> None:
    secret = github.world.add_repository("acme/secret", private=True)
    secret.open_pull("Change").check("ci/test", "success")
    query = """{ repository(owner: "acme", name: "secret") { pullRequest(number: 1) { title
      commits(last: 1) { nodes { commit { statusCheckRollup { state } } } } } } }"""

    answer = asked(github, query)

    read = answer["data"]["repository"]["pullRequest"]
    assert (read["title"], answer["errors"][0]["type"]) == ("Change", "FORBIDDEN")
    assert read["commits"]["nodes"][0]["commit"]["statusCheckRollup"] is None


def test_nobody_may_not_ask(github: GitHubServer) -> None:
    answer, _ = github.exchange("POST", "/api/graphql", {}, b'{"query": "{ viewer { login } }"}')

    assert (answer.status, answer.headers["X-RateLimit-Limit"]) == (403, "0")

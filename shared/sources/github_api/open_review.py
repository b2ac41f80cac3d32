"""Reads the review of one merge over REST alone and with few requests: without a credential, or without GraphQL."""

from __future__ import annotations

from shared.code_host import CodeHost, path_of
from shared.domain.pull_request import Cut, PullRequest, RepositoryRef
from shared.sources.github_api.credits import co_authors, signer_of
from shared.sources.github_api.told import Told
from shared.sources.github_payloads import Tree, items
from shared.sources.record_details import comments_of, commits_of, message_of, reviews_of

_NEVER_TOLD = ("review_threads", "checks", "linked_issues")
"""GitHub tells these only through GraphQL, or only at the price of one more request each."""


class OpenReview:
    """Reads lists of one pull request until its requests are used up; ``cut`` has those that were not read whole."""

    def __init__(self, host: CodeHost, repository: RepositoryRef, number: int, requests: int, why: Cut) -> None:
        self._host = host
        self._repository = repository
        self._number = number
        self._left = requests
        self._why = why
        self.cut: dict[str, Cut] = dict.fromkeys(_NEVER_TOLD, why)

    def read(self, name: str, kind: str, part: str) -> list[Tree]:
        """Return the entries of ``kind``/NUMBER/``part``, as many pages as there are requests left for."""
        found: list[Tree] = []
        parameters: dict[str, str] | None = {"per_page": "100"}
        path = f"{path_of(self._repository)}/{kind}/{self._number}/{part}"
        while parameters is not None:
            if self._left <= 0:
                self.cut[name] = self._why if self._why is Cut.NO_CREDENTIAL else Cut.OUR_LIMIT
                break
            self._left -= 1
            answer = self._host.read(path, parameters, about=self._repository)
            found += [entry for entry in items(answer.body) if isinstance(entry, dict)]
            parameters = answer.next
        return found


def read_openly(
    host: CodeHost, repository: RepositoryRef, facts: PullRequest, requests: int, why: Cut = Cut.NO_CREDENTIAL
) -> Told:
    """Return what can be told of the merge ``facts`` with so many requests, the reviews first; ``cut`` has the rest.

    Every comment on the diff belongs to a review, so without one there is none to ask for. Commits of a merge do not
    change: those that are known are not asked for again.
    """
    reader = OpenReview(host, repository, facts.number, requests, why)
    reviews = reader.read("reviews", "pulls", "reviews")
    review_comments = reader.read("review_comments", "pulls", "comments") if reviews else []
    commits = [] if facts.commits else reader.read("commits", "pulls", "commits")
    comments = reader.read("comments", "issues", "comments")
    texts = [message_of(commit) for commit in commits]
    return Told(
        reviews=reviews_of(reviews),
        review_comments=comments_of(review_comments),
        comments=comments_of(comments),
        commits=commits_of(commits),
        co_authors=co_authors(facts.user, [signer_of(commit) for commit in commits], texts, facts.co_authors),
        cut=reader.cut,
    )

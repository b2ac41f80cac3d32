"""Reading pull requests: the list, one, and what hangs on it, with GitHub's own ends of each list (R-51)."""

from __future__ import annotations

from operator import attrgetter

from tests.servers.github.exchange import Answer, Refusal, Request
from tests.servers.github.pull_requests import PullRequest
from tests.servers.github.repositories import Repository
from tests.servers.github.rest.pages import cut, page
from tests.servers.github.shapes import commits, issues, pull_requests

MOST_FILES, MOST_COMMITS, MOST_FILES_IN_A_DIFF = 3_000, 250, 300


def found(repository: Repository, number: str) -> PullRequest:
    """Return a pull request, or refuse with 404."""
    pull = repository.pulls.get(int(number)) if number.isdigit() else None
    if pull is None:
        raise Refusal(404, "Not Found")
    return pull


def listed(request: Request, repository: Repository) -> Answer:
    """``GET /repos/{owner}/{repo}/pulls``: newest first unless it says otherwise."""
    query = request.query
    state, sort = query.get("state", "open"), query.get("sort", "created")
    base, head = query.get("base"), query.get("head", "").rpartition(":")[2]
    chosen = [
        pull
        for pull in repository.pulls.values()
        if state in {"all", pull.state} and base in {None, pull.base} and head in {"", pull.head}
    ]
    moment = attrgetter("updated_at" if sort == "updated" else "created_at", "number")
    falling = query.get("direction", "desc" if sort in {"created", "updated"} else "asc") == "desc"
    chosen.sort(key=moment, reverse=falling)
    return page(request, chosen, pull_requests.simple)


def one(request: Request, repository: Repository, pull_number: str) -> Answer:
    """``GET /repos/{owner}/{repo}/pulls/{pull_number}``, as JSON or as a diff."""
    pull = found(repository, pull_number)
    accept = request.headers.get("accept", "")
    if "diff" in accept or "patch" in accept:
        return _diff(pull)
    return Answer(body=pull_requests.full(pull))


def files(request: Request, repository: Repository, pull_number: str) -> Answer:
    """``GET …/pulls/{pull_number}/files``: ends at 3,000 without a word (C-40)."""
    pull = found(repository, pull_number)
    return page(request, pull.files[:MOST_FILES], lambda file: pull_requests.file(file, pull))


def reviews(request: Request, repository: Repository, pull_number: str) -> Answer:
    """``GET …/pulls/{pull_number}/reviews``: oldest first."""
    pull = found(repository, pull_number)
    return page(request, pull.reviews, lambda review: pull_requests.review(review, pull))


def comments(request: Request, repository: Repository, pull_number: str) -> Answer:
    """``GET …/pulls/{pull_number}/comments``: the comments of all threads."""
    pull = found(repository, pull_number)
    said = [(comment, thread) for thread in pull.threads for comment in thread.comments]
    return page(request, said, lambda pair: pull_requests.review_comment(*pair, pull))


def comment(_request: Request, repository: Repository, comment_id: str) -> Answer:
    """``GET …/pulls/comments/{comment_id}``: what a client asks for that reads a key which a comment has not."""
    for pull in repository.pulls.values():
        for thread in pull.threads:
            for said in thread.comments:
                if str(said.id) == comment_id:
                    return Answer(body=pull_requests.review_comment(said, thread, pull))
    raise Refusal(404, "Not Found")


def commit_list(request: Request, repository: Repository, pull_number: str) -> Answer:
    """``GET …/pulls/{pull_number}/commits``: oldest first, ends at 250."""
    pull = found(repository, pull_number)
    parents = [pull.base_sha, *(commit.sha for commit in pull.commits)]
    pairs = list(zip(pull.commits, parents, strict=False))[:MOST_COMMITS]
    return page(request, pairs, lambda pair: commits.commit(pair[0], pull, pair[1]))


def conversation(request: Request, repository: Repository, issue_number: str) -> Answer:
    """``GET …/issues/{issue_number}/comments`` of an issue or a pull request."""
    number = int(issue_number) if issue_number.isdigit() else 0
    holder = repository.pulls.get(number) or repository.issues.get(number)
    if holder is None:
        raise Refusal(404, "Not Found")
    return page(request, holder.comments, lambda comment: issues.comment(comment, repository, number))


def check_runs(request: Request, repository: Repository, ref: str) -> Answer:
    """``GET …/commits/{ref}/check-runs``."""
    pull = _by_commit(repository, ref)
    checks = pull.checks if pull else []
    chosen, headers = cut(request, checks)
    runs = [commits.check_run(check, pull) for check in chosen if pull]
    return Answer(body={"total_count": len(checks), "check_runs": runs}, headers=headers)


def _by_commit(repository: Repository, ref: str) -> PullRequest | None:
    pull = repository.pulls_by_commit.get(ref)
    if pull is None and ref not in {*repository.branches, *repository.branches.values()}:
        raise Refusal(422, f"No commit found for SHA: {ref}")
    return pull if pull and pull.head_sha == ref else None


def statuses(request: Request, repository: Repository, ref: str) -> Answer:
    """``GET …/commits/{ref}/status``: the statuses as one."""
    pull = _by_commit(repository, ref)
    found_ones = pull.statuses if pull else []
    chosen, headers = cut(request, found_ones)
    return Answer(body=commits.combined(pull, repository, ref, chosen, len(found_ones)), headers=headers)


def _diff(pull: PullRequest) -> Answer:
    if pull.changed_files > MOST_FILES_IN_A_DIFF:
        raise Refusal(
            406,
            f"Sorry, the diff exceeded the maximum number of files ({MOST_FILES_IN_A_DIFF}). Consider using "
            "'List pull requests files' API or locally cloning the repository instead.",
            errors=[{"resource": "PullRequest", "field": "diff", "code": "too_large"}],
        )
    parts = [
        f"diff --git a/{file.previous_filename or file.filename} b/{file.filename}\n{file.patch or ''}\n"
        for file in pull.files
    ]
    return Answer(body="".join(parts).encode(), headers={"Content-Type": "application/vnd.github.diff; charset=utf-8"})

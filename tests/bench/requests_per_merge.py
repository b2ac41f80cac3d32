"""How many requests one merge costs at the code host: ours, with a token and without, beside PyGithub's plain way."""

from __future__ import annotations

import json
import logging
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import partial

import structlog
from github import Auth, Github
from pydantic import SecretStr
from rich.console import Console
from rich.table import Table

from shared.code_host import open_code_host
from shared.domain.protocols import Allowance, CachedAnswer
from shared.domain.pull_request import PullRequest
from shared.settings import RepositorySettings
from shared.settings.code_host import GitHubSettings
from shared.sources.github_api import GitHubApi
from shared.sources.github_events import parse_stored
from tests.bench.measure import Measurement
from tests.servers.github import GitHubServer
from tests.servers.github.conversation import CommitSpec, FileSpec
from tests.servers.github.pull_requests import PullRequest as HostedPull
from tests.servers.github.shapes import payloads

MOST = 4
"""Requests that one merge of up to a hundred files may cost (R-50)."""
SIZES = (5, 31, 100)
_NAME = "acme/engine"
_TOKEN = "ghp_bench"
_MERGED_AT = datetime(2026, 5, 6, 12, 0, tzinfo=UTC)


class _Unlimited:
    """A budget that never ends, and answers that are never kept: only the requests are counted."""

    def spend(self, credential: str, resource: str, keep: int = 0) -> None:
        return

    def note(self, credential: str, resource: str, allowance: Allowance) -> datetime | None:
        return allowance.wait_until

    def get(self, _key: str) -> CachedAnswer | None:
        return None

    def put(self, _key: str, _answer: CachedAnswer) -> None:
        return


def measure() -> list[Measurement]:
    """Return the requests for one merge of each size, with a token and without, beside the plain way."""
    rows = []
    for files in SIZES:
        plain = _requests(files, _plainly)
        for what, token in (("with a token", True), ("without", False)):
            ours = _requests(files, partial(_ours, token=token))
            rows.append(
                Measurement(
                    f"requests for a merge of {files} files, {what}",
                    ours,
                    plain,
                    "PyGithub, its objects and pages",
                    "requests",
                    f"at most {MOST}",
                )
            )
    return rows


def too_many(rows: list[Measurement]) -> list[str]:
    """Return what costs more requests than it may."""
    return [f"{row.what}: {row.ours:.0f}" for row in rows if row.ours > MOST]


def _requests(files: int, read: Callable[[GitHubServer, PullRequest], None]) -> int:
    with _hosted(files) as (github, facts):
        github.log.clear()
        read(github, facts)
        return len(github.log)


@contextmanager
def _hosted(files: int) -> Iterator[tuple[GitHubServer, PullRequest]]:
    """A stand-in with one merge: reviewed, discussed, checked."""
    with GitHubServer() as github:
        github.world.token("bench", value=_TOKEN)
        repository = github.world.add_repository(_NAME, id=5_000_000_001)
        pull = repository.open_pull(
            "Keep the queue in order",
            files=[FileSpec(f"src/part_{place}.py") for place in range(files)],
            commits=[CommitSpec(f"Step {place}") for place in range(7)],
        )
        _discuss(pull)
        pull.merge(at=_MERGED_AT)
        yield github, parse_stored(json.dumps(payloads.pull_request(pull, "closed")).encode()).pull_request


def _discuss(pull: HostedPull) -> None:
    for place in range(12):
        pull.thread("src/part_1.py", place + 1, [("alice", "Why?"), ("octocat", "Changed.")], resolved=True)
        pull.comment("bob", "Good.")
        pull.check(f"check {place}")
    pull.review("alice", "APPROVED")


def _ours(github: GitHubServer, facts: PullRequest, *, token: bool) -> None:
    secret = SecretStr(_TOKEN if token else "")
    settings = GitHubSettings(api_url=github.api_url, token=secret, anonymous=not token)
    budget = _Unlimited()
    host = open_code_host(settings, budget, budget, lambda: datetime.now(UTC))
    details = GitHubApi(host, _NAME, RepositorySettings(full_name=_NAME), lambda: datetime.now(UTC)).details(facts)
    assert len(details.files or ()) == facts.changed_files
    host.close()


def _plainly(github: GitHubServer, facts: PullRequest) -> None:
    """What most tools do: objects, and pages of thirty."""
    client = Github(base_url=github.api_url, auth=Auth.Token(_TOKEN), seconds_between_requests=0, retry=None)
    repository = client.get_repo(_NAME)
    pull = repository.get_pull(facts.number)
    for read in (pull.get_files, pull.get_reviews, pull.get_review_comments, pull.get_issue_comments):
        list(read())
    commits = list(pull.get_commits())
    list(commits[-1].get_check_runs())
    client.close()


def main() -> int:
    """Print the table; 1 when a merge costs too many requests."""
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING))
    rows = measure()
    table = Table("what", "ours", "plain", "ratio", "aim")
    for row in rows:
        table.add_row(row.what, f"{row.ours:.0f}", f"{row.baseline:.0f}", f"{row.ratio:.2f}x", row.aim)
    console = Console(width=120)
    console.print(table)
    for line in too_many(rows):
        console.print(f"Too many: {line}")
    return 1 if too_many(rows) else 0


if __name__ == "__main__":
    sys.exit(main())

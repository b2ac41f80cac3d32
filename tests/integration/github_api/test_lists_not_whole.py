"""Lists that the host cuts are told to who reads the digest, or asks for an explanation (C-26)."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from services.analyzer import tasks
from services.analyzer.details import DetailSources
from services.analyzer.pipeline import analyze_delivery
from services.cli.explain import show
from services.digest.build import compose
from shared.code_host import open_code_host
from shared.domain.analysis import Analysis
from shared.domain.digest import Digest
from shared.domain.period import parse_week
from shared.domain.pull_request import PullRequest
from shared.settings import DigestSettings, RepositorySettings, Settings
from shared.store import analyses, pull_requests, repositories
from shared.store.cached_answers import StoredAnswers
from shared.store.request_budgets import StoredLimiter
from shared.store.session import Database
from tests.integration.github_api.asked import MERGED_AT, NAME, github_settings
from tests.integration.github_api.test_analyzer import delivered
from tests.integration.workers.inbox import Bell, Clock
from tests.servers.github import GitHubServer
from tests.servers.github.conversation import CommitSpec
from tests.servers.github.pull_requests import PullRequest as HostedPull
from tests.servers.github.repositories import Repository

WEEK = parse_week("2026-W19")


@pytest.mark.parametrize("count", [101, 260])
def test_c26_commits_that_the_host_does_not_list_are_told_in_the_digest_and_explained(
    sqlite_url: str,
    github: GitHubServer,
    repository: Repository,
    count: int,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pull = repository.open_pull("Long", commits=[CommitSpec(f"Step {place}") for place in range(count)])
    pull.merge(at=MERGED_AT)

    pull_request, analysis, digest = read_and_told(sqlite_url, github, pull)
    monkeypatch.setenv("COLUMNS", "300")
    show(pull_request, analysis)
    explained = capsys.readouterr().out

    assert len(pull_request.commits) == min(count, 250)
    assert digest.coverage.cut == ({"commits": {"host-limit": 1}} if count > 250 else {})
    assert ("commits – 1 (the host gives no more)" in about(digest, "en")) is (count > 250)
    assert ("提交 1 个（代码托管平台不再给出更多）" in about(digest, "zh-CN")) is (count > 250)
    assert ("lists that are not whole: commits (host-limit)" in explained) is (count > 250)


def read_and_told(sqlite_url: str, github: GitHubServer, pull: HostedPull) -> tuple[PullRequest, Analysis, Digest]:
    """Analyse the merge with what the host shows; return it, its analysis and the digest of its week."""
    database, clock = Database(sqlite_url), Clock(MERGED_AT + timedelta(minutes=5))
    settings = Settings(
        github=github_settings(github),
        repositories=(RepositorySettings(full_name=NAME),),
        digest=DigestSettings(languages=("en", "zh-CN")),
    )
    host = open_code_host(settings.github, StoredLimiter(database, clock), StoredAnswers(database, clock), clock)
    made = tasks.make_runtime(settings, database, Bell())
    runtime = replace(made, clock=clock, sources=DetailSources(settings, clock=clock, host=host))
    assert analyze_delivery(runtime, delivered(database, pull, clock)) == "done"
    with database.reading() as session:
        row = repositories.find(session, NAME, "github.com")
        assert row is not None
        stored = pull_requests.get(session, row, pull.number)
        assert stored is not None
        analysis = analyses.latest(session, stored.id)
    assert analysis is not None
    digest = compose(database, settings, row, WEEK, WEEK.end)
    database.dispose()
    return stored.pull_request, analysis, digest


def about(digest: Digest, language: str) -> str:
    """What the digest says of itself."""
    sections = digest.sections[language]
    return "\n".join(one.text for section in sections if section.key == "about" for one in section.paragraphs)

"""While the host answers 403 or 429 its time is kept and no worker sleeps: others are worked on meanwhile (R-50)."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

import pytest

from services.cli.embedded import EmbeddedService
from shared.domain.pull_request import RepositoryRef
from shared.settings import GitHubSettings, RepositorySettings, Settings, WorkerSettings
from shared.sources.github_api import delivery_payload
from shared.store import deliveries, pull_requests, repositories
from shared.store.deliveries import IncomingDelivery
from shared.store.session import Database
from tests.merge_payloads import FULL_NAME as UNASKED
from tests.merge_payloads import merge_payload
from tests.servers.github import Fault, GitHubServer
from tests.servers.github.pull_requests import PullRequest

ASKED = "acme/engine"
HOST = "github.example"
MERGES = 6
WAIT = 9
"""Seconds that the host asks to wait."""
EARLY = 1.0
"""The host's times are whole seconds."""
UNDER_WAY = 0.5
"""What another thread has sent already comes in so soon."""
AWAKE = 5.0
RESUMED = 60.0


@dataclass
class Service:
    """The whole service in this process, with two worker threads."""

    github: GitHubServer
    embedded: EmbeddedService
    database: Database
    merged: list[PullRequest]

    def deliver(self, *incoming: IncomingDelivery) -> None:
        with self.database.transaction() as session:
            deliveries.record_all(session, incoming, self.database.now())

    def deliver_asked(self) -> None:
        """Deliveries of merges whose details must be asked for."""
        ref = RepositoryRef(full_name=ASKED, host=HOST)
        self.deliver(
            *(
                IncomingDelivery(
                    source="hook:1",
                    guid=f"asked-{pull.number}",
                    event="pull_request",
                    action="closed",
                    payload=delivery_payload(ref, _object(pull)),
                    repository=ASKED,
                    number=pull.number,
                )
                for pull in self.merged
            )
        )

    def deliver_unasked(self) -> None:
        """One of a repository that the host is not asked about."""
        self.deliver(
            IncomingDelivery(
                source="hook:2",
                guid="unasked",
                event="pull_request",
                action="closed",
                payload=merge_payload(7),
                repository=UNASKED,
                number=7,
            )
        )

    def done(self, repository: str) -> int:
        with self.database.reading() as session:
            listed = deliveries.listing(session, repository=repository, status="done")
        return len(listed)

    def with_files(self) -> int:
        with self.database.reading() as session:
            row = repositories.find(session, ASKED, HOST)
            found = [] if row is None else [pull_requests.get(session, row, pull.number) for pull in self.merged]
        return sum(one is not None and bool(one.pull_request.files) for one in found)


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    with GitHubServer() as github:
        github.world.deliver_automatically = False
        repository = github.world.add_repository(ASKED)
        merged = [repository.open_pull(f"Keep queue {number}").merge() for number in range(MERGES)]
        token = github.world.token("reader")
        settings = Settings(
            data_folder=tmp_path / "data",
            worker=WorkerSettings(sweep_every=timedelta(seconds=1)),
            github=GitHubSettings.model_validate({"host": HOST, "api_url": github.api_url, "token": token.value}),
            repositories=(
                RepositorySettings(full_name=ASKED, host=HOST),
                RepositorySettings(full_name=UNASKED, api=False),
            ),
        )
        embedded = EmbeddedService(settings, port=0)
        embedded.start()
        database = Database(embedded.settings.database_url)
        try:
            yield Service(github, embedded, database, merged)
        finally:
            embedded.stop()
            database.dispose()


QUERY = "/graphql"
LIMITS = {
    "primary, 403": lambda: Fault(QUERY, "primary-limit", status=403, reset_in=WAIT),
    "primary, 429": lambda: Fault(QUERY, "primary-limit", status=429, reset_in=WAIT),
    "secondary, 403": lambda: Fault(QUERY, "secondary-limit", status=403, retry_after=WAIT),
    "secondary, 429": lambda: Fault(QUERY, "secondary-limit", status=429, retry_after=WAIT),
}


@pytest.mark.timeout(240)
@pytest.mark.parametrize("made", LIMITS.values(), ids=LIMITS)
def test_nothing_is_asked_before_the_time_and_the_workers_are_free_meanwhile(
    service: Service, made: Callable[[], Fault]
) -> None:
    fault = service.github.faults.add(made())

    service.deliver_asked()
    _until(lambda: fault.hits, 60)
    refused = next(answer for answer in list(service.github.log) if answer.status in (403, 429))
    service.deliver_unasked()
    begun = time.monotonic()
    _until(lambda: service.done(UNASKED), 5 * AWAKE)
    took = time.monotonic() - begun
    _until(lambda: service.with_files() == MERGES, WAIT + RESUMED)

    assert took < 2 * AWAKE, "the workers were asleep"
    # A used-up budget is that of one resource; the secondary limit is the credential's own.
    held_up = [
        answer
        for answer in list(service.github.log)
        if answer.at > refused.at and (answer.path == QUERY or fault.kind == "secondary-limit")
    ]
    waited = [answer.at - refused.at for answer in held_up]
    assert all(at < UNDER_WAY or at >= WAIT - EARLY for at in waited), waited
    assert sum(at < UNDER_WAY for at in waited) <= 2, "more than what other threads had under way"
    assert service.done(ASKED) == MERGES
    with service.database.reading() as session:
        listed = deliveries.listing(session, repository=ASKED)
    assert {(one.status, one.tries) for one in listed} == {("done", 1)}


def _object(pull: PullRequest) -> dict[str, object]:
    """The pull request as an event tells it, in GitHub's names."""
    merged_at = f"{pull.merged_at:%Y-%m-%dT%H:%M:%SZ}"
    return {
        "number": pull.number,
        "title": pull.title,
        "user": {"login": "octocat", "id": 1, "type": "User"},
        "merged": True,
        "merged_at": merged_at,
        "closed_at": merged_at,
        "updated_at": merged_at,
        "base": {"ref": pull.base},
        "head": {"ref": pull.head, "sha": pull.head_sha},
        "merge_commit_sha": pull.merge_commit_sha,
        "changed_files": 1,
        "additions": 1,
        "deletions": 1,
    }


def _until(look: Callable[[], object], seconds: float) -> None:
    deadline = time.monotonic() + seconds
    while not look():
        assert time.monotonic() < deadline, "it did not come in time"
        time.sleep(0.05)

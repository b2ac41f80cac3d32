"""The App is suspended and unsuspended at the stand-in for GitHub, which tells the real receiver of it (C-13)."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

import pytest
from pydantic import SecretStr

from services.analyzer.pipeline import analyze_delivery
from services.analyzer.tasks import make_runtime
from shared.settings import GitHubSettings, RepositorySettings, Settings, WebhookSettings
from shared.store import analyses, deliveries, installations, pull_requests, repositories
from shared.store.session import Database
from tests.integration.reconciler.house import Receiver
from tests.integration.webhook.posting import SECRET
from tests.integration.workers.inbox import Bell
from tests.servers.github import FileSpec, GitHubServer

HOST = "github.example"


class Account:
    """An account with one repository and the App installed on it, whose events reach the receiver."""

    def __init__(self, github: GitHubServer, database: Database) -> None:
        self.github, self.world, self.database, app = github, github.world, database, github.world.app
        key = SecretStr(app.private_key_pem)
        settings = Settings(
            webhook=WebhookSettings(secrets=(SecretStr(SECRET),)),
            github=GitHubSettings(host=HOST, api_url=github.api_url, app_id=str(app.id), private_key=key),
            repositories=(RepositorySettings(full_name="acme/engine", host=HOST),),
        )
        self.receiver = Receiver(settings, database, database.now)
        self.receiver.on()
        app.hook_url, app.hook_secret, app.events = self.receiver.url, SECRET, ("pull_request", "repository")
        self.repository = self.world.add_repository("acme/engine", private=True)
        self.installation = app.install("acme")
        self.runtime = make_runtime(settings, database, Bell())

    def merge(self, title: str) -> None:
        """A pull request is merged, and GitHub tells of it."""
        self.repository.open_pull(title, files=[FileSpec("src/engine.py", patch="@@ -1 +1 @@\n-a\n+b")]).merge()

    def work(self) -> list[str]:
        """Work off what is due, and say what became of it."""
        with self.database.reading() as session:
            due = deliveries.due(session, self.database.now(), 100)
        return [analyze_delivery(self.runtime, delivery) for delivery in due]

    def analysed_from_api(self) -> list[str]:
        """The titles of the merges that were analysed with their files."""
        with self.database.reading() as session:
            row = repositories.find(session, self.repository.full_name, HOST)
            assert row is not None
            stored = list(pull_requests.of_numbers(session, row, range(1, 100)))
            known = analyses.latest_of(session, [one.id for one in stored])
        return [one.pull_request.title for one in stored if one.id in known and one.pull_request.files]

    @property
    def parked(self) -> list[str | None]:
        with self.database.reading() as session:
            return [view.last_error for view in reversed(deliveries.listing(session, status="parked"))]


@pytest.fixture
def account(database: Database) -> Iterator[Account]:
    with GitHubServer() as github:
        made = Account(github, database)
        yield made
        made.receiver.off()


def test_c13_suspended_then_unsuspended_loses_nothing_and_asks_nothing_meanwhile(account: Account) -> None:
    account.merge("Before")
    assert account.work() == ["done"]
    account.merge("Refused")
    account.world.deliver_automatically = False
    account.installation.suspend()

    assert account.work() == ["parked"], "the host refuses before its event arrives"
    account.installation.unsuspend()
    account.merge("Told")
    account.world.deliver_pending()
    assert account.work() == ["done", "done"]

    account.merge("Waiting")
    account.world.deliver_pending()
    account.world.now += timedelta(seconds=2)  # of two events of one second the one that gives access wins
    account.installation.suspend()
    account.world.deliver_pending()
    asked = len(account.github.log)
    assert account.work() == ["parked"]
    assert len(account.github.log) == asked, "nothing is asked of a suspended installation"
    (told,) = account.parked
    assert told is not None
    assert "'acme' is suspended" in told
    account.installation.unsuspend()
    account.world.deliver_pending()

    assert account.work() == ["done"]
    assert account.analysed_from_api() == ["Before", "Refused", "Told", "Waiting"]


def test_c13_the_app_is_removed_and_installed_again(account: Account) -> None:
    account.merge("Waiting")
    account.installation.delete()
    asked = len(account.github.log)
    assert account.work() == ["parked"]
    assert len(account.github.log) == asked
    with account.database.reading() as session:
        assert [(one.account, one.state) for one in installations.blind(session)] == [("acme", "deleted")]

    account.world.app.install("acme")
    assert account.work() == ["done"]
    assert account.analysed_from_api() == ["Waiting"]
    with account.database.reading() as session:
        assert installations.blind(session) == []


def test_c25_a_delivery_from_before_a_rename_is_analysed_under_the_new_name(account: Account) -> None:
    account.merge("Early")
    assert account.work() == ["done"]
    account.merge("Waiting")
    account.repository.rename("acme/motor")
    with account.database.reading() as session:
        assert [view.repository for view in deliveries.listing(session, status="new")] == ["acme/motor"]

    assert account.work() == ["done"]
    with account.database.reading() as session:
        assert [ref.full_name for _, ref in repositories.all_repositories(session)] == ["acme/motor"]
        assert [view.repository for view in deliveries.listing(session, limit=1)] == ["acme/motor"]

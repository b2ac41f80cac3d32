"""A repository at the stand-in for GitHub, the real receiver beside it, and the workers, on one clock that is moved."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta

import uvicorn
from pydantic import SecretStr

from services.analyzer.pipeline import analyze_delivery
from services.digest.build import compose
from services.digest.due import due_periods
from services.digest.tasks import DigestRuntime, build_due
from services.reconciler.reconcile import reconcile, sweep
from services.reconciler.runtime import ReconciliationRuntime
from services.webhook.app import PATH, create_app
from shared.code_host import CodeHost, open_code_host
from shared.domain.digest import Digest
from shared.domain.period import Period, parse_week
from shared.settings import GitHubSettings, RepositorySettings, Settings, WebhookSettings
from shared.store import deliveries, digests, pull_requests, reconciliations, repositories
from shared.store.cached_answers import StoredAnswers
from shared.store.reconciliations import Reconciliation
from shared.store.request_budgets import StoredLimiter
from shared.store.session import Database
from shared.store.tables import DeliveryRow
from tests.integration.webhook.posting import SECRET
from tests.integration.webhook.posting import Bell as ReceiverBell
from tests.integration.workers.inbox import Bell, Clock
from tests.integration.workers.inbox import make_runtime as analyzer_runtime
from tests.servers.github import GitHubServer
from tests.servers.github.hooks import Hook
from tests.servers.github.pull_requests import PullRequest

FULL_NAME = "acme/engine"
HOST = "github.example"
TUESDAY = datetime(2026, 5, 5, 12, tzinfo=UTC)
W18, W19 = parse_week("2026-W18"), parse_week("2026-W19")
SOON = timedelta(minutes=3)
"""So long after the end of a week the reconciliation is due."""
RIGHTS = {"metadata": "read", "contents": "read", "pull_requests": "read", "repository_hooks": "write"}


class Receiver:
    """The receiver on one port, which is there or not: nobody answers while it is off."""

    def __init__(self, settings: Settings, database: Database, clock: Clock) -> None:
        self._app = create_app(settings, database, ReceiverBell(), clock)
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = int(probe.getsockname()[1])
        self._running: tuple[uvicorn.Server, threading.Thread] | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}{PATH}"

    def on(self) -> None:
        if self._running is not None:
            return
        listener = socket.create_server(("127.0.0.1", self.port))
        server = uvicorn.Server(uvicorn.Config(self._app, log_config=None, access_log=False, ws="none"))
        thread = threading.Thread(target=self._serve, args=(server, listener), daemon=True)
        thread.start()
        self._running = server, thread

    def off(self) -> None:
        if self._running is None:
            return
        server, thread = self._running
        server.should_exit = True
        thread.join(15)
        self._running = None

    @staticmethod
    def _serve(server: uvicorn.Server, listener: socket.socket) -> None:
        with listener:
            server.run([listener])


class House:
    """Everything that a reconciliation meets."""

    def __init__(
        self,
        github: GitHubServer,
        database: Database,
        listed: RepositorySettings | None = None,
        rights: dict[str, str] = RIGHTS,
        **how: object,
    ) -> None:
        self.github, self.world, self.database = github, github.world, database
        self.clock = Clock(TUESDAY)
        self.world.now = self.clock
        self.repository = self.world.add_repository(FULL_NAME, id=5_000_000_001)
        self.token = self.world.token("reader", rights)
        self.settings = Settings(
            webhook=WebhookSettings(secrets=(SecretStr(SECRET),)),
            github=GitHubSettings.model_validate(
                {"host": HOST, "api_url": github.api_url, "token": self.token.value, **how}
            ),
            repositories=(listed or RepositorySettings(full_name=FULL_NAME, host=HOST),),
        )
        self.bell = Bell()
        self.receiver = Receiver(self.settings, database, self.clock)
        self.runtime = self.reconciler()
        self.hook: Hook | None = None

    def reconciler(self, **how: object) -> ReconciliationRuntime:
        """A reconciler of its own, as another process has it."""
        host = self._host()
        return ReconciliationRuntime(
            self.settings, self.database, self.bell, self.clock, lambda: host, jitter=lambda: 1.0, **how
        )

    def _host(self) -> CodeHost:
        limiter, answers = StoredLimiter(self.database, self.clock), StoredAnswers(self.database, self.clock)
        return open_code_host(self.settings.github, limiter, answers, self.clock)

    def use_app(self) -> None:
        """From now on the App's key is what the host is asked with."""
        app = self.world.app
        changed = {"token": "", "app_id": str(app.id), "private_key": app.private_key_pem}
        github = GitHubSettings.model_validate(self.settings.github.model_dump() | changed)
        self.settings = self.settings.model_copy(update={"github": github})
        self.runtime = self.reconciler()

    def add_hook(self) -> None:
        """Somebody sets up the webhook, and the receiver takes its ping."""
        self.receiver.on()
        self.hook = self.repository.add_hook(self.receiver.url, SECRET)

    def merge(
        self, *, after: timedelta = timedelta(minutes=1), title: str = "Keep the order", **how: object
    ) -> PullRequest:
        """A pull request is opened and merged, some time after what happened last."""
        self.clock.move(after)
        pull = self.repository.open_pull(title, **how)
        pull.merge()
        return pull

    def a_week(self, merges: int = 3) -> list[int]:
        """A hook, some merges that are delivered and analysed, a reconciliation."""
        self.add_hook()
        merged = [self.merge() for _ in range(merges)]
        self.analyze()
        assert self.reconciled() == "done"
        return numbers(merged)

    def in_chinese(self) -> Digest:
        """The digest of the week as it would be now, in Chinese."""
        listed = RepositorySettings(full_name=FULL_NAME, host=HOST, languages=("zh-CN",))
        settings = self.settings.model_copy(update={"repositories": (listed,)})
        return compose(self.database, settings, self.row, W19, self.clock())

    def reconcile(self, runtime: ReconciliationRuntime | None = None) -> str:
        """One reconciliation, of a row that is due."""
        sweep(self.runtime)
        return reconcile(runtime or self.runtime, self.row)

    def reconciled(self, runtime: ReconciliationRuntime | None = None) -> str:
        """One reconciliation to its end, waiting for what was asked for."""
        outcome = self.reconcile(runtime)
        while outcome == "asked":
            self.clock.move(timedelta(minutes=1))
            outcome = self.reconcile(runtime)
        return outcome

    @property
    def row(self) -> int:
        with self.database.reading() as session:
            found = repositories.find(session, self.repository.full_name, HOST)
        assert found is not None
        return found

    @property
    def state(self) -> Reconciliation:
        with self.database.reading() as session:
            found = reconciliations.get(session, self.row)
        assert found is not None
        return found

    def analyze(self) -> list[str]:
        """Work off the inbox; what became of each delivery."""
        runtime = analyzer_runtime(self.database, clock=self.clock, settings=self.settings)
        with self.database.reading() as session:
            due = deliveries.due(session, self.clock(), 5000)
        return [analyze_delivery(runtime, delivery) for delivery in due]

    def captured(self, period: Period = W19) -> list[int]:
        with self.database.reading() as session:
            stored = pull_requests.of_period(session, self.row, period.start, period.end, details=False)
        return [one.pull_request.number for one in stored]

    def merge_deliveries(self) -> list[int]:
        """The number of each delivery of a merge in the inbox, doubles and all."""
        with self.database.reading() as session:
            rows = session.query(DeliveryRow.number, DeliveryRow.action).all()
        return sorted(number for number, action in rows if action == "closed")

    def due_weeks(self) -> list[str]:
        return [due.period.week for due in due_periods(self.database, self.settings, self.clock())]

    def seal(self) -> int:
        return build_due(DigestRuntime(self.settings, self.database, Bell(), self.clock))

    def digest(self, week: str = "2026-W19") -> Digest:
        """The sealed digest of a week."""
        with self.database.reading() as session:
            stored = digests.get(session, self.row, week)
        assert stored is not None
        return Digest.model_validate_json(stored.document)

    def draft(self, period: Period = W19) -> Digest:
        """The digest of a week as it would be now."""
        return compose(self.database, self.settings, self.row, period, self.clock())

    def asked(self, path: str, method: str = "GET") -> int:
        """How many requests the host had for paths that end like this."""
        return sum(one.method == method and one.path.endswith(path) for one in self.github.log)


def completeness_line(digest: Digest, language: str = "en") -> str:
    """What the digest says of its completeness."""
    heading = {"en": "Completeness.", "zh-CN": "完整性。"}[language]
    return next(
        one.text for section in digest.sections[language] for one in section.paragraphs if one.text.startswith(heading)
    )


def numbers(pulls: Iterable[PullRequest]) -> list[int]:
    """Their numbers, sorted."""
    return sorted(pull.number for pull in pulls)

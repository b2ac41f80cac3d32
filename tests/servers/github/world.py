"""The state of the stand-in: accounts, repositories, tokens, the app, a clock, and the events that are sent."""

from __future__ import annotations

import itertools
import threading
import uuid
from collections.abc import Callable, Iterable
from datetime import UTC, datetime, timedelta
from typing import Any

from tests.servers.github import hooks
from tests.servers.github.accounts import READER, Account, Token
from tests.servers.github.hooks import Delivery, Hook
from tests.servers.github.installations import App, Installation, InstallationToken
from tests.servers.github.limits import Limits
from tests.servers.github.moments import whole
from tests.servers.github.pull_requests import PullRequest
from tests.servers.github.repositories import Repository
from tests.servers.github.shapes import payloads

DELIVERIES_KEPT = timedelta(days=3)
"""GitHub lists and repeats deliveries of three days (R-07)."""


class World:
    """Everything that GitHub knows in a test."""

    def __init__(self, html_host: str = "https://github.example") -> None:
        self.html_host, self.api_url = html_host, "http://127.0.0.1/api/v3"
        self.lock = threading.RLock()
        self._clock: Callable[[], datetime] = lambda: datetime.now(UTC)
        self._ids = itertools.count(5_100_000_000)
        self._account_ids = itertools.count(1_001)
        self.accounts: dict[str, Account] = {}
        self.repositories: dict[int, Repository] = {}
        self._names: dict[str, Repository] = {}
        self.tokens: dict[str, Token] = {}
        self.installation_tokens: dict[str, InstallationToken] = {}
        self.limit_status = 403
        self.anonymous_limit = 60
        self.deliver_automatically = True
        self._pending: list[tuple[Hook, Delivery]] = []
        self.event_check: Callable[[str, dict[str, Any]], None] | None = None
        self.limits = Limits(self)
        self.app = App(self)

    @property
    def now(self) -> datetime:
        """The moment of everything that names none; set it to a moment, or to a clock."""
        return self._clock()

    @now.setter
    def now(self, value: datetime | Callable[[], datetime]) -> None:
        self._clock = (lambda: value) if isinstance(value, datetime) else value

    def moment(self, at: datetime | None) -> datetime:
        """Return ``at``, or now, in whole seconds."""
        return whole(at or self.now)

    def next_id(self) -> int:
        """Return an id that nothing else has; all of them are beyond 32 bits (C-46)."""
        return next(self._ids)

    def user(self, login: str, type: str = "User", name: str | None = None) -> Account:  # noqa: A002 - GitHub's word
        """Return the account of that login, made if there is none."""
        with self.lock:
            known = self.accounts.get(login.lower())
            if known is None:
                bot = "Bot" if login.endswith("[bot]") else type
                known = self.accounts[login.lower()] = Account(next(self._account_ids), login, bot, name)
        return known

    def owner(self, login: str) -> Account:
        """Return the owner of a repository: an organization, unless it is known as a user."""
        return self.user(login, type="Organization")

    def delete_user(self, login: str) -> None:
        """Somebody leaves GitHub: null everywhere from now on (C-04)."""
        with self.lock:
            self.accounts.pop(login.lower()).deleted = True

    def rename_user(self, old: str, new: str) -> None:
        """Somebody takes another login and keeps the id."""
        with self.lock:
            account = self.accounts[new.lower()] = self.accounts.pop(old.lower())
            account.login = new

    def add_repository(
        self,
        full_name: str,
        id: int | None = None,  # noqa: A002 - GitHub's word
        *,
        private: bool = False,
        default_branch: str = "main",
    ) -> Repository:
        """Make a repository; it takes its name over from one that left it."""
        owner, _, name = full_name.partition("/")
        with self.lock:
            number = id or self.next_id()
            made = Repository(self, name, self.owner(owner), number, private=private, branch=default_branch)
            self.repositories[number] = self._names[full_name.lower()] = made
        return made

    def repository_named(self, full_name: str) -> Repository | None:
        """Return the repository that has, or last had, this name; GitHub does not mind the case of letters."""
        return self._names.get(full_name.lower())

    def name(self, repository: Repository) -> None:
        """Let a repository be found by the name that it has now, besides those that it had."""
        self._names[repository.full_name.lower()] = repository

    def repositories_of(self, installation: Installation) -> list[Repository]:
        """Return what an installation covers."""
        return [one for one in self.repositories.values() if not one.deleted and installation.covers(one)]

    def token(
        self,
        name: str,
        permissions: dict[str, str] | None = None,
        *,
        scopes: Iterable[str] | None = None,
        repositories: Iterable[str] | None = None,
        value: str | None = None,
        limit: int = 5_000,
        graphql_limit: int = 5_000,
    ) -> Token:
        """Make a personal token: fine-grained with ``permissions`` (reading, if nothing is said), or classic with ``scopes``."""
        made = Token(
            name,
            value or f"ghp_{name}",
            self.user(name),
            dict(READER if permissions is None else permissions),
            None if scopes is None else tuple(scopes),
            None if repositories is None else tuple(repositories),
            limit,
            graphql_limit,
        )
        self.tokens[made.value] = made
        return made

    def revoke(self, name: str) -> None:
        """Somebody takes a personal token back: 401 from now on."""
        for token in self.tokens.values():
            token.revoked = token.revoked or token.name == name

    def emit_pull_request(self, pull: PullRequest, action: str, **more: Any) -> None:
        """Send what happened to a pull request to the hooks that want it."""
        if self._heard(pull.repository, "pull_request"):
            self._emit(pull.repository, "pull_request", payloads.pull_request(pull, action, **more))

    def emit_repository(self, repository: Repository, action: str, **more: Any) -> None:
        """Send what happened to a repository to the hooks that want it."""
        repository.updated_at = self.moment(None)
        if self._heard(repository, "repository"):
            self._emit(repository, "repository", payloads.repository_event(repository, action, **more))

    def emit_ping(self, hook: Hook, repository: Repository) -> None:
        """Send the ping of a new hook."""
        hook.target_id = repository.id
        self._send([hook], "ping", payloads.ping(hook, repository), None, repository.id)

    def emit_installation(
        self, installation: Installation, action: str, covered: list[Repository] | None = None
    ) -> None:
        """Send what happened to an installation to the app's hook."""
        repositories = self.repositories_of(installation) if covered is None else covered
        payload = payloads.installation_event(installation, action, repositories)
        self._send([self.app.hook], "installation", payload, installation.id, None)

    def deliver_pending(self) -> None:
        """Post what is waiting, oldest first, in this thread."""
        while self._pending:
            self._post(*self._pending.pop(0))

    def redeliver(self, hook: Hook, delivery: Delivery) -> None:
        """Deliver an event again, with its GUID and its payload as they were."""
        again = Delivery(
            self.next_id(),
            delivery.guid,
            delivery.event,
            delivery.payload,
            delivery.installation_id,
            delivery.repository_id,
            self.moment(None),
            redelivery=True,
        )
        self._enqueue(hook, again)

    def deliveries(self, hook: Hook) -> list[Delivery]:
        """Return the attempts of the last three days, newest first."""
        oldest = self.now - DELIVERIES_KEPT
        return [one for one in reversed(hook.deliveries) if one.delivered_at >= oldest]

    def _heard(self, repository: Repository, event: str) -> bool:
        return any(hook.wants(event) for hook in (*repository.hooks.values(), self.app.hook))

    def _emit(self, repository: Repository, event: str, payload: dict[str, Any]) -> None:
        self._send(list(repository.hooks.values()), event, payload, None, repository.id, guid := str(uuid.uuid4()))
        installation = self.app.installation_of(repository)
        if installation and not installation.suspended_at:
            own = payload | {"installation": {"id": installation.id, "node_id": installation.node_id}}
            self._send([self.app.hook], event, own, installation.id, repository.id, guid)

    def _send(
        self,
        targets: list[Hook],
        event: str,
        payload: dict[str, Any],
        installation_id: int | None,
        repository_id: int | None,
        guid: str = "",
    ) -> None:
        if self.event_check:
            self.event_check(event, payload)
        guid = guid or str(uuid.uuid4())
        for hook in targets:
            if hook.wants(event):
                ids = (installation_id, repository_id)
                self._enqueue(hook, Delivery(self.next_id(), guid, event, payload, *ids, self.moment(None)))

    def _enqueue(self, hook: Hook, delivery: Delivery) -> None:
        if self.deliver_automatically:
            self._post(hook, delivery)
        else:
            self._pending.append((hook, delivery))

    def _post(self, hook: Hook, delivery: Delivery) -> None:
        delivery.delivered_at = self.moment(None)
        hooks.post(hook, delivery)
        with self.lock:
            hook.deliveries.append(delivery)

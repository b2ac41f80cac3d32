"""The GitHub App of the stand-in and its installations, with their short-lived tokens."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import cache
from typing import TYPE_CHECKING

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa

from tests.servers.github.accounts import READER, Account
from tests.servers.github.hooks import Hook

if TYPE_CHECKING:
    from tests.servers.github.repositories import Repository
    from tests.servers.github.world import World

TOKEN_LIFE = timedelta(hours=1)


@dataclass
class InstallationToken:
    """A token of an installation: an hour long, perhaps for fewer rights and repositories than the installation has."""

    value: str = field(repr=False)
    installation: Installation
    permissions: dict[str, str]
    repository_ids: frozenset[int] | None
    expires_at: datetime


class Installation:
    """The app on one account; covers all of its repositories or those that are named."""

    def __init__(self, app: App, account: Account, repositories: str | Iterable[str], permissions: dict[str, str]):
        self.app, self.world, self.account = app, app.world, account
        self.id = app.world.next_id()
        self.repositories = repositories if isinstance(repositories, str) else list(repositories)
        self.permissions = permissions
        self.limit = self.graphql_limit = 5_000
        self.created_at = self.updated_at = app.world.moment(None)
        self.suspended_at: datetime | None = None
        self.deleted = False

    @property
    def node_id(self) -> str:
        """The id that GraphQL knows it by."""
        return f"I_{self.id}"

    def covers(self, repository: Repository) -> bool:
        """Whether the app was given this repository."""
        if self.deleted or repository.owner is not self.account:
            return False
        return self.repositories == "all" or repository.goes_by(self.repositories)

    def suspend(self) -> None:
        """The owner suspends the app: every call is answered 403 (C-13)."""
        with self.world.lock:
            self.suspended_at = self.updated_at = self.world.moment(None)
        self.world.emit_installation(self, "suspend")

    def unsuspend(self) -> None:
        """The owner lets the app work again."""
        with self.world.lock:
            self.suspended_at, self.updated_at = None, self.world.moment(None)
        self.world.emit_installation(self, "unsuspend")

    def delete(self) -> None:
        """The owner removes the app: its tokens are worth nothing from now on."""
        covered = self.world.repositories_of(self)
        with self.world.lock:
            self.deleted = True
        self.world.emit_installation(self, "deleted", covered)

    def token(self, permissions: dict[str, str] | None = None, ids: Iterable[int] | None = None) -> InstallationToken:
        """Make a token, as POST access_tokens does."""
        value = f"ghs_{self.world.next_id():036d}"
        chosen = None if ids is None else frozenset(ids)
        made = InstallationToken(value, self, permissions or self.permissions, chosen, self.world.now + TOKEN_LIFE)
        self.world.installation_tokens[value] = made
        return made


@cache
def _key() -> rsa.RSAPrivateKey:
    """One key pair for all worlds of a process: making one takes long."""
    return rsa.generate_private_key(public_exponent=65_537, key_size=2_048)


class App:
    """The GitHub App, with the hook that its events go to."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.id, self.slug, self.client_id = 5_000_017, "mergecast-test", "Iv1.0123456789abcdef"
        self.name = "Mergecast Test"
        self.permissions = dict(READER)
        self.created_at = world.moment(None)
        self.installations: dict[int, Installation] = {}
        self.hook = Hook(world.next_id(), "", "", target_type="integration", target_id=self.id)

    @property
    def private_key_pem(self) -> str:
        """The private key, as GitHub hands it out once."""
        form, bare = serialization.PrivateFormat.TraditionalOpenSSL, serialization.NoEncryption()
        return _key().private_bytes(serialization.Encoding.PEM, form, bare).decode()

    @property
    def public_key(self) -> rsa.RSAPublicKey:
        """What the stand-in checks the app's JSON web tokens with."""
        return _key().public_key()

    def install(
        self,
        login: str,
        repositories: str | Iterable[str] = "all",
        permissions: dict[str, str] | None = None,
    ) -> Installation:
        """Somebody installs the app on an account."""
        with self.world.lock:
            account = self.world.owner(login)
            made = Installation(self, account, repositories, dict(permissions or self.permissions))
            self.installations[made.id] = made
        self.world.emit_installation(made, "created")
        return made

    def installation_of(self, repository: Repository) -> Installation | None:
        """Return the installation that covers a repository."""
        return next((one for one in self.installations.values() if one.covers(repository)), None)

    @property
    def hook_url(self) -> str:
        """Where the events go; nowhere while it is empty."""
        return self.hook.url

    @hook_url.setter
    def hook_url(self, value: str) -> None:
        self.hook.url = value

    @property
    def hook_secret(self) -> str:
        """What the events are signed with."""
        return self.hook.secret

    @hook_secret.setter
    def hook_secret(self, value: str) -> None:
        self.hook.secret = value

    @property
    def events(self) -> tuple[str, ...]:
        """Which events are sent; those of installations always are."""
        return self.hook.events

    @events.setter
    def events(self, value: Iterable[str]) -> None:
        self.hook.events = tuple(value)

    @property
    def content_type(self) -> str:
        """How the events are sent: "json" or "form"."""
        return self.hook.content_type

    @content_type.setter
    def content_type(self, value: str) -> None:
        self.hook.content_type = value

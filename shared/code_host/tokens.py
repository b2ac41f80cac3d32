"""Where credentials come from: a personal token, none, or (in app_tokens.py) a GitHub App (R-53)."""

from __future__ import annotations

import hashlib
from typing import Protocol

from github.Auth import Token
from pydantic import SecretStr

from shared.code_host.asking import Access
from shared.code_host.limits import ANONYMOUS
from shared.domain.errors import InvalidInput
from shared.domain.pull_request import RepositoryRef


class TokenSource(Protocol):
    """Gives the credential for a request."""

    can_query: bool
    """Whether GraphQL answers to it."""

    def access(self, about: RepositoryRef | None, *, as_app: bool = False) -> Access:
        """Return the credential for what belongs to ``about``; ``as_app`` for the App's own.

        May ask the host, with that request's errors. Parked when there is no access, InvalidInput for ``as_app``
        without an App.
        """

    def refused(self, access: Access, about: RepositoryRef | None) -> None:
        """The host refused this credential: the next one is a fresh one, where there can be one."""


class PersonalToken:
    """A personal access token; it cannot be renewed from here."""

    can_query = True

    def __init__(self, token: SecretStr) -> None:
        plain = token.get_secret_value()
        self._access = Access(f"token:{hashlib.sha256(plain.encode()).hexdigest()[:12]}", Token(plain))

    def access(self, _about: RepositoryRef | None, *, as_app: bool = False) -> Access:
        """Return the token; InvalidInput for ``as_app``."""
        return _no_app() if as_app else self._access

    def refused(self, access: Access, about: RepositoryRef | None) -> None:
        """Nothing changes: the same token is tried once more."""


class NoToken:
    """Nobody: 60 requests an hour, and no GraphQL."""

    can_query = False

    def access(self, _about: RepositoryRef | None, *, as_app: bool = False) -> Access:
        """Return no credential; InvalidInput for ``as_app``."""
        return _no_app() if as_app else Access(ANONYMOUS, None)

    def refused(self, access: Access, about: RepositoryRef | None) -> None:
        """Nothing changes."""


def _no_app() -> Access:
    raise InvalidInput("This can be asked by a GitHub App only.", "Set github.app_id and github.private_key_file.")

"""The credentials of a GitHub App: its own, and a short-lived token that reads for each of its installations (R-53)."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from http import HTTPStatus
from typing import Any

from github.Auth import AppAuth, Token
from jwt import PyJWTError
from pydantic import SecretStr

from shared.code_host.addresses import Request, path_of
from shared.code_host.answers import RawAnswer, decoded
from shared.code_host.asking import Access, Asker
from shared.code_host.refusals import refused, removed, suspended
from shared.domain.errors import InvalidInput, Parked, Transient
from shared.domain.pull_request import RepositoryRef

READS = ("checks", "contents", "issues", "metadata", "pull_requests", "statuses")
"""What analyses read; a token is never asked for more, and not for what the owner did not grant."""

FRESH = timedelta(minutes=50)
"""A token lives an hour, and long work must not see it die (C-14)."""


@dataclass(frozen=True)
class _Installation:
    id: int
    permissions: Mapping[str, str]


@dataclass(frozen=True)
class _Held:
    access: Access
    until: datetime


class AppTokens:
    """The App's token source; may be shared by threads, of which one at a time asks for a token."""

    can_query = True

    def __init__(self, asker: Asker, app_id: str, private_key: SecretStr) -> None:
        """InvalidInput when the private key is none."""
        self._asker = asker
        self._as_app = Access(f"app:{app_id}", _signing(app_id, private_key))
        self._guard = threading.Lock()
        self._installations: dict[str, _Installation] = {}
        self._held: dict[int, _Held] = {}

    def access(self, about: RepositoryRef | None, *, as_app: bool = False) -> Access:
        """Return a token of the installation that covers ``about``, or the App's own credential without one.

        Asks the host for what is not known yet, or is older than 50 minutes. Parked when the installation is
        suspended or removed.
        """
        if as_app or about is None:
            return self._as_app
        with self._guard:
            # A kept installation may have been removed, and another one made since: it is looked for once more.
            for _ in range(2):
                installation = self._installation(about)
                held = self._held.get(installation.id)
                if held is not None and self._asker.clock() < held.until:
                    return held.access
                made = self._new_token(installation, about)
                if made is not None:
                    self._held[installation.id] = made
                    return made.access
                self._installations.pop(path_of(about), None)
        raise removed(about.full_name)

    def refused(self, access: Access, about: RepositoryRef | None) -> None:
        """Forget this token and which installation it was of, unless another thread has done so already."""
        with self._guard:
            stale = [number for number, held in self._held.items() if held.access is access]
            for number in stale:
                del self._held[number]
            if stale and about is not None:
                self._installations.pop(path_of(about), None)

    def _installation(self, about: RepositoryRef) -> _Installation:
        known = self._installations.get(path_of(about))
        if known is not None:
            return known
        body = self._asked(Request("GET", f"{path_of(about)}/installation"), about)
        if body is None:
            raise removed(about.full_name)
        if body.get("suspended_at"):
            raise suspended(about.full_name)
        granted = body.get("permissions")
        found = _Installation(_number(body), granted if isinstance(granted, dict) else {})
        self._installations[path_of(about)] = found
        return found

    def _new_token(self, installation: _Installation, about: RepositoryRef) -> _Held | None:
        """A token with no more rights than reading; None when there is no such installation any more."""
        rights = {name: "read" for name in READS if name in installation.permissions}
        issued = self._asker.clock()
        path = f"/app/installations/{installation.id}/access_tokens"
        body = self._asked(Request("POST", path, body={"permissions": rights} if rights else {}), about)
        if body is None:
            return None
        token = body.get("token")
        if not isinstance(token, str) or not token:
            raise _unreadable("for a token")
        return _Held(Access(f"installation:{installation.id}", Token(token)), issued + FRESH)

    def _asked(self, request: Request, about: RepositoryRef) -> dict[str, Any] | None:
        """The object that the App was answered with; None for a 404."""
        raw, request = self._asker.read(self._as_app, request)
        if raw.status == HTTPStatus.UNAUTHORIZED:
            raw, request = self._asker.read(self._as_app, request)
        if raw.status == HTTPStatus.NOT_FOUND:
            return None
        if raw.status == HTTPStatus.UNAUTHORIZED:
            raise _key_refused(raw)
        if raw.status >= HTTPStatus.MULTIPLE_CHOICES:
            raise refused(raw, request.what, about.full_name)
        body = decoded(raw, request.what)
        if not isinstance(body, dict):
            raise _unreadable(request.what)
        return body


def _signing(app_id: str, private_key: SecretStr) -> AppAuth:
    try:
        auth = AppAuth(app_id, private_key.get_secret_value())
        auth.create_jwt()
    except (AssertionError, PyJWTError, TypeError, ValueError):
        # Not chained: what cannot be read as a key may be one all the same.
        raise InvalidInput(
            "The private key of the GitHub App cannot be read.",
            "Give github.private_key_file the .pem file that GitHub made for the App.",
        ) from None
    return auth


def _number(body: Mapping[str, Any]) -> int:
    number = body.get("id")
    if not isinstance(number, int):
        raise _unreadable("for the installation")
    return number


def _unreadable(what: str) -> Transient:
    return Transient(f"GitHub's answer {what} is not what its API gives.", "It is asked again.")


def _key_refused(raw: RawAnswer) -> Parked:
    said = f' GitHub says: "{raw.message}".' if raw.message else ""
    return Parked(
        f"GitHub does not accept the App's private key (status 401).{said}",
        "Check github.app_id, the private key and the clock of this machine; then what waits goes on.",
    )

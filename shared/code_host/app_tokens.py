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
from shared.code_host.refusals import refused, removed, suspended, withheld
from shared.domain.errors import InvalidInput, Parked, Transient
from shared.domain.pull_request import RepositoryRef

READS = ("checks", "contents", "issues", "metadata", "pull_requests", "statuses")
"""What analyses read; a token is never asked for more, and not for what the owner did not grant."""
_LEAST = {"metadata": "read"}
"""What every installation has. Without any rights named a token would have all that the owner granted."""

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
    """The App's token source; may be shared by threads, of which one at a time asks about the same repository.

    Which installation a repository has, and with which rights, is asked for again whenever its token has run out: a
    right that was given is used, and one that was taken back not asked for, after 50 minutes at most.
    """

    can_query = True

    def __init__(self, asker: Asker, app_id: str, private_key: SecretStr) -> None:
        """InvalidInput when the private key is none."""
        self._asker = asker
        self._as_app = Access(f"app:{app_id}", _signing(app_id, private_key))
        # Over the three dictionaries, and never held while the host is asked.
        self._guard = threading.Lock()
        self._numbers: dict[str, int] = {}
        self._held: dict[int, _Held] = {}
        self._asking: dict[str, threading.Lock] = {}

    def access(self, about: RepositoryRef | None, *, as_app: bool = False) -> Access:
        """Return a token of the installation that covers ``about``, or the App's own credential without one.

        Asks the host for what is not known yet, or is older than 50 minutes. Parked when the installation is
        suspended or removed.
        """
        if as_app or about is None:
            return self._as_app
        place = path_of(about)
        held = self._kept(place)
        if held is not None:
            return held
        with self._one_at_a_time(place):
            return self._kept(place) or self._asked_for(place, about)

    def refused(self, access: Access, _about: RepositoryRef | None) -> None:
        """Forget this token, unless another thread has done so already; its installation is looked for again."""
        with self._guard:
            for number in [number for number, held in self._held.items() if held.access is access]:
                del self._held[number]

    def _kept(self, place: str, number: int | None = None) -> Access | None:
        """The token of the repository's installation, or of this one, while it is fresh."""
        now = self._asker.clock()
        with self._guard:
            if number is not None:
                self._numbers[place] = number
            held = self._held.get(self._numbers.get(place, 0))
        return held.access if held is not None and now < held.until else None

    def _one_at_a_time(self, name: str) -> threading.Lock:
        with self._guard:
            return self._asking.setdefault(name, threading.Lock())

    def _asked_for(self, place: str, about: RepositoryRef) -> Access:
        # Between the two questions an installation may be made anew, or its rights be changed: looked for once more.
        for last in (False, True):
            installation = self._installation(about)
            with self._one_at_a_time(f"installation {installation.id}"):
                held = self._kept(place, installation.id)
                made = None if held is not None else self._new_token(installation, about, last=last)
                if made is not None:
                    with self._guard:
                        self._held[installation.id] = made
                    held = made.access
            if held is not None:
                return held
        raise removed(about.full_name)

    def _installation(self, about: RepositoryRef) -> _Installation:
        body = self._asked(Request("GET", f"{path_of(about)}/installation"), about)
        if body is None:
            raise removed(about.full_name)
        if body.get("suspended_at"):
            raise suspended(about.full_name)
        granted = body.get("permissions")
        return _Installation(_number(body), granted if isinstance(granted, dict) else {})

    def _new_token(self, installation: _Installation, about: RepositoryRef, *, last: bool) -> _Held | None:
        """A token with no more rights than reading; None when there is no such installation, or not with these rights.

        ``last``: Parked in the second case.
        """
        rights = {name: "read" for name in READS if name in installation.permissions}
        issued = self._asker.clock()
        path = f"/app/installations/{installation.id}/access_tokens"
        body = self._asked(
            Request("POST", path, body={"permissions": rights or _LEAST}), about, unless_changed=not last
        )
        if body is None:
            return None
        token = body.get("token")
        if not isinstance(token, str) or not token:
            raise _unreadable("for a token")
        return _Held(Access(f"installation:{installation.id}", Token(token)), issued + FRESH)

    def _asked(self, request: Request, about: RepositoryRef, *, unless_changed: bool = False) -> dict[str, Any] | None:
        """The object that the App was answered with; None for a 404, with ``unless_changed`` for a 422 too."""
        raw, request = self._asker.read(self._as_app, request)
        if raw.status == HTTPStatus.UNAUTHORIZED:
            raw, request = self._asker.read(self._as_app, request)
        changed = raw.status == HTTPStatus.UNPROCESSABLE_ENTITY
        if raw.status == HTTPStatus.NOT_FOUND or (changed and unless_changed):
            return None
        if changed:
            raise withheld(about.full_name)
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

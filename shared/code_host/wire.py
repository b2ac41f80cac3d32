"""One request over PyGithub's requester, with nothing done behind our back: no redirect, no retry, no sleep."""

from __future__ import annotations

import os
import threading
import time
from datetime import timedelta
from http import HTTPStatus
from http.cookiejar import DefaultCookiePolicy
from logging import getLogger
from typing import cast
from urllib.parse import urlsplit

import requests
import urllib3
from github import Github
from github.Auth import Auth
from github.Requester import HTTPRequestsConnectionClass, HTTPSRequestsConnectionClass, Requester, RequestsResponse

from shared.code_host.addresses import GRAPHQL, Request
from shared.code_host.answers import RawAnswer
from shared.domain.errors import Permanent, Transient

API_VERSION = "2022-11-28"
"""Pinned: without it the host may one day answer in another shape."""

_USER_AGENT = "mergecast"
_PER_PAGE = 100
_POOL = 32
_LARGEST = 64 * 1024 * 1024
_CHUNK = 64 * 1024
_WHOLE = 3
"""How many timeouts an answer may take in all: each step of a slow one stays below the timeout."""

# Its debug lines hold whole answers, the one with an installation's new token among them.
_silent = getLogger("mergecast.pygithub")
_silent.disabled = True
Requester.injectLogger(_silent)


class Unreachable(Exception):
    """No answer came: nobody listens, the connection was cut, it took too long. Says why in a few words."""

    def __init__(self, reason: str, *, connected: bool = True) -> None:
        """``connected``: the host was reached, and may have failed at this one request."""
        super().__init__(reason)
        self.connected = connected


class Wire:
    """Sends requests to one API; may be shared by threads and survives a fork."""

    def __init__(self, address: str, timeout: timedelta) -> None:
        self.address = address
        self._timeout = timeout.total_seconds()
        self._guard = threading.Lock()
        self._owner = os.getpid()
        self._session: requests.Session | None = None

    def send(self, auth: Auth | None, request: Request) -> RawAnswer:
        """Send the request once and return whatever came back; Unreachable when nothing did.

        Transient for what is no HTTP, Permanent for what is too large to be read.
        """
        requester = self._requester(auth)
        headers = {"Accept": "application/vnd.github+json"}
        if request.etag:
            headers["If-None-Match"] = request.etag
        exchange = _Exchange(self._connections(), self.address, self._timeout)
        try:
            # A requester asks nothing of a connection but the two methods that an exchange has.
            status, received, text = requester.requestJson(
                request.method,
                requester.graphql_url if request.path == GRAPHQL else request.path,
                parameters=dict(request.parameters),
                headers=headers,
                input=request.body,
                cnx=cast("HTTPSRequestsConnectionClass", exchange),
            )
        except (requests.RequestException, urllib3.exceptions.HTTPError, OSError) as error:
            # Not chained: the frames of the vendors hold the headers, and with them the credential.
            raise Unreachable(_reason(error), connected=_was_connected(error)) from None
        except ValueError:
            # The session looks at the address of a redirect, even of one that is not followed.
            raise Transient(
                f"The answer to {request.what} cannot be read.", "Look at github.api_url and at proxies on the way."
            ) from None
        return RawAnswer(status, received, text)

    def close(self) -> None:
        """Close the connections that are kept; the next request opens new ones."""
        with self._guard:
            session, self._session = self._session, None
        if session is not None and self._owner == os.getpid():
            session.close()

    def _requester(self, auth: Auth | None) -> Requester:
        """One for each request: it keeps state that threads would race for. The connections are kept in the session."""
        return Github(
            base_url=self.address,
            auth=auth,
            retry=None,
            timeout=max(1, int(self._timeout)),
            per_page=_PER_PAGE,
            seconds_between_requests=None,
            seconds_between_writes=None,
            api_version=API_VERSION,
            user_agent=_USER_AGENT,
        ).requester

    def _connections(self) -> requests.Session:
        if self._owner != os.getpid():
            # Inherited over a fork: those connections belong to the parent.
            self._guard, self._session, self._owner = threading.Lock(), None, os.getpid()
        with self._guard:
            if self._session is None:
                self._session = _session(self.address)
            return self._session


class _Exchange:
    """What PyGithub calls a connection, for one request: its own keeps the request in fields that threads share."""

    def __init__(self, session: requests.Session, address: str, timeout: float) -> None:
        parts = urlsplit(address)
        self._session, self._timeout = session, timeout
        self._origin = f"{parts.scheme}://{parts.netloc}"

    def request(self, verb: str, url: str, data: str | None, headers: dict[str, str], _stream: bool = False) -> None:
        self._prepared = (verb, self._origin + url, data, headers)

    def getresponse(self) -> RequestsResponse:
        verb, url, data, headers = self._prepared
        latest = time.monotonic() + _WHOLE * self._timeout
        with self._session.request(
            verb, url, data=data, headers=headers, timeout=self._timeout, allow_redirects=False, stream=True
        ) as response:
            return _Received(response, verb, _read(response, latest).decode("utf-8", "replace"))


class _Received(RequestsResponse):
    """An answer that has been read already, with the status as PyGithub may see it without acting on it."""

    def __init__(self, response: requests.Response, verb: str, text: str) -> None:
        super().__init__(response)
        self.status = _shown(verb, response.status_code)
        self._text = text

    def read(self) -> str:
        return self._text


def _session(address: str) -> requests.Session:
    parts = urlsplit(address)
    kind = HTTPSRequestsConnectionClass if parts.scheme == "https" else HTTPRequestsConnectionClass
    session = kind(parts.hostname or "", parts.port, retry=None, pool_size=_POOL).session
    session.cookies.set_policy(DefaultCookiePolicy(allowed_domains=()))
    return session


def _shown(verb: str, status: int) -> int:
    """A 308 for a 301, and a 503 for a 202 to a GET.

    PyGithub follows a 301 by itself, with a POST too, and drops the query (P1); a 308 says the same and is left to
    us. After a 202 to a GET it sleeps and asks again; to us that is a host that is not ready.
    """
    if status == HTTPStatus.MOVED_PERMANENTLY:
        return int(HTTPStatus.PERMANENT_REDIRECT)
    return int(HTTPStatus.SERVICE_UNAVAILABLE) if status == HTTPStatus.ACCEPTED and verb == "GET" else status


def _read(response: requests.Response, latest: float) -> bytes:
    parts: list[bytes] = []
    size = 0
    while part := response.raw.read1(_CHUNK, decode_content=True):
        parts.append(part)
        size += len(part)
        if size > _LARGEST:
            raise Permanent("GitHub's answer is larger than any that is read.", "Nothing more is read of it.")
        if time.monotonic() > latest:
            raise Unreachable("the answer came too slowly")
    if response.raw.length_remaining:
        raise Unreachable("the answer was cut")
    return b"".join(parts)


def _was_connected(error: Exception) -> bool:
    """Whether the host was reached: without retries only a connection that was never made ends as MaxRetryError."""
    if isinstance(error, (requests.ConnectTimeout, requests.exceptions.ProxyError, requests.exceptions.SSLError)):
        return False
    return not any(isinstance(cause, urllib3.exceptions.MaxRetryError) for cause in error.args)


def _reason(error: Exception) -> str:
    if isinstance(error, (requests.Timeout, urllib3.exceptions.TimeoutError, TimeoutError)):
        return "no answer in time"
    return f"no connection ({type(error).__name__})"

"""One request over OpenAI's client with nothing done behind our back: no retry, no redirect, no proxy, one deadline."""

from __future__ import annotations

import logging
import ssl
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import urlsplit

import httpcore2
import httpx2
import openai
from openai._legacy_response import LegacyAPIResponse

from shared.llm.addresses import LOOPBACK, Allowed
from shared.llm.answers import RawAnswer, Unreachable
from shared.llm.connections import Deadline, OwnConnections
from shared.settings.language_model import ModelSettings

_LARGEST = 2 * 1024 * 1024
_LARGEST_FILE = 64 * 1024 * 1024
"""Of the answers to a whole batch."""
_KEPT_HEADERS = frozenset({"host", "content-type", "content-length", "accept"})

# Its debug lines hold whole requests, and with them the texts of merges.
logging.getLogger("openai").setLevel(logging.WARNING)


class Wire:
    """Sends requests to one server; may be shared by threads and survives a fork, since it keeps no connection."""

    def __init__(self, settings: ModelSettings) -> None:
        client = httpx2.Client(transport=_OneConnectionACall(settings), follow_redirects=False, trust_env=False)
        self._client = _client(settings, client)
        self._seconds = settings.deadline.total_seconds()

    def send(self, body: Mapping[str, Any]) -> RawAnswer:
        """Send one chat request and return whatever came back whole; Unreachable when nothing did.

        AddressRefused when the server's name leads where the settings do not allow; so do all that follow.
        """
        rest = {name: value for name, value in body.items() if name not in {"model", "messages"}}
        return _raw(
            lambda: self._client.chat.completions.with_raw_response.create(
                model=body["model"], messages=body["messages"], extra_body=rest, timeout=self._seconds
            )
        )

    def upload(self, lines: bytes) -> RawAnswer:
        """Send the file of a batch; nothing is worked on yet."""
        return _raw(
            lambda: self._client.files.with_raw_response.create(
                file=("batch.jsonl", lines), purpose="batch", timeout=self._seconds
            )
        )

    def begin_batch(self, file_id: str, metadata: Mapping[str, str]) -> RawAnswer:
        """Have the questions of a file answered within a day; ``metadata`` is told again wherever it is listed."""
        return _raw(
            lambda: self._client.batches.with_raw_response.create(
                input_file_id=file_id,
                endpoint="/v1/chat/completions",
                completion_window="24h",
                metadata=dict(metadata),
                timeout=self._seconds,
            )
        )

    def list_batches(self, after: str | None, limit: int) -> RawAnswer:
        """Ask for a page of batches: at most ``limit``, those that follow the one with the id ``after``."""
        page = {"limit": limit} if after is None else {"limit": limit, "after": after}
        return _raw(lambda: self._client.batches.with_raw_response.list(extra_query=page, timeout=self._seconds))

    def look_at_batch(self, batch_id: str) -> RawAnswer:
        """Ask how far a batch is."""
        return _raw(lambda: self._client.batches.with_raw_response.retrieve(batch_id, timeout=self._seconds))

    def download(self, file_id: str) -> RawAnswer:
        """Read a file of answers."""
        return _raw(lambda: self._client.files.with_raw_response.content(file_id, timeout=self._seconds))


def _raw(ask: Callable[[], LegacyAPIResponse[Any]]) -> RawAnswer:
    try:
        response = ask().http_response
    except openai.APIStatusError as error:
        response = error.response
    return RawAnswer(response.status_code, dict(response.headers), response.content)


class _OneConnectionACall(httpx2.BaseTransport):
    """Opens a connection for each request: a kept one that the server has just closed would cost a merge its call.

    The credential is added here: the client, its errors and its logs never hold it. Of the headers that the client
    makes only those that say something are sent, none that come out of the environment.
    """

    def __init__(self, settings: ModelSettings) -> None:
        url = urlsplit(settings.base_url)
        self._allowed = Allowed(internal=settings.internal, loopback=url.hostname in LOOPBACK)
        self._tls = ssl.create_default_context() if url.scheme == "https" else None
        self._key, self._azure = settings.api_key, settings.api == "azure"

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        deadline = Deadline(request.extensions["timeout"]["read"])
        target = httpcore2.Request(
            method=request.method,
            url=httpcore2.URL(
                scheme=request.url.raw_scheme,
                host=request.url.raw_host,
                port=request.url.port,
                target=request.url.raw_path,
            ),
            headers=self._headers(request),
            content=request.read(),
        )
        connection = httpcore2.HTTPConnection(
            target.url.origin, ssl_context=self._tls, network_backend=OwnConnections(self._allowed, deadline)
        )
        largest = _LARGEST_FILE if request.url.path.endswith("/content") else _LARGEST
        with connection:
            status, headers, content = _exchanged(connection, target, deadline, largest)
        return httpx2.Response(status, headers=headers, content=content, request=request)

    def _headers(self, request: httpx2.Request) -> list[tuple[str, str]]:
        kept = [(name, value) for name, value in request.headers.items() if name in _KEPT_HEADERS]
        kept += [("user-agent", "mergecast"), ("accept-encoding", "identity"), ("connection", "close")]
        if key := self._key.get_secret_value():
            kept.append(("api-key", key) if self._azure else ("authorization", f"Bearer {key}"))
        return kept


def _client(settings: ModelSettings, client: httpx2.Client) -> openai.OpenAI:
    """No key is given to it; an empty one would make it look into the environment."""
    if settings.api == "azure":
        return openai.AzureOpenAI(
            api_key="none",
            azure_endpoint=settings.base_url.removesuffix("/openai"),
            api_version=settings.api_version,
            max_retries=0,
            http_client=client,
        )
    return openai.OpenAI(api_key="none", base_url=settings.base_url, max_retries=0, http_client=client)


def _exchanged(
    connection: httpcore2.HTTPConnection, request: httpcore2.Request, deadline: Deadline, largest: int
) -> tuple[int, dict[str, str], bytes]:
    begun = False
    try:
        response = connection.handle_request(request)
        begun = True
        headers = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in response.headers}
        content = _read(response, deadline, largest)
    except httpcore2.TimeoutException:
        raise Unreachable("no whole answer in time", sent=deadline.sent, late=True, begun=begun) from None
    except (httpcore2.NetworkError, httpcore2.ProtocolError) as error:
        reason = "the answer was cut" if begun else f"no connection ({type(error).__name__})"
        raise Unreachable(reason, sent=deadline.sent, begun=begun) from None
    if headers.pop("content-encoding", "identity").lower() not in {"", "identity"}:
        raise Unreachable("the answer came compressed, which was not asked for", sent=True, begun=True)
    return response.status, headers, content


def _read(response: httpcore2.Response, deadline: Deadline, largest: int) -> bytes:
    parts: list[bytes] = []
    size = 0
    for part in response.iter_stream():
        parts.append(part)
        size += len(part)
        if size > largest:
            raise Unreachable("the answer is larger than any that is read", sent=True, begun=True)
        deadline.left(httpcore2.ReadTimeout)
    return b"".join(parts)

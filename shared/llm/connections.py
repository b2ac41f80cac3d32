"""Connections that end at one moment, whatever arrives meanwhile, and that lead to allowed addresses alone."""

from __future__ import annotations

import socket
import ssl
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from queue import Empty, SimpleQueue
from typing import Any

import httpcore2

from shared.llm.addresses import Allowed

_CHUNK = 64 * 1024


class AddressRefused(Exception):
    """The server's name leads to addresses that the settings do not allow, and to none that they do."""


class Deadline:
    """The moment at which a call ends, and whether anything of it was sent until then."""

    def __init__(self, seconds: float) -> None:
        self._end = time.monotonic() + seconds
        self.sent = False
        """Whether a byte of the request may have left."""

    def left(self, kind: type[httpcore2.TimeoutException]) -> float:
        """Return the seconds that are left; ``kind`` is raised when there are none."""
        left = self._end - time.monotonic()
        if left <= 0:
            raise kind("the time is over")
        return left


class OwnConnections(httpcore2.NetworkBackend):
    """Opens the connection of one call."""

    def __init__(self, allowed: Allowed, deadline: Deadline) -> None:
        self._allowed = allowed
        self._deadline = deadline

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ARG002 - the deadline of the whole call counts
        local_address: str | None = None,  # noqa: ARG002 - the backend's own shape
        socket_options: Iterable[Any] | None = None,  # noqa: ARG002 - the backend's own shape
    ) -> httpcore2.NetworkStream:
        """Resolve once, and connect to the first address that is allowed and takes the connection.

        AddressRefused when none is allowed; else ConnectError or ConnectTimeout.
        """
        found = _resolved(host, port, self._deadline)
        usable = [(family, address) for family, address in found if self._allowed.allows(str(address[0]))]
        if found and not usable:
            raise AddressRefused
        failure: Exception = httpcore2.ConnectError("the name leads to no address")
        for family, address in usable:
            try:
                return _Stream(_connected(family, address, self._deadline), self._deadline)
            except httpcore2.ConnectError as error:
                failure = error
        raise failure


class _Stream(httpcore2.NetworkStream):
    """One connection: each step is given what is left of the call's time, and no more."""

    def __init__(self, connection: socket.socket, deadline: Deadline) -> None:
        self._connection = connection
        self._deadline = deadline

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:  # noqa: ARG002 - the backend's own shape
        with _failing_as(httpcore2.ReadTimeout, httpcore2.ReadError):
            self._connection.settimeout(self._deadline.left(httpcore2.ReadTimeout))
            return self._connection.recv(max_bytes)

    def write(self, buffer: bytes, timeout: float | None = None) -> None:  # noqa: ARG002 - the backend's own shape
        rest = memoryview(buffer)
        with _failing_as(httpcore2.WriteTimeout, httpcore2.WriteError):
            while rest:
                self._connection.settimeout(self._deadline.left(httpcore2.WriteTimeout))
                self._deadline.sent = True
                rest = rest[self._connection.send(rest[:_CHUNK]) :]

    def close(self) -> None:
        self._connection.close()

    def start_tls(
        self,
        ssl_context: ssl.SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,  # noqa: ARG002 - the backend's own shape
    ) -> httpcore2.NetworkStream:
        try:
            with _failing_as(httpcore2.ConnectTimeout, httpcore2.ConnectError):
                # The standard library gives the whole handshake this much time, not each of its steps.
                self._connection.settimeout(self._deadline.left(httpcore2.ConnectTimeout))
                return _Stream(
                    ssl_context.wrap_socket(self._connection, server_hostname=server_hostname), self._deadline
                )
        except BaseException:
            self._connection.close()
            raise

    def get_extra_info(self, info: str) -> Any:  # noqa: ARG002 - nothing is asked of a connection that is used once
        return None


def _resolved(host: str, port: int, deadline: Deadline) -> list[tuple[int, tuple[Any, ...]]]:
    """The addresses of a name. Asked aside: the system's resolver takes no deadline."""
    answers: SimpleQueue[list[Any] | OSError] = SimpleQueue()

    def resolve() -> None:
        try:
            answers.put(socket.getaddrinfo(host, port, type=socket.SOCK_STREAM))
        except (OSError, UnicodeError) as error:
            answers.put(error if isinstance(error, OSError) else OSError("no name of a host"))

    threading.Thread(target=resolve, name="resolve", daemon=True).start()
    try:
        answer = answers.get(timeout=deadline.left(httpcore2.ConnectTimeout))
    except Empty:
        raise httpcore2.ConnectTimeout("no address in time") from None
    if isinstance(answer, OSError):
        raise httpcore2.ConnectError("the name leads to no address") from None
    return [(family, address) for family, _, _, _, address in answer]


def _connected(family: int, address: tuple[Any, ...], deadline: Deadline) -> socket.socket:
    connection = socket.socket(family, socket.SOCK_STREAM)
    try:
        with _failing_as(httpcore2.ConnectTimeout, httpcore2.ConnectError):
            connection.settimeout(deadline.left(httpcore2.ConnectTimeout))
            connection.connect(address)
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    except BaseException:
        connection.close()
        raise
    return connection


@contextmanager
def _failing_as(late: type[Exception], broken: type[Exception]) -> Iterator[None]:
    try:
        yield
    except TimeoutError:
        raise late("the time is over") from None
    except OSError as error:
        raise broken(type(error).__name__) from None

"""The sockets of the stand-in: HTTP/1.1 with connections that stay open, one thread a connection."""

from __future__ import annotations

import contextlib
import socket
import threading
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any

from tests.servers.github.exchange import JSON_TYPE, Answer
from tests.servers.github.faults import Fault

if TYPE_CHECKING:
    from tests.servers.github.server import GitHubServer

REASONS = {status.value: status.phrase for status in HTTPStatus}


class Listener(ThreadingHTTPServer):
    """Listens on a free port of 127.0.0.1 and closes every connection when it is stopped."""

    daemon_threads = True
    block_on_close = False
    request_queue_size = 256

    def __init__(self, github: GitHubServer) -> None:
        self.github = github
        self._open: set[socket.socket] = set()
        self._closed = threading.Condition()
        super().__init__(("127.0.0.1", 0), _Handler)
        self._thread = threading.Thread(target=self.serve_forever, args=(0.02,), name="github", daemon=True)

    @property
    def port(self) -> int:
        """Where it listens."""
        return int(self.server_address[1])

    def start(self) -> None:
        """Answer from now on."""
        self._thread.start()

    def stop(self) -> None:
        """Stop answering and close what is open."""
        if self._thread.is_alive():
            self.shutdown()
            self._thread.join(5)
        self.server_close()
        with self._closed:
            for connection in self._open:
                with contextlib.suppress(OSError):
                    connection.shutdown(socket.SHUT_RDWR)
            self._closed.wait_for(lambda: not self._open, timeout=10)

    def process_request(self, request: Any, client_address: Any) -> None:
        """Remember the connection, and serve it in a thread."""
        with self._closed:
            self._open.add(request)
        super().process_request(request, client_address)

    def shutdown_request(self, request: Any) -> None:
        """Forget the connection."""
        super().shutdown_request(request)
        with self._closed:
            self._open.discard(request)
            self._closed.notify_all()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that leaves in the middle is none of ours."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    wbufsize = 1 << 16
    server: Listener

    def _serve(self) -> None:
        headers = {key.lower(): value for key, value in self.headers.items()}
        body = self.rfile.read(int(headers.get("content-length", 0)))
        answer, fault = self.server.github.exchange(self.command, self.path, headers, body)
        self._send(answer, fault)

    do_GET = do_POST = do_PATCH = do_PUT = do_DELETE = _serve  # noqa: N815 - the names that the standard library calls

    def _send(self, answer: Answer, fault: Fault | None) -> None:
        if fault and fault.kind == "hang":
            self.close_connection = True
            return
        body = answer.encoded()
        headers = {"Server": "github.com", "Content-Type": JSON_TYPE} | answer.headers
        if answer.status not in {204, 304}:
            headers["Content-Length"] = str(len(body))
        lines = [f"HTTP/1.1 {answer.status} {REASONS.get(answer.status, '')}"]
        lines += [f"{key}: {value}" for key, value in headers.items()]
        self.wfile.write(("\r\n".join(lines) + "\r\n\r\n").encode("latin-1"))
        if fault and fault.kind == "cut":
            body, self.close_connection = body[: len(body) // 2], True
        self.wfile.write(body)
        self.wfile.flush()

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the name of the overridden method
        """Say nothing: the log is a list."""

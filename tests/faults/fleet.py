"""The product's processes as in production: receiver, workers of the queues, beat; under one supervisor."""

from __future__ import annotations

import http.client
import json
import socket
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from tests.faults.processes import SupervisedProcess
from tests.faults.servers import Servers

SECRET = "a-secret-of-the-fault-harness"
_QUIET = ("--without-gossip", "--without-mingle", "--without-heartbeat")
_QUEUES = {"analyzer": "analysis", "digest": "digest", "publisher": "publishing", "reader": "reading"}
_MODULES = {"reader": "services.analyzer.reader"}

SHORT_TIMES = {
    "MERGECAST_WORKER__LEASE": "6",
    "MERGECAST_WORKER__RENEW_EVERY": "2",
    "MERGECAST_WORKER__SWEEP_EVERY": "3",
}
"""A lost worker is noticed within seconds instead of a minute; everything else is as in production."""

SHORTEST_TIMES = {
    "MERGECAST_WORKER__LEASE": "3",
    "MERGECAST_WORKER__RENEW_EVERY": "1",
    "MERGECAST_WORKER__SWEEP_EVERY": "1",
}
"""For a few deliveries, where no burst keeps a worker from renewing in time."""


class Fleet:
    """Starts processes and keeps them running until the end of the block that made it."""

    def __init__(self, servers: Servers, folder: Path, settings: Mapping[str, str] = SHORT_TIMES) -> None:
        self.folder = folder
        self.broker_url = servers.broker_url
        self.port = free_port()
        self.processes: dict[str, SupervisedProcess] = {}
        self.environment = {
            "MERGECAST_DATA_FOLDER": str(folder / "data"),
            "MERGECAST_DATABASE__URL": servers.database_url,
            "MERGECAST_BROKER__URL": servers.broker_url,
            "MERGECAST_WEBHOOK__SECRETS": json.dumps([SECRET]),
            # SIGTERM is Celery's soft shutdown, as docs/operations.md says.
            "REMAP_SIGTERM": "SIGQUIT",
            **settings,
        }
        self._over = threading.Event()
        self._supervisor = threading.Thread(target=self._supervise, name="supervisor", daemon=True)
        self._supervisor.start()

    @property
    def workers(self) -> list[SupervisedProcess]:
        """The workers of the analysis queue."""
        return [process for name, process in self.processes.items() if name.startswith("analyzer")]

    @property
    def readers(self) -> list[SupervisedProcess]:
        """The workers of the reading queue."""
        return [process for name, process in self.processes.items() if name.startswith("reader")]

    def start_receiver(self) -> SupervisedProcess:
        """The webhook, on ``port``; returns when it listens."""
        arguments = ("uvicorn", "--factory", "services.webhook.asgi:app", "--port", str(self.port), "--no-access-log")
        receiver = self._start("receiver", arguments)
        self.until(self.answers, "the receiver listens")
        return receiver

    def start_worker(
        self,
        service: str,
        number: int = 1,
        concurrency: int = 2,
        address_space: int | None = None,
        **environment: str,
    ) -> SupervisedProcess:
        """A worker of one service; it takes tasks a few seconds later."""
        name = f"{service}-{number}"
        module = _MODULES.get(service, f"services.{service}.worker")
        arguments = ("celery", "-A", module, "worker", "-n", f"{name}@%h", "-Q", _QUEUES[service])
        return self._start(name, (*arguments, *_QUIET, f"--concurrency={concurrency}"), environment, address_space)

    def start_beat(self, number: int = 1) -> SupervisedProcess:
        """A scheduler."""
        return self._start(f"beat-{number}", ("celery", "-A", "services.scheduler.beat", "beat", "--pidfile="))

    def answers(self) -> bool:
        """Whether the receiver answers."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=5)
        try:
            connection.request("GET", "/healthz")
            return connection.getresponse().status == 200
        except OSError:
            return False
        finally:
            connection.close()

    def until(self, holds: Callable[[], object], what: str, seconds: float = 90.0) -> None:
        """Wait until it holds; when it does not, the ends of all logs are shown."""
        deadline = time.monotonic() + seconds
        while not holds():
            if time.monotonic() > deadline:
                raise AssertionError(f"{what}: not within {seconds:.0f} s\n{self.logs()}")
            time.sleep(0.2)

    def logs(self) -> str:
        """The end of each log."""
        read = {process.name: process.log.read_text("utf-8", "replace") for process in self.processes.values()}
        return "\n".join(f"--- {name}\n{text[-2500:]}" for name, text in read.items())

    def end(self) -> None:
        """End every process of it."""
        self._over.set()
        self._supervisor.join()
        for process in self.processes.values():
            process.end()

    def _start(
        self,
        name: str,
        arguments: tuple[str, ...],
        environment: Mapping[str, str] | None = None,
        address_space: int | None = None,
    ) -> SupervisedProcess:
        its_own = self.environment | dict(environment or {})
        process = SupervisedProcess(name, arguments, its_own, self.folder, address_space)
        process.start()
        self.processes[name] = process
        return process

    def _supervise(self) -> None:
        while not self._over.wait(0.2):
            for process in list(self.processes.values()):
                process.supervise()


@contextmanager
def running_fleet(servers: Servers, folder: Path, settings: Mapping[str, str] = SHORT_TIMES) -> Iterator[Fleet]:
    """A fleet without processes yet; whatever is started in the block ends with it."""
    fleet = Fleet(servers, folder, settings)
    try:
        yield fleet
    finally:
        fleet.end()


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])

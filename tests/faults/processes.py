"""One process group of the product, started again by its supervisor whenever it ends by itself."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path

import psutil

from tests.servers.lifetime import end_with_parent

ROOT = Path(__file__).parents[2]
_STOPS_WITHIN = 60.0


class SupervisedProcess:
    """A command in a session of its own; faults strike its whole group, or one process of it by its id.

    Ends it only through its own ids. ``starts`` counts how often it was started. ``address_space`` is the most that
    each process of the group may map, in bytes.
    """

    def __init__(
        self,
        name: str,
        arguments: Sequence[str],
        environment: Mapping[str, str],
        folder: Path,
        address_space: int | None = None,
    ) -> None:
        self.name = name
        self.starts = 0
        self._address_space = address_space
        self._arguments = arguments
        self._environment = {
            name: value for name, value in os.environ.items() if not name.startswith("MERGECAST_")
        } | dict(environment)
        self._folder = folder
        self._guard = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._wanted = False

    @property
    def pid(self) -> int:
        """The leader of the group."""
        assert self._process is not None, f"{self.name} was not started"
        return self._process.pid

    @property
    def log(self) -> Path:
        """What all starts of it wrote."""
        return self._folder / f"{self.name}.log"

    @property
    def running(self) -> bool:
        """Whether it was started and has not ended."""
        return self._process is not None and self._process.poll() is None

    def children(self) -> list[int]:
        """The processes that the leader has forked."""
        try:
            return [child.pid for child in psutil.Process(self.pid).children()] if self.running else []
        except psutil.NoSuchProcess:
            return []

    def start(self) -> None:
        """Start it; the supervisor keeps it running from now on."""
        self._wanted = True
        self._spawn()

    def supervise(self) -> None:
        """Start it again if it has ended by itself."""
        with self._guard:
            if self._wanted and not self.running:
                self._spawn()

    def kill_group(self) -> bool:
        """SIGKILL to every process of the group at once; False when there is none to kill."""
        with self._guard:
            return self._signal_group(signal.SIGKILL)

    def kill_child(self, pid: int) -> bool:
        """SIGKILL to one process that the leader forked; False when it is not there any more."""
        if pid not in self.children():
            return False
        os.kill(pid, signal.SIGKILL)
        return True

    def ask_to_stop(self) -> None:
        """SIGTERM to the leader, as a rolling restart does; the supervisor starts it again when it has ended."""
        if self.running:
            os.kill(self.pid, signal.SIGTERM)

    def wait(self, timeout: float = _STOPS_WITHIN) -> int:
        """Wait until it has ended and return its exit code."""
        assert self._process is not None
        return self._process.wait(timeout)

    def end(self) -> None:
        """Stop supervising, and end the group at once."""
        self._wanted = False
        with self._guard:
            self._signal_group(signal.SIGKILL)

    def _signal_group(self, how: int) -> bool:
        if self._process is None or self._process.poll() is not None:
            return False
        os.killpg(self._process.pid, how)
        self._process.wait(10)
        return True

    def _spawn(self) -> None:
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(
                [sys.executable, "-m", *self._arguments],
                env=self._environment | {"PYTHONPATH": str(ROOT)},
                cwd=self._folder,
                stdout=log,
                stderr=log,
                stdin=subprocess.DEVNULL,
                start_new_session=True,
                preexec_fn=self._prepare,  # noqa: PLW1509 - two calls to the kernel, no lock is taken
            )
        self.starts += 1

    def _prepare(self) -> None:
        """Runs in the child, between fork and exec."""
        end_with_parent()
        if self._address_space is not None:
            resource.setrlimit(resource.RLIMIT_AS, (self._address_space, self._address_space))

"""Runs workers and beats as processes of their own, as in production."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[3]
QUIET = ("--without-gossip", "--without-mingle", "--without-heartbeat")


class CeleryProcess:
    """One process group of Celery; only its own processes are ended."""

    def __init__(self, folder: Path, environment: dict[str, str], *arguments: str) -> None:
        inherited = {name: value for name, value in os.environ.items() if not name.startswith("MERGECAST_")}
        self._log = (folder / f"{arguments[0]}.log").open("ab")
        self._process = subprocess.Popen(
            [sys.executable, "-m", "celery", "-A", *arguments],
            env=inherited | {"PYTHONPATH": str(ROOT)} | environment,
            cwd=folder,
            stdout=self._log,
            stderr=self._log,
            stdin=subprocess.DEVNULL,
            start_new_session=True,
        )

    def kill(self) -> None:
        """End the whole group at once, without a warning."""
        self._end(signal.SIGKILL)

    def stop(self) -> int:
        """Ask it to end; its exit code."""
        return self._end(signal.SIGTERM)

    def ended(self, seconds: float) -> int:
        """Wait until it ends by itself; its exit code."""
        return self._process.wait(seconds)

    @property
    def log(self) -> str:
        """What it said."""
        return Path(self._log.name).read_text("utf-8", "replace")

    def _end(self, how: int) -> int:
        if self._process.poll() is None:
            if how == signal.SIGKILL:
                os.killpg(self._process.pid, how)
            else:
                self._process.send_signal(how)
        try:
            return self._process.wait(timeout=30)
        except subprocess.TimeoutExpired:
            os.killpg(self._process.pid, signal.SIGKILL)
            return self._process.wait(timeout=10)
        finally:
            self._log.close()


def worker(folder: Path, environment: dict[str, str], service: str, queue: str, *options: str) -> CeleryProcess:
    """A worker of one service."""
    return CeleryProcess(folder, environment, f"services.{service}.worker", "worker", "-Q", queue, *QUIET, *options)


def beat(folder: Path, environment: dict[str, str]) -> CeleryProcess:
    """A scheduler."""
    return CeleryProcess(folder, environment, "services.scheduler.beat", "beat", "--pidfile=")

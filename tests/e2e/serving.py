"""Runs ``mergecast serve`` as a process of its own and talks to it as GitHub and a reader would."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

from tests.integration.webhook.posting import headers

ROOT = Path(__file__).parents[2]
Found = TypeVar("Found")


class ServeProcess:
    """One ``mergecast serve`` on a free port; only its own process is ended."""

    def __init__(self, data_folder: Path, **environment: str) -> None:
        inherited = {name: value for name, value in os.environ.items() if not name.startswith("MERGECAST_")}
        self.log = data_folder.parent / "serve.log"
        self.data_folder = data_folder
        self._environment = inherited | {
            "MERGECAST_DATA_FOLDER": str(data_folder),
            "PYTHONPATH": str(ROOT),
            **environment,
        }
        self._process: subprocess.Popen[str] | None = None
        self.said: list[str] = []
        self.url = ""

    def start(self) -> ServeProcess:
        """Start it and return once it listens; the lines that it said are in ``said``."""
        with self.log.open("a") as log:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "services.cli.main", "serve", "--port", "0"],
                env=self._environment,
                cwd=self.data_folder.parent,
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
            )
        assert self._process.stdout is not None
        self.said = []
        for line in self._process.stdout:
            self.said.append(line.strip())
            if line.startswith("Mergecast listens on "):
                self.url = line.split()[-1]
            if line.startswith("Published: "):
                return self
        raise AssertionError(f"it did not start: {self.log.read_text()}")

    def stop(self, how: int = signal.SIGTERM) -> tuple[int, float]:
        """Send a signal; its exit code and how many seconds it took."""
        assert self._process is not None
        begun = time.monotonic()
        self._process.send_signal(how)
        rest, _ = self._process.communicate(timeout=30)
        self.said += rest.splitlines()
        return self._process.returncode, time.monotonic() - begun

    def kill(self) -> None:
        """End it if it still runs."""
        if self._process is not None and self._process.poll() is None:
            self._process.kill()
            self._process.communicate(timeout=10)

    @property
    def credentials(self) -> dict[str, str]:
        """What the first start has made."""
        made: dict[str, str] = json.loads((self.data_folder / "credentials.json").read_text("utf-8"))
        return made

    def post(self, body: bytes, guid: str) -> int:
        """Post one signed delivery; the status of the answer."""
        signed = headers(body, guid=guid, secret=self.credentials["webhook_secret"])
        return self.ask("/webhooks/github", body, signed)[0]

    def ask(self, path: str, body: bytes | None = None, sent: Mapping[str, str] | None = None) -> tuple[int, bytes]:
        """Ask for a path; with a body it is posted."""
        request = urllib.request.Request(self.url + path, data=body, headers=dict(sent or {}))
        try:
            with urllib.request.urlopen(request, timeout=10) as answer:
                return answer.status, answer.read()
        except urllib.error.HTTPError as refusal:
            with refusal:
                return refusal.code, refusal.read()

    def api(self, path: str) -> tuple[int, Any]:
        """Ask the API with the token; status and decoded answer."""
        status, body = self.ask(f"/api/v1{path}", sent={"Authorization": f"Bearer {self.credentials['api_token']}"})
        return status, json.loads(body)


def until(look: Callable[[], Found | None], seconds: float = 40.0) -> Found:
    """Look until there is something; fails after ``seconds``."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        found = look()
        if found:
            return found
        time.sleep(0.1)
    raise AssertionError("it did not come in time")

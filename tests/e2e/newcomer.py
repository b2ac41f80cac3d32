"""Somebody who has read one page, and does what it says: its settings, its commands, nothing else."""

from __future__ import annotations

import os
import re
import shlex
import signal
import socket
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
RECEIVER = "https://mergecast.example.org"
API = "https://api.github.com"
PORT = "8080"
_BLOCK = re.compile(r"^(?P<indent> *)```(?P<language>\w*)\n(?P<text>.*?)^(?P=indent)```$", re.MULTILINE | re.DOTALL)


class Block(NamedTuple):
    """A fenced block of the page."""

    language: str
    text: str


def section(page: str, heading: str) -> str:
    """Return what stands under a heading of the second level."""
    return page.split(f"\n## {heading}\n", 1)[1].split("\n## ", 1)[0]


def blocks(text: str) -> list[Block]:
    """Return the fenced blocks in order, without the indentation of their step."""
    return [Block(found["language"], textwrap.dedent(found["text"])) for found in _BLOCK.finditer(text)]


class Newcomer:
    """A person with an empty folder; GitHub and the port are those of the test, everything else is the page's."""

    def __init__(self, folder: Path, api_url: str) -> None:
        self.folder, self.api_url, self.port = folder, api_url, _free_port()
        self.home = folder / "home"
        self.home.mkdir()
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("MERGECAST_", "XDG_"))}
        self.environment = kept | {
            "HOME": str(self.home),
            "PYTHONPATH": str(ROOT),
            "COLUMNS": "400",
            "MERGECAST_GITHUB__API_URL": api_url,
        }
        self.said: list[str] = []
        self._service: subprocess.Popen[str] | None = None

    @property
    def url(self) -> str:
        """Where the service listens."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def secret(self) -> str:
        """The webhook secret that the first start printed."""
        [line] = [line for line in self.said if line.startswith("Webhook secret: ")]
        return line.split()[-1]

    def placed(self, text: str) -> str:
        """Return the page's words with the addresses of the test in them."""
        return text.replace(RECEIVER, self.url).replace(PORT, str(self.port))

    def write_settings(self, block: Block) -> None:
        """Write mergecast.toml as it stands on the page."""
        assert block.language == "toml"
        (self.folder / "mergecast.toml").write_text(block.text)

    def do(self, block: Block) -> str:
        """Run the commands of a block; return what the last one printed, with its exit code before it."""
        assert block.language == "sh"
        answer = ""
        for line in block.text.splitlines():
            words = shlex.split(self.placed(line))
            if words[0] == "export":
                name, _, value = words[1].partition("=")
                self.environment[name] = value
            elif words[:2] == ["mergecast", "serve"]:
                self._serve(words[1:])
            else:
                answer = self._run(words)
        return answer

    def stop(self) -> None:
        """Press Ctrl-C where the service runs."""
        if self._service is not None:
            self._service.send_signal(signal.SIGINT)
            self._service.communicate(timeout=60)
            self._service = None

    def shown(self, text: str) -> list[str]:
        """Return lines as the page would show them: its addresses, no numbers of the day, single spaces."""
        text = text.replace(self.api_url, API).replace(self.url, RECEIVER)
        text = re.sub(r"\b\d+ (?:s|min|h|d) ago", "a while ago", text)
        lines = (" ".join(re.sub(r"\d[\d,]*", "0", line).split()) for line in text.splitlines())
        return [line for line in lines if line]

    def _run(self, words: list[str]) -> str:
        command = [sys.executable, "-m", "services.cli.main", *words[1:]] if words[0] == "mergecast" else words
        done = subprocess.run(
            command, cwd=self.folder, env=self.environment, capture_output=True, text=True, timeout=100, check=False
        )
        return f"{done.returncode}\n{done.stdout}{done.stderr}"

    def _serve(self, words: list[str]) -> None:
        with (self.folder / "serve.log").open("a") as log:
            self._service = subprocess.Popen(
                [sys.executable, "-m", "services.cli.main", *words],
                cwd=self.folder,
                env=self.environment,
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
            )
        assert self._service.stdout is not None
        for line in self._service.stdout:
            self.said.append(line.strip())
            if line.startswith("Published: "):
                return
        raise AssertionError((self.folder / "serve.log").read_text())


def _free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
        return port

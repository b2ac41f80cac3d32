"""Remotes of tests: an ssh that can be made to hang, a web server that speaks git, a record of what git is given."""

from __future__ import annotations

import os
import shutil
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import urlsplit

from shared.domain.errors import Postponed
from shared.sources.git_history.remote import Remote


@dataclass
class SlowSsh:
    """Stands in for ssh: serves the repository on this machine, or hangs while it is told to."""

    folder: Path
    hang: Path = field(init=False)
    begun: Path = field(init=False)

    def __post_init__(self) -> None:
        self.folder.mkdir(exist_ok=True)
        self.hang, self.begun = self.folder / "hang", self.folder / "begun"
        self.program.write_text(
            f"#!/bin/sh\nif [ -e {self.hang} ]; then\n"
            f"  echo $$ > {self.begun}.new && mv {self.begun}.new {self.begun}\n"
            f"  while [ -e {self.hang} ]; do sleep 0.05; done\nfi\n"
            'for last; do :; done\nexec sh -c "$last"\n'
        )
        self.program.chmod(0o755)

    @property
    def program(self) -> Path:
        """What GIT_SSH_COMMAND is to name."""
        return self.folder / "ssh"

    def helper(self, seconds: float = 60.0) -> int:
        """Wait until one hangs; its process id."""
        deadline = time.monotonic() + seconds
        while not self.begun.exists():
            assert time.monotonic() < deadline, "no ssh was started"
            time.sleep(0.02)
        return int(self.begun.read_text())


@dataclass
class Seen:
    """What a web server saw: the credentials it was sent, and the arguments of every process at that time."""

    url: str = ""
    authorizations: set[str | None] = field(default_factory=set)
    arguments: set[str] = field(default_factory=set)


class _Handler(BaseHTTPRequestHandler):
    """Speaks git for one repository; made for it by ``web_server``."""

    repository: Path
    wanted: str | None
    seen: Seen

    def do_GET(self) -> None:
        authorization = self.headers["Authorization"]
        self.seen.authorizations.add(authorization)
        self.seen.arguments.update(_arguments_of_all())
        if self.wanted is None or authorization == self.wanted:
            self._serve()
            return
        self.send_response(401)
        self.send_header("WWW-Authenticate", 'Basic realm="git"')
        self.end_headers()

    do_POST = do_GET  # noqa: N815 - the name that the server looks for

    def _serve(self) -> None:
        parts = urlsplit(self.path)
        body = self.rfile.read(int(self.headers["Content-Length"] or 0))
        env = os.environ | {
            "GIT_PROJECT_ROOT": str(self.repository.parent),
            "GIT_HTTP_EXPORT_ALL": "1",
            "PATH_INFO": parts.path,
            "QUERY_STRING": parts.query,
            "REQUEST_METHOD": self.command,
            "CONTENT_TYPE": self.headers["Content-Type"] or "",
            "CONTENT_LENGTH": str(len(body)),
            "HTTP_CONTENT_ENCODING": self.headers["Content-Encoding"] or "",
        }
        done = subprocess.run(["git", "http-backend"], env=env, input=body, capture_output=True, check=True)
        head, _, content = done.stdout.partition(b"\r\n\r\n")
        headers = dict(line.split(": ", 1) for line in head.decode().splitlines())
        self.send_response(int(headers.pop("Status", "200").split()[0]))
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@contextmanager
def web_server(repository: Path, wanted: str | None = None) -> Iterator[Seen]:
    """Serve ``repository`` over http on this machine; ``wanted`` is the Authorization header it insists on."""
    seen = Seen()
    handler = type("Handler", (_Handler,), {"repository": repository, "wanted": wanted, "seen": seen})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    seen.url = f"127.0.0.1:{server.server_port}/{repository.name}"
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield seen
    finally:
        server.shutdown()
        server.server_close()


def _arguments_of_all() -> Iterator[str]:
    """The arguments of every process that this machine shows, as ``ps`` reads them."""
    for file in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            yield file.read_bytes().replace(b"\0", b" ").decode("utf-8", "replace")
        except OSError:
            continue


def recording_git(folder: Path) -> Path:
    """A folder for PATH whose git writes its arguments into ``calls`` there, then does its work."""
    folder.mkdir()
    program = folder / "git"
    program.write_text(f'#!/bin/sh\necho "$@" >> {folder}/calls\nexec {shutil.which("git")} "$@"\n')
    program.chmod(0o755)
    return folder


def calls(folder: Path) -> list[str]:
    """What git was called with."""
    return (folder / "calls").read_text().splitlines() if (folder / "calls").exists() else []


def at(path: Path) -> Remote:
    """The remote of a repository on this machine."""
    return Remote(f"file://{path}", "file")


def alive(process: int) -> bool:
    """Whether a process runs; a dead one that nobody has waited for does not."""
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"


def refused(act: Callable[[], None]) -> str:
    """What a Postponed says."""
    try:
        act()
    except Postponed as error:
        return str(error)
    raise AssertionError("nothing was postponed")

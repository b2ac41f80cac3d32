"""PostgreSQL and Valkey of one run, and what can happen to them."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from enum import StrEnum

from shared.store import migrate
from shared.store.session import Database
from tests.servers.missing import ServerUnavailable
from tests.servers.postgresql import PostgresServer
from tests.servers.valkey import ValkeyServer

FAST, IMMEDIATE, KILL = signal.SIGINT, signal.SIGQUIT, signal.SIGKILL
"""How PostgreSQL ends: sessions are cut; without a last checkpoint; without anything."""

_NAME = "faults"


class Break(StrEnum):
    """How a Valkey is away, or silent, for a while."""

    STOPPED = "stopped"
    KILLED = "killed"
    WIPED = "wiped"
    """Killed, and its data lost."""
    FROZEN = "frozen"


class Servers:
    """Both servers on free ports, each in a folder of its own, with a migrated database."""

    def __init__(self) -> None:
        self.postgresql = PostgresServer()
        self.valkey = ValkeyServer()

    @property
    def database_url(self) -> str:
        """The database of the run."""
        return self.postgresql.url(_NAME)

    @property
    def broker_url(self) -> str:
        """The broker of the run."""
        return self.valkey.url

    def start(self) -> None:
        """Start both and make the database."""
        self.valkey.start()
        self.postgresql.start()
        self.postgresql.create(_NAME)
        database = Database(self.database_url)
        migrate.upgrade(database)
        database.dispose()

    def stop(self) -> None:
        """End both and remove their folders."""
        self.valkey.stop()
        self.postgresql.stop()

    def restart_postgresql(self, how: int = FAST, down: float = 0.0) -> None:
        """Halt PostgreSQL, leave it down for ``down`` seconds, start it with the same data."""
        self.postgresql.halt(how)
        time.sleep(down)
        for _ in range(20):
            try:
                self.postgresql.start()
            except ServerUnavailable:
                time.sleep(0.25)  # after a kill its children need a moment to notice, and it does not start before
            else:
                return
        self.postgresql.start()


@contextmanager
def running_servers() -> Iterator[Servers]:
    """Servers for the time of the block."""
    servers = Servers()
    try:
        servers.start()
        yield servers
    finally:
        servers.stop()


@contextmanager
def broken(valkey: ValkeyServer, how: Break) -> Iterator[None]:
    """Break Valkey for the time of the block."""
    if how is Break.FROZEN:
        with frozen(valkey.pid):
            yield
        return
    valkey.halt(signal.SIGTERM if how is Break.STOPPED else KILL)
    if how is Break.WIPED:
        valkey.lose_data()
    try:
        yield
    finally:
        valkey.start()


@contextmanager
def frozen(pid: int) -> Iterator[None]:
    """Stop the process as a debugger does, and let it go on after the block: connections stay open and silent."""
    os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(pid, signal.SIGCONT)

"""Bursts through our receiver and the bare one, turn about, and through ours with the broker well, away and silent."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Mapping
from contextlib import AbstractContextManager, ExitStack
from itertools import pairwise
from pathlib import Path

from shared.store import migrate
from shared.store.session import Database
from tests.bench.burst.processes import BARE, CONNECTIONS, OURS, Receiver, Total, receiver
from tests.bench.measure import Measurement
from tests.servers.postgresql import PostgresServer
from tests.servers.silent import SilentListener
from tests.servers.valkey import ValkeyServer

DELIVERIES = int(os.environ.get("BURST", "1500"))
ROUNDS = 3
"""Turns of each, so that what else the machine does meets all of them."""
NOBODY = "redis://127.0.0.1:9/0"
BARE_INSERT = "FastAPI + HMAC + insert"


def measure() -> list[Measurement]:
    """Send ``BURST`` deliveries (1,500 unless it is set) to each, 64 connections at once."""
    with ExitStack() as servers:
        postgres, valkey = PostgresServer(), ValkeyServer()
        for server in (postgres, valkey):
            servers.callback(server.stop)
            server.start()
        folder = Path(tempfile.mkdtemp(prefix="burst-"))
        servers.callback(shutil.rmtree, folder, ignore_errors=True)
        silent = servers.enter_context(SilentListener())
        brokers = {"well": valkey.url, "away": NOBODY, "silent": silent.url}
        return [
            *_postgresql(postgres, folder, brokers),
            *_sqlite(folder, valkey.url),
        ]


def _postgresql(postgres: PostgresServer, folder: Path, brokers: Mapping[str, str]) -> list[Measurement]:
    with ExitStack() as running:

        def start(factory: str, name: str, broker: str) -> Receiver:
            postgres.create(name)
            return running.enter_context(_started(factory, folder / name, postgres.url(name), broker))

        bare = start(BARE, "bare", NOBODY)
        ours = {state: start(OURS, state, url) for state, url in brokers.items()}
        totals = _turn_about({"bare": bare, **ours})
    return [
        *_beside(totals["well"], totals["bare"], "PostgreSQL"),
        *_broker_states(totals),
    ]


def _sqlite(folder: Path, broker: str) -> list[Measurement]:
    with ExitStack() as running:
        receivers = {
            name: running.enter_context(_started(factory, folder / name, f"sqlite:///{folder / name}.sqlite3", broker))
            for name, factory in (("bare_file", BARE), ("ours_file", OURS))
        }
        totals = _turn_about(receivers)
    return _beside(totals["ours_file"], totals["bare_file"], "SQLite")


def _started(factory: str, folder: Path, url: str, broker: str) -> AbstractContextManager[Receiver]:
    folder.mkdir()
    if factory == OURS:
        database = Database(url)
        migrate.upgrade(database)
        database.dispose()
    return receiver(factory, folder, url, broker)


def _turn_about(receivers: Mapping[str, Receiver]) -> dict[str, Total]:
    totals = {name: Total() for name in receivers}
    for one in receivers.values():
        one.burst(2 * CONNECTIONS, 10_000_000)  # connections are made, code is warm
    borders = [DELIVERIES * turn // ROUNDS for turn in range(ROUNDS + 1)]
    for begin, end in pairwise(borders):
        for name, one in receivers.items():
            totals[name].add(one.burst(end - begin, 1 + begin))
    for name, total in totals.items():
        print(
            f"  {name:10} {total.sent:,} deliveries of 26 KB, {total.rate:,.0f}/s, p50 {max(total.p50):,.0f} ms, "
            f"p99 {max(total.p99):,.0f} ms, max {total.longest:,.0f} ms, not 2xx: {total.refused}",
            flush=True,
        )
    return totals


def _beside(ours: Total, bare: Total, engine: str) -> list[Measurement]:
    burst = f"burst of {ours.sent:,}, {engine}"
    return [
        Measurement(f"{burst}: rate", ours.rate, bare.rate, BARE_INSERT, "/s", "≥ 0.75x"),
        Measurement(f"{burst}: p99", max(ours.p99), max(bare.p99), BARE_INSERT, "ms", "< 1000 ms"),
    ]


def _broker_states(totals: Mapping[str, Total]) -> list[Measurement]:
    well, rows = totals["well"], []
    for state in ("away", "silent"):
        other = totals[state]
        rows.append(Measurement(f"broker {state}: rate", other.rate, well.rate, "broker well", "/s", "≥ 0.8x"))
        rows.append(Measurement(f"broker {state}: p99", max(other.p99), max(well.p99), "broker well", "ms", "≤ 1.2x"))
    return rows

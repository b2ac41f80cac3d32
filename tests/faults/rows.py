"""Puts deliveries into the inbox of a fleet without a receiver, and tells what became of them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import psutil

from services.analyzer import kill_points
from shared.broker.app import sender
from shared.broker.task_names import TaskName
from shared.settings import BrokerSettings, Settings
from shared.store import deliveries
from shared.store.deliveries import DeliveryView
from shared.store.session import Database
from tests.faults.fleet import Fleet
from tests.faults.processes import ROOT
from tests.integration.workers.inbox import put
from tests.merge_payloads import merge_payload


def put_merges(database: Database, count: int, first: int = 1) -> dict[int, int]:
    """Record ``count`` merges from number ``first`` on, and ring for none; the row of each by its number."""
    numbers = range(first, first + count)
    return {number: put(database, merge_payload(number), now=database.now()).id for number in numbers}


def views(database: Database) -> dict[int, DeliveryView]:
    """Every delivery as `mergecast deliveries` lists it, by the number of its pull request."""
    with database.reading() as session:
        return {view.number: view for view in deliveries.listing(session, limit=1000) if view.number is not None}


def listed_dead(fleet: Fleet) -> str:
    """What `mergecast deliveries` prints of those that are dead."""
    return subprocess.run(
        [sys.executable, "-m", "services.cli.main", "deliveries", "--status", "dead"],
        env=os.environ | fleet.environment | {"PYTHONPATH": str(ROOT), "COLUMNS": "200"},
        capture_output=True,
        text=True,
        check=True,
    ).stdout


def ring(broker_url: str, *rows: int) -> None:
    """Ring for these rows through the broker, as often as they are named."""
    send = sender(Settings(broker=BrokerSettings(url=broker_url)))
    for row in rows:
        send(TaskName.ANALYZE_DELIVERY, row)


def armed(folder: Path, *points: str, times: int = 1) -> tuple[dict[str, str], list[Path]]:
    """The environment that arms these kill points, each for ``times`` times, and the files that count them down."""
    files = [folder / f"kills-{at}" for at in range(len(points))]
    for file in files:
        file.write_bytes(b"." * times)
    value = ",".join(f"{point}:{file}" for point, file in zip(points, files, strict=True))
    return {kill_points.VARIABLE: value}, files


def stopped(pids: list[int]) -> list[int]:
    """Those of the processes that are frozen."""
    found = []
    for pid in pids:
        try:
            if psutil.Process(pid).status() == psutil.STATUS_STOPPED:
                found.append(pid)
        except psutil.NoSuchProcess:
            continue
    return found

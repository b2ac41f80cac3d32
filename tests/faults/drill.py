"""One whole run: deliveries under fire, quiet until everything is done, the digests published, the ledgers read."""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from pydantic import SecretStr

from shared.broker.app import create_app, ring_now
from shared.broker.task_names import TaskName
from shared.settings import BrokerSettings, Settings
from shared.store import repositories
from shared.store.session import Database, DatabaseUnavailable
from tests.faults.deliveries import REPOSITORIES, Load, make_load
from tests.faults.fleet import Fleet, running_fleet
from tests.faults.ledgers import Ledgers, Rows, read_published, read_rows
from tests.faults.schedule import Fault, make_schedule
from tests.faults.sender import Sender
from tests.faults.servers import Servers, running_servers
from tests.faults.striker import Striker

Say = Callable[[str], None]


@dataclass(frozen=True)
class Drill:
    """How large, how fast, and what breaks; the same seed gives the same deliveries and the same order of faults."""

    merges: int
    rate: float
    faults: Counter[Fault]
    seed: int
    workers: int = 2
    drained_within: float = 90.0
    published: bool = True


@dataclass(frozen=True)
class Report:
    """What came of it."""

    ledgers: Ledgers
    struck: Counter[Fault]
    sending_seconds: float
    drain_seconds: float

    def lines(self) -> list[str]:
        """The report as it is printed."""
        struck = ", ".join(f"{count} × {fault}" for fault, count in sorted(self.struck.items()))
        return [
            f"faults     {struck}",
            (
                f"time       {self.sending_seconds:.0f} s of sending under fire, "
                f"then {self.drain_seconds:.0f} s until all was done"
            ),
            *self.ledgers.lines(),
        ]


def run(drill: Drill, folder: Path, say: Say = print) -> Report:
    """Carry ``drill`` out in ``folder`` and return the report; AssertionError with the logs when it gets stuck."""
    say(f"seed       {drill.seed}")
    load = make_load(drill.merges, random.Random(drill.seed))
    with running_servers() as servers, running_fleet(servers, folder) as fleet:
        fleet.start_receiver()
        fleet.start_beat()
        for number in range(1, drill.workers + 1):
            fleet.start_worker("analyzer", number)
        database = Database(servers.database_url)
        try:
            return _under_fire(drill, load, servers, fleet, database, say)
        finally:
            database.dispose()


def _under_fire(drill: Drill, load: Load, servers: Servers, fleet: Fleet, database: Database, say: Say) -> Report:
    schedule = make_schedule(drill.faults, len(load.postings) / drill.rate, random.Random(drill.seed))
    striker = Striker(servers, fleet, schedule, random.Random(drill.seed))
    sender = Sender(fleet.port, load.postings, drill.rate, drill.seed)
    sender.start()
    striker.start()
    try:
        return _follow(drill, load, fleet, database, sender, striker, say)
    finally:
        sender.stop()
        striker.stop()


def _follow(
    drill: Drill, load: Load, fleet: Fleet, database: Database, sender: Sender, striker: Striker, say: Say
) -> Report:
    began = time.monotonic()
    patience = len(load.postings) / drill.rate * 3 + 90
    fleet.until(lambda: sender.done and striker.done, "all deliveries accepted and all faults over", patience)
    fire_over = time.monotonic()
    for line in striker.record:
        say(f"           {line}")
    fleet.until(lambda: _finished(database, load), "all deliveries worked on", drill.drained_within)
    drained = time.monotonic()
    if drill.published:
        _publish(fleet, database, load)
    published = read_published(fleet.folder / "data" / "published", load.week)
    ledgers = Ledgers(load, sender.sent, read_rows(database), published)
    return Report(ledgers, striker.struck, fire_over - began, drained - fire_over)


def _finished(database: Database, load: Load) -> bool:
    rows = _rows(database)
    return rows is not None and rows.waiting == 0 and len(rows.keys) >= len(load.merges)


def _rows(database: Database) -> Rows | None:
    try:
        return read_rows(database)
    except DatabaseUnavailable:
        return None


def _publish(fleet: Fleet, database: Database, load: Load) -> None:
    """Have the week of each repository built, sealed and published, with the worker of each step killed once."""
    workers = [fleet.start_worker("digest", concurrency=1), fleet.start_worker("publisher", concurrency=1)]
    fleet.until(lambda: all(worker.children() for worker in workers), "digest and publisher workers are up")
    app = create_app(Settings(broker=BrokerSettings(url=SecretStr(fleet.broker_url))), {})
    with database.reading() as session:
        rows = [repositories.find(session, name) for name in REPOSITORIES]
    for repository_id in rows:
        ring_now(app, TaskName.BUILD_DIGEST, f"{repository_id}:{load.week.week}")
    for worker in workers:
        time.sleep(0.5)
        worker.kill_group()
    for _ in range(20):
        if read_rows(database).digests == len(rows):
            break
        # A request for a week by hand dies with its worker; the timetable's tick comes every five minutes, here sooner.
        ring_now(app, TaskName.BUILD_DUE)
        time.sleep(3)
    fleet.until(lambda: read_rows(database).publications == {"sent": len(rows)}, "every digest is published", 120)

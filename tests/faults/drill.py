"""One whole run: deliveries under fire, quiet until everything is done and read, digests published, ledgers compared."""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from pydantic import SecretStr

from shared.broker.app import create_app, ring_now
from shared.broker.task_names import TaskName
from shared.settings import BrokerSettings, Settings
from shared.store import repositories
from shared.store.session import Database, DatabaseUnavailable
from tests.faults.deliveries import REPOSITORIES, Load, make_load
from tests.faults.fleet import SHORT_TIMES, Fleet, running_fleet
from tests.faults.ledgers import Ledgers, Rows, read_published, read_rows
from tests.faults.readings import Readings, all_ended, read_readings
from tests.faults.schedule import Fault, make_schedule
from tests.faults.sender import Sender
from tests.faults.servers import Servers, running_servers
from tests.faults.striker import Striker
from tests.servers.model.asked import Asked
from tests.servers.model.modes import Said
from tests.servers.model.server import ModelServer

Say = Callable[[str], None]
_READER_CONCURRENCY = 2
_ANSWER_SECONDS = 0.5


@dataclass(frozen=True)
class Drill:
    """How large, how fast, and what breaks; the same seed gives the same deliveries and the same order of faults."""

    merges: int
    rate: float
    faults: Counter[Fault]
    seed: int
    workers: int = 2
    readers: int = 0
    """Workers that read with a scripted model; 0 for a run without one."""
    drained_within: float = 90.0
    published: bool = True


@dataclass(frozen=True)
class Report:
    """What came of it."""

    ledgers: Ledgers
    struck: Counter[Fault]
    sending_seconds: float
    drain_seconds: float
    readings: Readings | None = None
    """None without readers."""

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
            *(self.readings.lines() if self.readings else ()),
        ]


class _SlowModel(ModelServer):
    """Takes its time for each answer, so that most readers that are killed have a call under way."""

    def __init__(self) -> None:
        super().__init__()
        self._under_way: list[Asked] = []

    @property
    def asked_now(self) -> bool:
        """Whether an answer is under way."""
        return bool(self._under_way)

    def chat(self, asked: Asked) -> Said:
        """Write the request down, and say what there is to say after a while."""
        said = super().chat(asked)
        self._under_way.append(asked)
        self.ending.wait(_ANSWER_SECONDS)
        self._under_way.pop()
        return said


@dataclass(frozen=True)
class _Scene:
    """What one run works with."""

    drill: Drill
    load: Load
    servers: Servers
    fleet: Fleet
    model: _SlowModel | None
    database: Database
    say: Say


def run(drill: Drill, folder: Path, say: Say = print) -> Report:
    """Carry ``drill`` out in ``folder`` and return the report; AssertionError with the logs when it gets stuck."""
    say(f"seed       {drill.seed}")
    load = make_load(drill.merges, random.Random(drill.seed))
    with ExitStack() as running:
        servers = running.enter_context(running_servers())
        model = running.enter_context(_SlowModel()) if drill.readers else None
        fleet = running.enter_context(running_fleet(servers, folder, SHORT_TIMES | _settings_of(model)))
        fleet.start_receiver()
        fleet.start_beat()
        for number in range(1, drill.workers + 1):
            fleet.start_worker("analyzer", number)
        for number in range(1, drill.readers + 1):
            fleet.start_worker("reader", number, _READER_CONCURRENCY)
        database = Database(servers.database_url)
        running.callback(database.dispose)
        return _under_fire(_Scene(drill, load, servers, fleet, model, database, say))


def _settings_of(model: ModelServer | None) -> dict[str, str]:
    """A model without a budget, of whose first answers one in forty has to be repaired."""
    if model is None:
        return {}
    model.script(*(("ok",) * 39 + ("prose",)) * 25)
    return {
        "MERGECAST_MODEL__NAME": "scripted",
        "MERGECAST_MODEL__BASE_URL": model.url,
        "MERGECAST_MODEL__DAY_TOKENS": str(10**12),
        "MERGECAST_MODEL__WEEK_TOKENS": str(10**12),
    }


def _under_fire(scene: _Scene) -> Report:
    drill, postings = scene.drill, scene.load.postings
    schedule = make_schedule(drill.faults, len(postings) / drill.rate, random.Random(drill.seed))
    model = scene.model
    asking = (lambda: model.asked_now) if model else (lambda: True)
    striker = Striker(scene.servers, scene.fleet, schedule, random.Random(drill.seed), asking)
    sender = Sender(scene.fleet.port, postings, drill.rate, drill.seed)
    sender.start()
    striker.start()
    try:
        return _follow(scene, sender, striker)
    finally:
        sender.stop()
        striker.stop()


def _follow(scene: _Scene, sender: Sender, striker: Striker) -> Report:
    drill, load, fleet, database = scene.drill, scene.load, scene.fleet, scene.database
    began = time.monotonic()
    patience = len(load.postings) / drill.rate * 3 + 90
    fleet.until(lambda: sender.done and striker.done, "all deliveries accepted and all faults over", patience)
    fire_over = time.monotonic()
    for line in striker.record:
        scene.say(f"           {line}")
    fleet.until(lambda: _finished(database, load), "all deliveries worked on", drill.drained_within)
    read = None
    if scene.model is not None:
        fleet.until(lambda: all_ended(database), "all readings ended", drill.drained_within)
        read = read_readings(database, len(scene.model.asked), _calls_lost(drill))
    drained = time.monotonic()
    if drill.published:
        _publish(fleet, database, load)
    published = read_published(fleet.folder / "data" / "published", load.week)
    ledgers = Ledgers(load, sender.sent, read_rows(database), published)
    return Report(ledgers, striker.struck, fire_over - began, drained - fire_over, read)


def _calls_lost(drill: Drill) -> int:
    """How many calls may have lost their sender: each killed reader held one, each outage of the database met all."""
    readers = drill.readers * _READER_CONCURRENCY
    held = {
        Fault.KILL_READER_CHILD: 1,
        Fault.KILL_READER_GROUP: _READER_CONCURRENCY,
        Fault.POSTGRESQL_RESTART: readers,
        Fault.POSTGRESQL_FREEZE: readers,
    }
    return sum(count * held.get(fault, 0) for fault, count in drill.faults.items())


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

"""A series of restarts and freezes of Valkey around one worker: after each of them work goes on within a minute (C-65).

Nothing else is broken, and nobody else is there to do the work: a worker that is alive and deaf shows at once.
"""

from __future__ import annotations

import logging
import random
import statistics
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import SecretStr

from shared.broker.app import sender
from shared.broker.doorbell import Doorbell
from shared.broker.task_names import TaskName
from shared.settings import BrokerSettings, Settings
from shared.store import deliveries
from shared.store.session import Database
from shared.telemetry import configure
from tests.faults.fleet import Fleet, running_fleet
from tests.faults.ledgers import Rows, read_rows
from tests.faults.processes import SupervisedProcess
from tests.faults.rows import put_merges
from tests.faults.servers import Break, Servers, broken, running_servers

RESUMED_WITHIN = 60.0
BREAKS = Counter({Break.STOPPED: 12, Break.KILLED: 12, Break.WIPED: 6, Break.FROZEN: 10})
_DOWN = (0.0, 4.0)
_SILENT = (1.0, 12.0)
"""Around the socket timeout of five seconds, most of them longer."""

_FEW, _BURST = 4, 48
_PATIENCE = 240.0
"""Long enough for the watchdog, so that a series which failed also says whether it would have helped."""


@dataclass(frozen=True)
class Turn:
    """One break; ``at_work``: struck while the worker holds a delivery, not while it waits for one."""

    how: Break
    seconds: float
    at_work: bool

    def __str__(self) -> str:
        return f"Valkey {self.how} for {self.seconds:.1f} s{' in the middle of work' if self.at_work else ''}"


@dataclass(frozen=True)
class Outcome:
    """How long it took from the end of a break until every delivery so far was done, and what ended meanwhile."""

    turn: Turn
    resumed_after: float
    started_again: Counter[str]
    """Processes that ended and were started again by their supervisor, by name."""
    deaf: int
    """How many of them were ended by their watchdog."""


@dataclass(frozen=True)
class Report:
    """What came of the series."""

    outcomes: tuple[Outcome, ...]
    put: int
    rung: int
    refused: int
    rows: Rows

    @property
    def late(self) -> int:
        """Breaks after which it took longer than a minute."""
        return len([outcome for outcome in self.outcomes if outcome.resumed_after > RESUMED_WITHIN])

    @property
    def lost(self) -> int:
        """Deliveries that are not done, dead ones among them."""
        return self.put - self.rows.statuses.get("done", 0)

    @property
    def not_once(self) -> int:
        """Merges that do not have exactly one analysis."""
        once = [merge for merge, count in self.rows.analyses.items() if count == 1]
        return max(self.put, len(self.rows.analyses)) - len(once)

    @property
    def whole(self) -> bool:
        """Whether work went on in time after every break, and every delivery was analysed once."""
        return not (self.late or self.lost or self.not_once)

    def lines(self) -> list[str]:
        """The report as it is printed."""
        return [
            *(_summary(how, [outcome for outcome in self.outcomes if outcome.turn.how is how]) for how in BREAKS),
            (
                f"rows       {self.put} deliveries, {sum(self.rows.analyses.values())} analyses; "
                f"{self.rows.starts - self.put} starts more than deliveries; "
                f"rings: {self.rung} sent, {self.refused} refused, and none for the other deliveries"
            ),
            f"result     late {self.late}, lost {self.lost}, dead {self.rows.dead}, not analysed once {self.not_once}",
        ]


def make_turns(breaks: Counter[Break], chance: random.Random) -> list[Turn]:
    """Return the breaks in a random order: of each kind short and long ones, every other in the middle of work."""
    turns = []
    for how, count in breaks.items():
        least, most = _SILENT if how is Break.FROZEN else _DOWN
        for at in range(count):
            seconds = least + (most - least) * (at + chance.random()) / count
            turns.append(Turn(how, seconds, at_work=at % 2 == 1))
    chance.shuffle(turns)
    return turns


def run(seed: int, folder: Path, say: Callable[[str], None]) -> Report:
    """Carry the series out in ``folder`` and return the report; AssertionError with the logs when it gets stuck."""
    say(f"seed       {seed}")
    chance = random.Random(seed)
    turns = make_turns(BREAKS, chance)
    with running_servers() as servers, running_fleet(servers, folder) as fleet:
        fleet.start_beat()
        database = Database(servers.database_url)
        try:
            series = _Series(servers, fleet, database, chance, say)
            # A worker of one process is deaf when it loses one slot, one of two when it loses them one by one.
            half = len(turns) // 2
            outcomes = [*series.carry_out(turns[:half], concurrency=1), *series.carry_out(turns[half:], concurrency=2)]
            return series.report(outcomes)
        finally:
            database.dispose()


class _Series:
    def __init__(
        self, servers: Servers, fleet: Fleet, database: Database, chance: random.Random, say: Callable[[str], None]
    ) -> None:
        settings = Settings(broker=BrokerSettings(url=SecretStr(servers.broker_url)))
        configure(settings, logging.ERROR)  # rings that are refused are counted, not told one by one
        self._bell = Doorbell(sender(settings))
        self._servers = servers
        self._fleet = fleet
        self._database = database
        self._chance = chance
        self._say = say
        self._put = 0
        self._began = time.monotonic()

    def carry_out(self, turns: Sequence[Turn], concurrency: int) -> list[Outcome]:
        """Break Valkey again and again around one worker of its own."""
        worker = self._fleet.start_worker("analyzer", concurrency, concurrency)
        self._deliver(_FEW)
        self._fleet.until(self._all_done, "the worker is up")
        outcomes = [self._carry_out(turn, worker) for turn in turns]
        worker.end()
        return outcomes

    def report(self, outcomes: Sequence[Outcome]) -> Report:
        """Close the bell and count."""
        self._bell.close()
        refused = self._bell.failed + self._bell.dropped
        return Report(tuple(outcomes), self._put, self._bell.rung, refused, read_rows(self._database))

    def _carry_out(self, turn: Turn, worker: SupervisedProcess) -> Outcome:
        starts, deaf = self._starts(), _times_deaf(worker)
        if turn.at_work:
            self._strike_at_work()
        else:
            self._deliver(_FEW)
        with broken(self._servers.valkey, turn.how):
            self._deliver(_FEW)
            time.sleep(turn.seconds)
        over = time.monotonic()
        self._deliver(_FEW)
        self._fleet.until(self._all_done, f"{turn}: all done", _PATIENCE)
        outcome = Outcome(turn, time.monotonic() - over, self._starts() - starts, _times_deaf(worker) - deaf)
        told = f"{over - self._began:6.1f} s  {turn}: all done {outcome.resumed_after:.1f} s later"
        self._say(f"           {told}{''.join(f', {name} started again' for name in outcome.started_again)}")
        return outcome

    def _strike_at_work(self) -> None:
        """Return while a delivery of a burst is in the hands of the worker, not always the first."""
        done = self._counts()["done"] + self._chance.randrange(_BURST // 2)
        self._deliver(_BURST)
        while not ((counts := self._counts())["claimed"] and counts["done"] >= done):
            assert counts["new"] + counts["claimed"], "work was over before the strike"
            time.sleep(0.002)

    def _deliver(self, count: int) -> None:
        """Put deliveries and ring for every other one: sweeps have to find those that nobody is rung for."""
        rows = put_merges(self._database, count, first=self._put + 1)
        self._put += count
        for number, row in rows.items():
            if number % 2:
                self._bell.ring(TaskName.ANALYZE_DELIVERY, row)

    def _all_done(self) -> bool:
        counts = self._counts()
        return counts["new"] + counts["claimed"] == 0

    def _counts(self) -> dict[str, int]:
        with self._database.reading() as session:
            return deliveries.counts(session)

    def _starts(self) -> Counter[str]:
        return Counter({name: process.starts for name, process in self._fleet.processes.items()})


def _times_deaf(worker: SupervisedProcess) -> int:
    return worker.log.read_text("utf-8", "replace").count("worker.deaf")


def _summary(how: Break, outcomes: Sequence[Outcome]) -> str:
    """One line of the report: all breaks of one kind."""
    seconds = [outcome.resumed_after for outcome in outcomes]
    at_work = len([outcome for outcome in outcomes if outcome.turn.at_work])
    return (
        f"{how:<11}{len(outcomes)} × ({at_work} in the middle of work); all done after: "
        f"median {statistics.median(seconds):.1f} s, longest {max(seconds):.1f} s; "
        f"processes started again: {sum(outcome.started_again.total() for outcome in outcomes)}, "
        f"for being deaf: {sum(outcome.deaf for outcome in outcomes)}"
    )

"""Carries a schedule of faults out, and keeps a record of what really struck."""

from __future__ import annotations

import random
import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence

from tests.faults.fleet import Fleet
from tests.faults.processes import SupervisedProcess
from tests.faults.schedule import Fault, Strike
from tests.faults.servers import FAST, IMMEDIATE, KILL, Break, Servers, broken, frozen

_POSTGRESQL_WAYS = (IMMEDIATE, FAST, KILL)
_VALKEY_WAYS = (Break.STOPPED, Break.KILLED)
_TARGET_WITHIN = 20.0
_FREEZE_SECONDS = 3.0


class Striker:
    """Runs beside the sender; ``struck`` counts faults that took effect, ``record`` tells them in order.

    A fault whose target is just being started again waits for it: a kill of nothing does not count. Readers are struck
    while ``asking`` says that one of them asks the model, where that comes about in time.
    """

    def __init__(
        self,
        servers: Servers,
        fleet: Fleet,
        schedule: Sequence[Strike],
        chance: random.Random,
        asking: Callable[[], bool] = lambda: True,
    ) -> None:
        self.struck: Counter[Fault] = Counter()
        self.record: list[str] = []
        self.error: BaseException | None = None
        self._servers = servers
        self._fleet = fleet
        self._schedule = schedule
        self._chance = chance
        self._asking = asking
        self._over = threading.Event()
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    @property
    def done(self) -> bool:
        """Whether every fault was carried out; raises what went wrong with one."""
        if self.error is not None:
            raise self.error
        return self._over.is_set()

    def start(self) -> None:
        """Begin; the first strike is measured from now."""
        self._thread.start()

    def stop(self) -> None:
        """Strike no more."""
        self._stopped.set()
        self._thread.join(60)

    def _run(self) -> None:
        try:
            self._strike_all(time.monotonic())
        except BaseException as error:  # noqa: BLE001 - handed to the thread that waits for it
            self.error = error
        self._over.set()
        # The servers that were started here end with this thread: the kernel takes it for their parent.
        self._stopped.wait()

    def _strike_all(self, began: float) -> None:
        for strike in self._schedule:
            if self._stopped.wait(max(began + strike.at - time.monotonic(), 0)):
                return
            self._strike(strike)
            self.struck[strike.fault] += 1
            self.record.append(f"{time.monotonic() - began:6.1f} s  {strike.fault}")

    def _strike(self, strike: Strike) -> None:
        down = self._chance.uniform(0.3, 2.0)
        match strike.fault:
            case Fault.KILL_GROUP:
                self._busy(self._fleet.workers).kill_group()
            case Fault.KILL_CHILD:
                self._kill_child(lambda: self._busy(self._fleet.workers))
            case Fault.STOP_WORKER:
                self._busy(self._fleet.workers).ask_to_stop()
            case Fault.KILL_READER_GROUP:
                self._asking_reader().kill_group()
            case Fault.KILL_READER_CHILD:
                self._kill_child(self._asking_reader)
            case Fault.KILL_BEAT:
                self._process("beat").kill_group()
            case Fault.KILL_RECEIVER:
                self._process("receiver").kill_group()
            case Fault.VALKEY_RESTART:
                self._break_valkey(_VALKEY_WAYS[strike.number % 2], down)
            case Fault.VALKEY_WIPE:
                self._break_valkey(Break.WIPED, down)
            case Fault.POSTGRESQL_RESTART:
                self._servers.restart_postgresql(_POSTGRESQL_WAYS[strike.number % 3], down)
            case Fault.VALKEY_FREEZE:
                self._break_valkey(Break.FROZEN, _FREEZE_SECONDS)
            case Fault.POSTGRESQL_FREEZE:
                with frozen(self._servers.postgresql.pid):
                    self._stopped.wait(_FREEZE_SECONDS)

    def _break_valkey(self, how: Break, seconds: float) -> None:
        with broken(self._servers.valkey, how):
            self._stopped.wait(seconds)

    def _kill_child(self, choose: Callable[[], SupervisedProcess]) -> None:
        worker = choose()
        while not worker.kill_child(self._chance.choice(worker.children() or [0])):
            worker = choose()

    def _asking_reader(self) -> SupervisedProcess:
        deadline = time.monotonic() + _TARGET_WITHIN
        while not self._asking() and time.monotonic() < deadline:
            self._stopped.wait(0.02)
        return self._busy(self._fleet.readers)

    def _busy(self, workers: Sequence[SupervisedProcess]) -> SupervisedProcess:
        """One of them that has forked its pool."""
        deadline = time.monotonic() + _TARGET_WITHIN
        while time.monotonic() < deadline:
            ready = [worker for worker in workers if len(worker.children()) > 1]
            if ready:
                return self._chance.choice(ready)
            self._stopped.wait(0.1)
        raise AssertionError(f"no worker came up within {_TARGET_WITHIN:.0f} s\n{self._fleet.logs()}")

    def _process(self, name: str) -> SupervisedProcess:
        return next(process for key, process in self._fleet.processes.items() if key.startswith(name))

"""Stores deliveries; those that arrive while the database is at work are stored together, in its next transaction."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass

import anyio.to_thread
import structlog

from services.webhook.runtime import WebhookRuntime
from shared.broker.task_names import TaskName
from shared.problems import RETRY_AFTER, Problem
from shared.store import deliveries
from shared.store.deliveries import IncomingDelivery, Recorded
from shared.store.session import DatabaseUnavailable

WRITERS = 2
"""While the database is at work for one, the next is prepared. More would only make batches smaller."""
LARGEST_BATCH = 32
LARGEST_BATCH_BYTES = 8 * 1024 * 1024
MOST_WAITING = 2000
"""Deliveries that may wait for their turn; GitHub hangs up after 10 s, so more would only be stored for nobody."""
TOLD = {"guid", "source", "action", "repository", "number"}

_log = structlog.get_logger(__name__)


@dataclass
class _Waiting:
    incoming: IncomingDelivery
    secret_slot: int
    stored: asyncio.Future[Recorded]


class Inbox:
    """A few writers for the process: a transaction costs nearly the same for one delivery and for many.

    Nobody waits for company: a delivery that finds a writer idle is stored at once. Belongs to one event loop.
    """

    def __init__(self, runtime: WebhookRuntime) -> None:
        self._runtime = runtime
        self._waiting: deque[_Waiting] = deque()
        self._writers: set[asyncio.Task[None]] = set()

    async def record(self, incoming: IncomingDelivery, secret_slot: int) -> Recorded:
        """Return what became of the delivery; its row is committed, and rung for, when this returns (law 1).

        DatabaseUnavailable when nothing was stored or it is not known, Problem 503 when too many are waiting.
        """
        if len(self._waiting) >= MOST_WAITING:
            raise Problem(
                503,
                "busy",
                "Too many deliveries are waiting to be stored.",
                "Send it again later.",
                headers=RETRY_AFTER,
            )
        waiting = _Waiting(incoming, secret_slot, asyncio.get_running_loop().create_future())
        self._waiting.append(waiting)
        if len(self._writers) < WRITERS:
            writer = asyncio.create_task(self._write())
            self._writers.add(writer)
            writer.add_done_callback(self._writers.discard)
        return await waiting.stored

    async def _write(self) -> None:
        while self._waiting:
            batch = self._next_batch()
            try:
                outcomes = await anyio.to_thread.run_sync(self._store, [one.incoming for one in batch])
            except BaseException:
                for one in batch:
                    one.stored.cancel()
                raise
            self._announce(batch, outcomes)
            for one, outcome in zip(batch, outcomes, strict=True):
                _tell(one.stored, outcome)

    def _announce(self, batch: Sequence[_Waiting], outcomes: Sequence[Recorded | Exception]) -> None:
        """Ring for what is work now; one line in the log for each transaction, which names all that is in it."""
        lines = []
        for one, recorded in zip(batch, outcomes, strict=True):
            if isinstance(recorded, Exception):
                continue
            again = recorded.duplicate and not recorded.revived
            if not again:
                self._runtime.doorbell.ring(TaskName.ANALYZE_DELIVERY, recorded.id)
            lines.append(
                one.incoming.model_dump(include=TOLD)
                | {
                    "delivery": recorded.id,
                    "outcome": "duplicate" if again else "stored",
                    "secret_slot": one.secret_slot,
                }
            )
        if lines:
            _log.info("deliveries.stored", deliveries=lines)

    def _next_batch(self) -> list[_Waiting]:
        batch: list[_Waiting] = []
        size = 0
        while self._waiting and len(batch) < LARGEST_BATCH and (size < LARGEST_BATCH_BYTES):
            batch.append(self._waiting.popleft())
            size += len(batch[-1].incoming.payload)
        return batch

    def _store(self, batch: Sequence[IncomingDelivery]) -> list[Recorded | Exception]:
        """Store all in one transaction; when one of them cannot be stored, each in its own, so that it fails alone."""
        try:
            now = self._runtime.clock()
            with self._runtime.database.transaction() as session:
                return list(deliveries.record_all(session, batch, now))
        except DatabaseUnavailable as error:
            return [DatabaseUnavailable(error.message) for _ in batch]
        except Exception as error:  # noqa: BLE001 - whoever sent the delivery is told
            if len(batch) == 1:
                return [error]
            return [outcome for one in batch for outcome in self._store([one])]


def _tell(stored: asyncio.Future[Recorded], outcome: Recorded | Exception) -> None:
    if stored.done():  # its sender has hung up
        return
    if isinstance(outcome, Exception):
        stored.set_exception(outcome)
    else:
        stored.set_result(outcome)

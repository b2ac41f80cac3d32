"""A model that fails for a day, on both engines: few calls, no reading used up by waiting, all read afterwards (C-63)."""

from __future__ import annotations

from collections import Counter
from datetime import datetime, timedelta

from sqlalchemy import func, select, update

from shared.domain.errors import Postponed
from shared.settings import ModelSettings
from shared.store import readings
from shared.store.model_calls import StoredMeter
from shared.store.model_states import StoredModelMemory
from shared.store.reading_tasks import ReadingClaim
from shared.store.session import Database
from shared.store.tables import ModelCallRow, ReadingRow
from shared.store.upserts import insert_all_new
from tests.integration.store.model_rows import LEASE, MODEL, NOW, PROMPT, SERVER, Clock, merge, planned, settled

MERGES = 300
LONG = timedelta(minutes=15)
"""A reading whose call failed waits as long as the breaker rests at most: the next failures are those of others."""
SETTINGS = ModelSettings(name=MODEL, day_tokens=100_000_000, week_tokens=100_000_000)


class Reader:
    """What a worker does with one reading, with a server that answers nothing until ``serves_from``."""

    def __init__(self, database: Database, clock: Clock, serves_from: datetime) -> None:
        self.database, self.clock, self.serves_from = database, clock, serves_from
        self.memory = StoredModelMemory(database, clock, SERVER)
        self.sent: Counter[str] = Counter()

    def work(self, limit: int) -> None:
        """One sweep: the rest of it is not even claimed while the model rests."""
        with self.database.reading() as session:
            due = readings.due(session, self.clock(), limit)
        for row in due:
            with self.database.transaction() as session:
                held = readings.claim(session, row, self.clock(), LEASE)
            assert held is not None
            try:
                self._ask(held)
            except Postponed as refusal:
                self._put_off(held, refusal)
                return
            with self.database.transaction() as session:
                assert readings.finish(session, held, "done", self.clock(), fingerprint=f"read-{held.id}")

    def _ask(self, held: ReadingClaim) -> None:
        meter = StoredMeter(
            self.database, self.clock, SETTINGS, SERVER, held.id, held.pull_request_id, attempt=held.attempt
        )
        if self.memory.admit(MODEL) == "probe":
            self._send(meter, "probe")
        self._send(meter, "read")

    def _put_off(self, held: ReadingClaim, refusal: Postponed) -> None:
        with self.database.transaction() as session:
            assert readings.postpone(session, held, str(refusal), refusal.until, self.clock())

    def _send(self, meter: StoredMeter, purpose: str) -> None:
        call = meter.reserve(planned(purpose))
        self.sent[purpose] += 1
        if self.clock() < self.serves_from:
            meter.settle(call, settled("refused", 0, error="500"))
            until = self.memory.failed(MODEL, "it answered 500")
            raise Postponed("The model does not serve.", until or self.clock() + LONG)
        meter.settle(call, settled(text="{}"))
        self.memory.served(MODEL)


def ask_for_all(database: Database) -> None:
    row = merge(database)
    fresh = {"status": "new", "attempt": 0, "tries": 0, "next_attempt_at": NOW, "changed_at": NOW, "created_at": NOW}
    asked = {"importance": 1, "asked_by": "capture", "earlier_calls": 0, "model": MODEL, "pull_request_id": row}
    # A thousand prompts about one merge are as good as one about a thousand merges, and sooner made.
    rows = [
        fresh | asked | {"base_fingerprint": "base", "prompt_version": f"{PROMPT}-{number}"} for number in range(MERGES)
    ]
    with database.transaction() as session:
        insert_all_new(
            session, ReadingRow, rows, key=("pull_request_id", "base_fingerprint", "model", "prompt_version")
        )


def test_c63_a_day_of_failures_costs_a_probe_each_quarter_of_an_hour(database: Database) -> None:
    ask_for_all(database)
    clock = Clock()
    reader = Reader(database, clock, serves_from=NOW + timedelta(hours=24))
    while clock.now < reader.serves_from:
        reader.work(limit=50)
        clock.forward(seconds=30 if clock.now < NOW + timedelta(minutes=20) else 450)
    failed = Counter(reader.sent)
    assert failed["read"] == 5
    assert failed["probe"] <= 24 * 4 + 4
    with database.reading() as session:
        statuses = readings.counts(session)
        assert statuses["new"] + statuses["retry"] == MERGES
        in_ledger = session.scalar(select(func.count()).select_from(ModelCallRow))
        assert in_ledger == sum(failed.values())
        last_due = session.scalar(select(func.max(ReadingRow.next_attempt_at)))
    assert last_due is not None
    clock.now = max(clock.now, last_due)
    with database.transaction() as session:
        session.execute(update(ReadingRow).where(ReadingRow.id > 40).values(status="superseded"))
    reader.work(limit=50)
    with database.reading() as session:
        assert readings.counts(session)["done"] == 40
    assert reader.sent["probe"] == failed["probe"] + 1

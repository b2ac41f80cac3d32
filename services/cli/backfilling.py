"""Works a backfill off in this process: a lister, a few analysing threads, patience with the host's limits."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from datetime import datetime

from services.analyzer.pipeline import analyze_delivery
from services.analyzer.tasks import make_runtime
from services.reconciler.backfill import Listing, Lost, list_page
from shared.domain.errors import MergecastError, Postponed
from shared.domain.protocols import Progress
from shared.settings import Settings
from shared.store import backfills, repositories
from shared.store.backfills import Account, Backfill, BackfillClaim
from shared.store.session import Database, DatabaseUnavailable

MOST_OPEN = 200
"""Merges that are recorded ahead of their analysis: those of today wait behind no more than these."""
LOOK_EVERY = 0.25
"""Seconds between two looks at what is due."""
TOLD_FROM = 5.0
"""Seconds of waiting from which on a person is told about it."""
_HOST = "Waiting for the host's limit or an outage"
_RETRIES = "Waiting to try again what failed"


class Backfilling:
    """One backfill from its claim to its end; call ``go`` once.

    Running workers help: they find the recorded merges in the inbox as they find any other.
    """

    def __init__(self, settings: Settings, listing: Listing, database: Database, say: Callable[[str], None]) -> None:
        self._settings = settings
        self._listing = listing
        self._database = database
        self._say = say
        self._analyzer = make_runtime(settings, database, lambda _task, _argument: None)
        self._working: dict[int, Future[object]] = {}
        self._listing_again_at: datetime | None = None
        self._told_until: datetime | None = None
        self._told_held = 0
        self._began = database.now()

    def go(self, since: datetime, until: datetime | None, report: Progress) -> Account:
        """List, record and analyse until nothing is left, and return what came of it since this call.

        Without ``until`` up to the present, after what an earlier run has begun. Waits for the host's limits;
        KeyboardInterrupt and errors leave everything so that the next run goes on.
        """
        earlier = None if until is not None else self._unfinished(since)
        before = Account() if earlier is None else self._brought_to_its_end(earlier, report)
        made = self._brought_to_its_end(self._begin(since, until or self._database.now()), report)
        return Account(done=before.done + made.done, dead=before.dead + made.dead, parked=before.parked + made.parked)

    def _brought_to_its_end(self, backfill: Backfill, report: Progress) -> Account:
        held = self._claimed(backfill)
        pool = ThreadPoolExecutor(self._settings.worker.concurrency, thread_name_prefix="backfill")
        try:
            with self._renewed(held) as lost:
                return self._work(backfill, held, pool, lost, report)
        finally:
            pool.shutdown(wait=True, cancel_futures=True)
            self._release(held)

    def _unfinished(self, since: datetime) -> Backfill | None:
        ref = self._listing.repository
        with self._database.reading() as session:
            row = repositories.find(session, ref.full_name, ref.host)
            return None if row is None else backfills.unfinished(session, row, since)

    def _begin(self, since: datetime, until: datetime) -> Backfill:
        present = self._database.now()
        with self._database.transaction() as session:
            row = repositories.ensure(session, self._listing.repository, present)
            return backfills.begin(session, row, since, until, present)

    def _claimed(self, backfill: Backfill) -> BackfillClaim:
        """Wait for another process that has just died: its lease ends by itself."""
        lease = self._settings.worker.lease
        deadline = time.monotonic() + 1.5 * lease.total_seconds()
        while True:
            present = self._database.now()
            with self._database.transaction() as session:
                held = backfills.claim(session, backfill.id, present, lease)
            if held is not None:
                return held
            if time.monotonic() > deadline:
                raise MergecastError(
                    "Another process works on this very backfill.", "Let it go on, or stop it and run this again."
                )
            self._tell(present, "Another process works on this backfill, or was killed a moment ago: waiting for it.")
            time.sleep(LOOK_EVERY)

    def _work(
        self, backfill: Backfill, held: BackfillClaim, pool: ThreadPoolExecutor, lost: threading.Event, report: Progress
    ) -> Account:
        while True:
            if lost.is_set():
                raise _taken_over()
            present = self._database.now()
            with self._database.reading() as session:
                backfill = backfills.get(session, backfill.id)
                account = backfills.account(session, backfill.id, self._began)
                due = backfills.due(session, backfill, present, 4 * self._settings.worker.concurrency)
            ended = account.done + account.dead + account.parked
            report(ended, ended + account.open if backfill.listed_at is not None else None)
            if backfill.listed_at is not None and not account.open and not self._working:
                return account
            listed = self._list(backfill, held, account.open, present)
            self._analyse(pool, due)
            if not listed and not due:
                self._pause(backfill, account, present)

    def _list(self, backfill: Backfill, held: BackfillClaim, waiting: int, present: datetime) -> bool:
        """Read the next page unless enough is waiting; whether one was read."""
        if backfill.listed_at is not None or waiting >= MOST_OPEN:
            return False
        if self._listing_again_at is not None and present < self._listing_again_at:
            return False
        try:
            list_page(self._database, self._listing, backfill, held)
        except Postponed as error:
            self._listing_again_at = error.until
            return False
        except Lost as error:
            raise _taken_over() from error
        return True

    def _analyse(self, pool: ThreadPoolExecutor, due: list[int]) -> None:
        """Keep the threads busy with what is due, and wait a moment for one of them."""
        for number, future in list(self._working.items()):
            if future.done():
                del self._working[number]
                self._outcome(future)
        for delivery in due:
            if delivery not in self._working:
                self._working[delivery] = pool.submit(analyze_delivery, self._analyzer, delivery)
        if self._working:
            wait(self._working.values(), timeout=LOOK_EVERY, return_when=FIRST_COMPLETED)

    def _outcome(self, future: Future[object]) -> None:
        """Everything but an outage of the database is written in the row itself."""
        error = future.exception()
        if error is not None and not isinstance(error, DatabaseUnavailable):
            raise error

    def _pause(self, backfill: Backfill, account: Account, present: datetime) -> None:
        """Wait until something is due, in short steps, so that an interruption is heard at once."""
        if self._working:
            return
        waits = [(account.waits_until, _RETRIES if account.waits_to_retry else _HOST)]
        if backfill.listed_at is None and account.open < MOST_OPEN:
            waits.append((self._listing_again_at, _HOST))
        due_at, why = min(((at, why) for at, why in waits if at is not None), default=(None, ""))
        if due_at is None:
            self._tell_held(account.held)
            time.sleep(LOOK_EVERY)
            return
        seconds = (due_at - present).total_seconds()
        if seconds >= TOLD_FROM:
            self._tell(due_at, f"{why}: going on at {due_at:%H:%M:%S} UTC.")
        time.sleep(min(max(seconds, 0.0), 1.0) or LOOK_EVERY)

    def _tell_held(self, held: int) -> None:
        """Say once that nothing is left to do here but what others hold; a dead one's lease ends by itself."""
        if held and not self._told_held:
            self._say(f"Another worker holds {held} of them: waiting for it.")
        self._told_held = held

    def _tell(self, until: datetime, message: str) -> None:
        """Say it once for each wait."""
        if self._told_until is None or (until - self._told_until).total_seconds() >= TOLD_FROM:
            self._told_until = until
            self._say(message)

    @contextmanager
    def _renewed(self, held: BackfillClaim) -> Iterator[threading.Event]:
        """Keep the lease; the event says that another process has taken over."""
        over, lost = threading.Event(), threading.Event()

        def keep() -> None:
            while not over.wait(self._settings.worker.renew_every.total_seconds()):
                try:
                    present = self._database.now()
                    with self._database.transaction() as session:
                        if not backfills.renew(session, held, present, self._settings.worker.lease):
                            lost.set()
                            return
                except DatabaseUnavailable:
                    continue

        keeper = threading.Thread(target=keep, name="backfill-lease", daemon=True)
        keeper.start()
        try:
            yield lost
        finally:
            over.set()
            keeper.join(1.0)

    def _release(self, held: BackfillClaim) -> None:
        present = self._database.now()
        with self._database.transaction() as session:
            backfills.release(session, held, present)


def _taken_over() -> MergecastError:
    return MergecastError(
        "Another process has taken over this backfill.", "Let it go on, or stop it and run this again."
    )
